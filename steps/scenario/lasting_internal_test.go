package scenario

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What lasts is compared with what the response to the creation shows; what it leaves out, with what was sent.
func TestMembersAtCreation(t *testing.T) {
	long := strings.Repeat("x", shortText+1)
	sent := map[string]any{"name": " Rex ", "size": json.Number("0.5"), "color": "red", "text": "short", "tags": []any{"a"}}
	response := map[string]any{"id": json.Number("7"), "name": "Rex", "size": json.Number("0"), "text": long}
	want := map[string]any{"name": "Rex", "size": json.Number("0"), "color": "red"}
	if diff := cmp.Diff(want, membersAtCreation(sent, response)); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"name": " Rex "}, membersAtCreation(map[string]any{"name": " Rex "}, nil)); diff != "" {
		t.Errorf("members without a response (-want +got):\n%s", diff)
	}
}
