package spec_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
)

func TestFormatsOfRulesFile(t *testing.T) {
	for text, want := range map[string]bool{"formats: assert": true, "- formats: assert\n- '*.success': should": true, "formats: assert\n'*.success': should": true, "- '*.success': should": false} {
		if f, err := spec.ReadRulesFile([]byte(text)); err != nil || f.AssertFormats != want || len(f.Entries) != strings.Count(text, "should") {
			t.Errorf("%q: %+v, %v", text, f, err)
		}
	}
	if _, err := spec.ReadRulesFile([]byte("- formats: maybe")); err == nil || err.Error() != `line 1: formats is given once, and can only be "assert"` {
		t.Error(err)
	}
}
