package steps

import (
	"encoding/json"
	"strconv"

	"hallmark/spec"
	"hallmark/steps/truncate"
)

// animal is an animal as a response showed it. Integers are canonical decimal text, so that no digit is lost.
type animal struct {
	id, name, category string
	// status is empty when the response had none; hasStatus tells the two apart.
	status    string
	hasStatus bool
}

// animalOf reads an animal out of a decoded value; false when it is no valid one, which the contract's checks report.
func animalOf(tree any) (animal, bool) {
	fields, ok := tree.(map[string]any)
	if !ok {
		return animal{}, false
	}
	var a animal
	var okID, okName, okCategory bool
	a.id, okID = decimal(fields["id"])
	a.name, okName = fields["name"].(string)
	a.name = truncate.Text(a.name)
	a.category, okCategory = decimal(fields["categoryId"])
	if raw, there := fields["status"]; there {
		if a.status, a.hasStatus = raw.(string); !a.hasStatus {
			return animal{}, false
		}
	}
	return a, okID && okName && okCategory
}

func decimal(v any) (string, bool) {
	n, ok := v.(json.Number)
	if !ok || !spec.IsInt64(n) {
		return "", false
	}
	return spec.CanonicalInt(n)
}

// statusText is the status in words.
func (a animal) statusText() string {
	if !a.hasStatus {
		return "no status"
	}
	return "status " + a.status
}

// seenAnimal is an animal and its place in a response.
type seenAnimal struct {
	animal
	pointer string
}

// animalsIn lists the valid animals of a response: of a list all items, of another response the one.
func animalsIn(operation string, tree any) []seenAnimal {
	if operation != "listPets" {
		if a, ok := animalOf(tree); ok {
			return []seenAnimal{{a, ""}}
		}
		return nil
	}
	items, ok := tree.([]any)
	if !ok {
		return nil
	}
	out := make([]seenAnimal, 0, len(items))
	for i, item := range items {
		if a, ok := animalOf(item); ok {
			out = append(out, seenAnimal{a, "/" + strconv.Itoa(i)})
		}
	}
	return out
}
