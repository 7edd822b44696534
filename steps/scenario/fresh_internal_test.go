package scenario

import "testing"

// Services write names in forms of their own, and copy names from one member to another. Only the number of another name for the same
// member shows that a text belongs to something else.
func TestNamesAnother(t *testing.T) {
	run := &Run{Options: Options{ID: "4f2a9c"}, marker: "hallmark-4f2a9c", resources: &resources{named: map[string]nameUse{
		"00016": {"addPet", "owner"}, "00017": {"addPet", "name"}, "00018": {"addPet", "name"}, "00019": {"addShelter", "name"},
	}}}
	name := freshText(run, 17)
	for text, want := range map[string]bool{
		freshText(run, 18):         true,
		"HALLMARK_4F2A9C_00018":    true,
		"hallmark-4f2a9c-00018@ex": true,
		name:                       false,
		freshText(run, 16):         false, // of another member
		freshText(run, 19):         false, // of another operation
		freshText(run, 20):         false, // not sent
		"Hallmark 4f2a9c 00017":    false,
		"hallmark-4f2a9c-0001":     false, // cut off
		"hallmark-4f2a9c-":         false,
		"lorem ipsum":              false,
		"":                         false,
	} {
		if got := NamesAnother(run, name, text); got != want {
			t.Errorf("%q names another than %q: %v", text, name, got)
		}
	}
}
