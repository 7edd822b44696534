package petstore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// decodeNewPet decodes a request body member by member, because general decoders accept what the interface does not allow (text after the
// value, null, other spellings of a name, numbers through a float). The syntax is that of jsontext, which rejects repeated names and text
// that is not Unicode.
//
// Every error is meant for the client.
func decodeNewPet(body []byte) (NewPet, error) {
	d := jsontext.NewDecoder(bytes.NewReader(body))
	switch kind := d.PeekKind(); {
	case kind == jsontext.KindBeginObject:
	case kind != jsontext.KindInvalid:
		return NewPet{}, fmt.Errorf("the body must be a JSON object, not %s", nameOf(kind))
	case len(bytes.TrimSpace(body)) == 0:
		return NewPet{}, errors.New("the body is empty; it must be a JSON object")
	}
	if _, err := d.ReadToken(); err != nil {
		return NewPet{}, syntaxError(err)
	}

	var pet NewPet
	var hasName, hasCategory bool
	// Report a wrong value only after reading the whole text: whether the body is JSON at all comes first.
	var wrong error
	for d.PeekKind() != jsontext.KindEndObject {
		member, err := d.ReadToken()
		if err != nil {
			return NewPet{}, syntaxError(err)
		}
		name := member.String()
		value, err := d.ReadValue()
		if err != nil {
			return NewPet{}, syntaxError(err)
		}
		var problem error
		switch name {
		case "name":
			hasName = true
			pet.Name, problem = decodeName(value)
		case "categoryId":
			hasCategory = true
			pet.CategoryID, problem = decodeCategory(value)
		case "status":
			pet.Status, problem = decodeStatus(value)
		}
		if wrong == nil {
			wrong = problem
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return NewPet{}, syntaxError(err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return NewPet{}, errors.New("the body must hold one JSON object and nothing after it")
	}

	switch {
	case wrong != nil:
		return NewPet{}, wrong
	case !hasName && !hasCategory:
		return NewPet{}, errors.New("the name and the categoryId are missing")
	case !hasName:
		return NewPet{}, errors.New("the name is missing")
	case !hasCategory:
		return NewPet{}, errors.New("the categoryId is missing")
	}
	return pet, nil
}

func decodeName(value jsontext.Value) (string, error) {
	name, err := decodeString("name", value)
	if err == nil && len(name) > MaxName {
		return "", fmt.Errorf("the name has %d bytes; at most %d are accepted", len(name), MaxName)
	}
	return name, err
}

func decodeStatus(value jsontext.Value) (Status, error) {
	text, err := decodeString("status", value)
	if err != nil {
		return "", err
	}
	if !Status(text).Valid() {
		return "", errors.New(`the status must be "available", "pending" or "sold", or left out`)
	}
	return Status(text), nil
}

func decodeString(member string, value jsontext.Value) (string, error) {
	if value.Kind() != jsontext.KindString {
		return "", fmt.Errorf("the %s must be a string, not %s", member, nameOf(value.Kind()))
	}
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return "", syntaxError(err)
	}
	return string(text), nil
}

func decodeCategory(value jsontext.Value) (int64, error) {
	if value.Kind() != jsontext.KindNumber {
		return 0, fmt.Errorf("the categoryId must be an integer, not %s", nameOf(value.Kind()))
	}
	id, err := strconv.ParseInt(string(value), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errors.New("the categoryId must fit into 64 bits: from -9223372036854775808 to 9223372036854775807")
	case err != nil:
		return 0, errors.New("the categoryId must be an integer, written without fraction and exponent")
	}
	return id, nil
}

// syntaxError describes what is wrong with the text, and where.
func syntaxError(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the body is not valid JSON: it ends too early")
	case errors.Is(err, jsontext.ErrDuplicateName):
		return errors.New("the body holds an object that has two members with the same name")
	case errors.As(err, &syntax) && syntax.Err != nil:
		return fmt.Errorf("the body is not valid JSON: %w, near byte %d", syntax.Err, syntax.ByteOffset)
	default:
		return fmt.Errorf("the body is not valid JSON: %w", err)
	}
}

func nameOf(kind jsontext.Kind) string {
	switch kind {
	case jsontext.KindNull:
		return "null"
	case jsontext.KindFalse, jsontext.KindTrue:
		return "a boolean"
	case jsontext.KindString:
		return "a string"
	case jsontext.KindNumber:
		return "a number"
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "an array"
	default:
		return "something else"
	}
}
