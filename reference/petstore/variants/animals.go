package variants

import (
	"encoding/json"
	"strings"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// editItems calls f with each animal of a response: every item of a list, or the single one.
func (x *exchange) editItems(f func(i int, pet map[string]any)) {
	if x.Status/100 != 2 {
		return
	}
	x.Edit(func(tree any) any {
		switch t := tree.(type) {
		case []any:
			for i, item := range t {
				if pet, ok := item.(map[string]any); ok {
					f(i, pet)
				}
			}
		case map[string]any:
			f(0, t)
		}
		return tree
	})
}

// editList calls f with the items of a list.
func (x *exchange) editList(f func(items []any) any) {
	if x.operation != listPets || x.Status != 200 {
		return
	}
	x.Edit(func(tree any) any {
		if items, ok := tree.([]any); ok {
			return f(items)
		}
		return tree
	})
}

// editError calls f with the Error body of a response.
func (x *exchange) editError(f func(body map[string]any)) {
	if x.Status < 400 {
		return
	}
	x.Edit(func(tree any) any {
		if body, ok := tree.(map[string]any); ok {
			f(body)
		}
		return tree
	})
}

// rawNumber returns a JSON number with exactly these digits.
func rawNumber(text string) json.Number { return json.Number(text) }

// rename changes the name of an animal in a response.
func rename(pet map[string]any, f func(string) string) {
	if name, ok := pet["name"].(string); ok {
		pet["name"] = f(name)
	}
}

func capitalise(pet map[string]any) { rename(pet, strings.ToUpper) }

// idIn returns the id of an animal in a response.
func idIn(pet map[string]any) (int64, bool) {
	n, ok := pet["id"].(json.Number)
	if !ok {
		return 0, false
	}
	return petstore.ParseInteger(string(n))
}
