package petstore

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// appendPet appends an animal as a JSON object. An empty status, which a store may return, is left out.
func appendPet(b []byte, p Pet) ([]byte, error) {
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, p.ID, 10)
	b = append(b, ',')
	return appendMembers(b, p.NewPet)
}

// appendNewPet appends an animal without its identifier as a JSON object.
func appendNewPet(b []byte, p NewPet) ([]byte, error) {
	return appendMembers(append(b, '{'), p)
}

// appendMembers appends the members that every animal has, and the closing brace.
func appendMembers(b []byte, p NewPet) ([]byte, error) {
	b = append(b, `"name":`...)
	b, err := jsontext.AppendQuote(b, p.Name)
	if err != nil {
		return nil, err
	}
	b = append(b, `,"categoryId":`...)
	b = strconv.AppendInt(b, p.CategoryID, 10)
	if p.Status != "" {
		b = append(b, `,"status":`...)
		if b, err = jsontext.AppendQuote(b, string(p.Status)); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// appendPets appends animals as a JSON array, [] if there are none.
func appendPets(b []byte, pets []Pet) ([]byte, error) {
	b = append(b, '[')
	for i, pet := range pets {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendPet(b, pet); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}
