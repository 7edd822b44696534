package resource

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"petId": "pet id", "petID": "pet id", "pet_id": "pet id", "pet-id": "pet id", "_id": "id", "PetIDs": "pet ids", "HTTPServer": "http server",
		"id": "id", "": "", "3dsecure": "3dsecure", "größe": "größe",
	} {
		if got := strings.Join(words(name), " "); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestNoun(t *testing.T) {
	for name, want := range map[string]string{
		"pets": "pet", "categories": "category", "order-items": "orderitem", "boxes": "box", "statuses": "status", "addresses": "address",
		"class": "class", "status": "status", "pet": "pet", "": "", "news": "new",
	} {
		if got := noun(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, name := range []string{"petIDs", "a_B", "ÄÖs", "\xff"} {
		f.Add(name, "pets")
	}
	f.Fuzz(func(_ *testing.T, parameter, collection string) {
		namesFor(parameter, noun(collection))
	})
}
