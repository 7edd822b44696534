package petstore

import (
	"encoding/json"
	"strconv"

	"hallmark/spec/exactjson"
	"hallmark/spec/phrase"
	"hallmark/steps/truncate"
)

// Animal is an animal as a response showed it. Integers are canonical decimal text, so that no digit is lost.
type Animal struct {
	ID, Name, Category string
	// Status is empty when the response had none; HasStatus tells the two apart.
	Status    string
	HasStatus bool
}

// AnimalOf reads an animal out of a decoded value; false when it is no valid one, which the contract's checks report.
func AnimalOf(tree any) (Animal, bool) {
	fields, ok := tree.(map[string]any)
	if !ok {
		return Animal{}, false
	}
	var a Animal
	var okID, okName, okCategory bool
	a.ID, okID = Decimal(fields["id"])
	a.Name, okName = fields["name"].(string)
	a.Name = truncate.Text(a.Name)
	a.Category, okCategory = Decimal(fields["categoryId"])
	if raw, there := fields["status"]; there {
		if a.Status, a.HasStatus = raw.(string); !a.HasStatus {
			return Animal{}, false
		}
	}
	return a, okID && okName && okCategory
}

// Decimal returns the canonical text of an integer of a decoded value; false for what is no int64.
func Decimal(v any) (string, bool) {
	n, ok := v.(json.Number)
	if !ok || !exactjson.IsInt64(n) {
		return "", false
	}
	return exactjson.CanonicalInt(n)
}

// status returns the status as findings show it.
func (a Animal) status() phrase.Phrase {
	if !a.HasStatus {
		return phrase.Of("no status")
	}
	return phrase.Of("status {}", phrase.Text(a.Status))
}

// sameStatus reports whether two animals have the same status, or neither has one.
func (a Animal) sameStatus(b Animal) bool { return a.HasStatus == b.HasStatus && a.Status == b.Status }

// SeenAnimal is an animal and its place in a response.
type SeenAnimal struct {
	Animal
	Pointer string
}

// AnimalsIn lists the valid animals of a response: of a list all items, of another response the one.
func AnimalsIn(operation string, tree any) []SeenAnimal {
	if operation != "listPets" {
		if a, ok := AnimalOf(tree); ok {
			return []SeenAnimal{{a, ""}}
		}
		return nil
	}
	items, ok := tree.([]any)
	if !ok {
		return nil
	}
	out := make([]SeenAnimal, 0, len(items))
	for i, item := range items {
		if a, ok := AnimalOf(item); ok {
			out = append(out, SeenAnimal{a, "/" + strconv.Itoa(i)})
		}
	}
	return out
}
