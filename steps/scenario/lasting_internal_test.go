package scenario

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What the response to a creation shows otherwise than it was sent need not last.
func TestMembersAtCreation(t *testing.T) {
	long := strings.Repeat("x", shortText+1)
	sent := map[string]any{"name": " Rex ", "size": json.Number("0.5"), "color": "red", "text": "short", "tags": []any{"a"}, "age": json.Number("1.0"), "long": long}
	response := map[string]any{"id": json.Number("7"), "name": "Rex", "size": json.Number("0"), "text": "short", "age": json.Number("1")}
	want := map[string]any{"color": "red", "text": "short", "age": json.Number("1.0")}
	if diff := cmp.Diff(want, membersAtCreation(sent, response)); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"name": " Rex "}, membersAtCreation(map[string]any{"name": " Rex "}, nil)); diff != "" {
		t.Errorf("members without a response (-want +got):\n%s", diff)
	}
}
