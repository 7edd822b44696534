package petstore

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzDecodeNewPet: whatever is accepted keeps the interface, means the same to another JSON decoder, and is the same
// animal after being encoded and decoded again.
func FuzzDecodeNewPet(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `{}`, `{"name":"Rex","categoryId":1}`, `{"name":"","categoryId":-0,"status":"sold"}`,
		`{"name":"\ud83d\ude00\u0000","categoryId":9223372036854775807,"status":"pending","x":[{}]}`,
		`{"name":"Rex","categoryId":1.0}`, `{"name":"Rex","categoryId":1,"name":"Rex"}`, `{"name":"\ud83d","categoryId":1}`,
		"{\"name\":\"\xff\",\"categoryId\":1}", `{"name":"Rex","categoryId":1}{}`, `{"name":null,"categoryId":1}`,
		`{"NAME":"Rex","categoryId":1}`, `{"name":"Rex","categoryId":1,"status":null}`, `{"n\u0061me":"Rex","categoryId":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		pet, err := decodeNewPet(body)
		if err != nil {
			if pet != (NewPet{}) {
				t.Errorf("an animal was returned with an error: %+v", pet)
			}
			if text := err.Error(); text == "" || len(text) > 400 || !utf8.ValidString(text) {
				t.Errorf("unfit for a client: %q", text)
			}
			return
		}

		if !utf8.ValidString(pet.Name) || len(pet.Name) > MaxName || pet.Status != "" && !pet.Status.Valid() {
			t.Errorf("accepted against the constraints: %+v", pet)
		}
		var members map[string]json.RawMessage // exact names, unlike a struct's
		if err := json.Unmarshal(body, &members); err != nil {
			t.Fatalf("accepted, though it is no JSON object: %v", err)
		}
		var name string
		var category int64
		var status Status
		for member, into := range map[string]any{"name": &name, "categoryId": &category, "status": &status} {
			raw, ok := members[member]
			if !ok && member == "status" {
				continue
			}
			if !ok || string(raw) == "null" {
				t.Fatalf("accepted without %s", member)
			}
			if err := json.Unmarshal(raw, into); err != nil {
				t.Fatalf("accepted with %s of the wrong type: %v", member, err)
			}
		}
		if other := (NewPet{Name: name, CategoryID: category, Status: status}); other != pet {
			t.Errorf("read as %+v, by another decoder as %+v", pet, other)
		}

		encoded, err := appendNewPet(nil, pet)
		if err != nil {
			t.Fatalf("%+v cannot be encoded: %v", pet, err)
		}
		again, err := decodeNewPet(encoded)
		if err != nil || again != pet {
			t.Errorf("%+v became %+v, %v", pet, again, err)
		}
	})
}

func FuzzParseList(f *testing.F) {
	for _, seed := range []string{"", "limit=5", "limit=%zz", "status=sold&limit=100", "limit=1&limit=1", "limit=+5"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		filter, limit, err := parseList(query)
		if err != nil {
			return
		}
		if limit < 1 || limit > 100 || filter.Status != "" && !filter.Status.Valid() {
			t.Errorf("%q gave %v, %d", query, filter, limit)
		}
		if limit != 20 && !strings.Contains(query, "=") {
			t.Errorf("%q gave a limit of %d", query, limit)
		}
	})
}

// The texts are read by people: each tells what was wrong and with which part.
func TestDecodingErrors(t *testing.T) {
	for body, want := range map[string]string{
		``:                                "the body is empty; it must be a JSON object",
		`[]`:                              "the body must be a JSON object, not an array",
		`{`:                               "the body is not valid JSON: it ends too early",
		`{"name":"Rex"`:                   "the body is not valid JSON: it ends too early",
		`{"name" "Rex"}`:                  "the body is not valid JSON: ",
		`{"name":"Rex","categoryId":1}}`:  "the body must hold one JSON object and nothing after it",
		`{"a":1,"a":2}`:                   "the body holds an object that has two members with the same name",
		`{}`:                              "the name and the categoryId are missing",
		`{"name":"Rex"}`:                  "the categoryId is missing",
		`{"categoryId":1}`:                "the name is missing",
		`{"name":null,"categoryId":1}`:    "the name must be a string, not null",
		`{"name":"Rex","categoryId":"1"}`: "the categoryId must be an integer, not a string",
		`{"name":"Rex","categoryId":1.5}`: "the categoryId must be an integer, written without fraction and exponent",
		`{"name":"","categoryId":9223372036854775808}`: "the categoryId must fit into 64 bits: from -9223372036854775808",
		`{"name":1,"categoryId":"1"}`:                  "the name must be a string, not a number",
		`{"name":1,"categoryId":1`:                     "the body is not valid JSON: it ends too early",
		`{"name":"","categoryId":1e1000000}`:           "the categoryId must be an integer, written without fraction and exponent",
	} {
		if _, err := decodeNewPet([]byte(body)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}
