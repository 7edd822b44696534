package impostor

import (
	"fmt"
	"math"
	"strings"
)

// plainAnimal is an unremarkable animal of another client.
func plainAnimal(i int) animal {
	return animal{name: fmt.Sprintf("Other %04d", i), category: 1, status: statusAt(i)}
}

// statusAt goes through the three values and none.
func statusAt(i int) string {
	return []string{"available", "pending", "", "sold"}[i%4]
}

// commonAnimal has a name that many clients would think of.
func commonAnimal(i int) animal {
	names := []string{
		"Rex", "Fido", "Bella", "doggie", "Luna", "Max", "Whiskers", "test", "Test", "pet", "Fluffy", "Buddy",
		"Rex", "Tom", "name", "string", "a", "x", "Milo", "Kitty", "foo", "bar", "dog", "cat", "Charlie",
	}
	return animal{name: names[i%len(names)], category: int64(i%3 + 1), status: statusAt(i)}
}

// unusualAnimal has a name, and a category, that are valid but rare.
func unusualAnimal(i int) animal {
	names := []string{
		"", " ", "  two  spaces  ", "\t", "line\nbreak", "nul\x00inside", "\x7f", "null", "0", "true", "[]", "{}",
		`"quoted"`, `back\slash`, "O'Hara", "<b>Rex</b>", "&amp;", "'; DROP TABLE pets; --", "%41", "a+b", "../..",
		"Žofie", "Z\u030cofie", "Ωmega", "שלום", "مرحبا", "犬のポチ", "강아지", "🐶", "👩‍👩‍👧", "\u202eRex", "\u2028", "\ufeffRex",
		"ﬁdo", "İstanbul", "ß", strings.Repeat("n", 41), strings.Repeat("long ", 60), "available", "Pet", "id",
	}
	categories := []int64{1, 0, -1, 2, math.MaxInt32 + 1, 1<<53 + 1, math.MaxInt64, math.MinInt64}
	return animal{name: names[i%len(names)], category: categories[i%len(categories)], status: statusAt(i / 2)}
}
