package lifecycle

import "testing"

// A resource that is still shown after its deletion is excused only by a member that says so.
func TestDeletionMark(t *testing.T) {
	type object = map[string]any
	for name, c := range map[string]struct {
		before, after object
		want          string
	}{
		"as before":              {object{"id": "1", "createdAt": "2026-01-01T00:00:00Z", "status": "open"}, object{"id": "1", "createdAt": "2026-01-01T00:00:00Z", "status": "open"}, ""},
		"in another state":       {object{"status": "open"}, object{"status": "closed"}, "status"},
		"changed at a time":      {object{"updatedAt": "2026-01-01T00:00:00Z"}, object{"updatedAt": "2026-01-01T00:00:01Z"}, "updatedAt"},
		"with a time of its own": {object{"name": "a"}, object{"name": "a", "deletedAt": "2026-01-01T00:00:01Z"}, "deletedAt"},
		"not deleted":            {object{"deleted": false}, object{"deleted": false}, ""},
		"with another name":      {object{"name": "a"}, object{"name": "b"}, ""},
		"not seen before":        {nil, object{"status": "open"}, "status"},
	} {
		if got := deletionMark(c.before, c.after); got != c.want {
			t.Errorf("%s: marked by %q, want %q", name, got, c.want)
		}
	}
}
