package promise_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec/promise"
)

// The ends are written as they are, since a JSON encoder would replace them.
func TestUnclearEndsAreWrittenAsTheyAre(t *testing.T) {
	body := map[string]any{"name": "Tom", "tags": []any{"a"}}
	want := []string{"{\"name\":\"Tom\xff\",\"tags\":[\"a\"]}", `{"name":"Tom\ud83d","tags":["a"]}`}
	for i, way := range promise.UnclearWays() {
		if got, err := promise.WithUnclearEnd(body, "/name", way); err != nil || string(got) != want[i] {
			t.Errorf("%s: %q, %v, want %q", way, got, err, want[i])
		}
	}
	for pointer, way := range map[string]string{"/age": promise.UnclearWays()[0], "/tags": promise.UnclearWays()[0], "/name": "a smile"} {
		if got, err := promise.WithUnclearEnd(body, pointer, way); err == nil {
			t.Errorf("%s %s: %q, want an error", pointer, way, got)
		}
	}
}
