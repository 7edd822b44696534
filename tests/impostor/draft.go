package impostor

import (
	"math/big"
	"strconv"
	"strings"
)

// flaw names what is wrong with the body of a createPet.
type flaw string

const (
	bodyAbsent    flaw = "a body is needed"
	bodyMalformed flaw = "the body is not JSON"
	bodyTrailing  flaw = "text follows the JSON value"
	bodyNoObject  flaw = "the body must be an object"

	nameMissing flaw = "name is missing"
	nameNull    flaw = "name must not be null"
	nameNumber  flaw = "name must be a string, not a number"
	nameBoolean flaw = "name must be a string, not a boolean"
	nameArray   flaw = "name must be a string, not an array"
	nameObject  flaw = "name must be a string, not an object"

	categoryMissing  flaw = "categoryId is missing"
	categoryNull     flaw = "categoryId must not be null"
	categoryText     flaw = "categoryId must be an integer, not a string"
	categoryBoolean  flaw = "categoryId must be an integer, not a boolean"
	categoryArray    flaw = "categoryId must be an integer, not an array"
	categoryObject   flaw = "categoryId must be an integer, not an object"
	categoryFraction flaw = "categoryId must be an integer, not a fraction"
	categoryRange    flaw = "categoryId must fit in 64 bits"
	categoryNotation flaw = "categoryId must be written in digits only" // 1.0, 1e2

	statusNull    flaw = "status must not be null"
	statusNoText  flaw = "status must be a string"
	statusEmpty   flaw = "status must not be empty"
	statusCase    flaw = "status must be written in lower case"
	statusUnknown flaw = "status must be available, pending or sold"
)

func isStatus(text string) bool {
	return text == "available" || text == "pending" || text == "sold"
}

// draftOf reads the body of a createPet.
func (s *service) draftOf(c *call) (draft, *refusal) {
	var d draft
	fields, f := readObject(c.body)
	if f != "" {
		if s.forgive(c, f, string(c.body), &d) {
			return d, nil
		}
		return d, s.blame(c, f)
	}
	d.given = fields
	for _, read := range []struct {
		field string
		into  func(text string, d *draft) flaw
	}{
		{"name", readName},
		{"categoryId", readCategory},
		{"status", readPetStatus},
	} {
		text := s.pick(fields, read.field)
		if f := read.into(text, &d); f != "" && !s.forgive(c, f, text, &d) {
			return d, s.blame(c, f)
		}
	}
	return d, nil
}

func readName(text string, d *draft) flaw {
	switch jsonType(text) {
	case 0:
		return nameMissing
	case 'n':
		return nameNull
	case '0':
		return nameNumber
	case 't':
		return nameBoolean
	case '[':
		return nameArray
	case '{':
		return nameObject
	}
	d.name, _ = unquote(text)
	return ""
}

func readCategory(text string, d *draft) flaw {
	switch jsonType(text) {
	case 0:
		return categoryMissing
	case 'n':
		return categoryNull
	case '"':
		return categoryText
	case 't':
		return categoryBoolean
	case '[':
		return categoryArray
	case '{':
		return categoryObject
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		d.category = n
		return ""
	}
	if !strings.ContainsAny(text, ".eE") {
		return categoryRange
	}
	exact, ok := exactly(text)
	switch {
	case !ok:
		return categoryRange
	case !exact.IsInt():
		return categoryFraction
	case !exact.Num().IsInt64():
		return categoryRange
	}
	return categoryNotation
}

// exactly reads a JSON number of reasonable size without rounding it.
func exactly(text string) (*big.Rat, bool) {
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); ok {
		if n, err := strconv.Atoi(exponent); err != nil || n > 400 || n < -400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

func readPetStatus(text string, d *draft) flaw {
	switch jsonType(text) {
	case 0:
		return ""
	case 'n':
		return statusNull
	case '"':
		value, _ := unquote(text)
		switch {
		case isStatus(value):
			d.status = value
			return ""
		case value == "":
			return statusEmpty
		case isStatus(strings.ToLower(value)):
			return statusCase
		}
		return statusUnknown
	}
	return statusNoText
}

// jsonType returns a JSON value's type as a character: '"', '[', '{', 'n' for
// null, 't' for a boolean, '0' for a number, and 0 when there is no value.
func jsonType(text string) byte {
	if text == "" {
		return 0
	}
	switch text[0] {
	case '"', '[', '{', 'n':
		return text[0]
	case 't', 'f':
		return 't'
	}
	return '0'
}
