package drift

import (
	"strings"
	"testing"
)

func TestDifferences(t *testing.T) {
	want := map[string]string{"same": "a\n", "longer": "a\nb\n", "shorter": "a\n", "changed": "a\nb\nc\n", "end": "a\n", "new": "a\n"}
	have := map[string]string{"same": "a\n", "longer": "a\n", "shorter": "a\nb\n", "changed": "a\nB\nc\n", "end": "a", "old": "a\n"}
	var text strings.Builder
	for _, d := range compare(want, have) {
		text.WriteString(d.describe("dir"))
	}
	const expected = `dir/changed:2: differs
  - B
  + b
dir/end:1: differs
  - a (without a line feed at its end)
  + a
dir/longer:2: differs
  - (the file ends here)
  + b
dir/new: missing
dir/old: follows from the contract no longer
dir/shorter:2: differs
  - b
  + (the file ends here)
`
	if text.String() != expected {
		t.Errorf("got:\n%s\nwant:\n%s", text.String(), expected)
	}
}
