package exactjson

import (
	"encoding/json"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// Value is a decoded JSON value of a response: the whole body or a part of it.
type Value struct {
	// Tree consists of map[string]any, []any, json.Number (the digits as sent), string, bool and nil. It is nil both for null and without a
	// value; Valid tells them apart. It must not be modified.
	Tree any
	// Valid reports whether the body is one JSON text.
	Valid bool
	// Err is why a response that arrived cannot be judged: a truncated body, a limit or a bug of hallmark. It is not a defect of the
	// service, so it must become an error of the run, not a finding.
	Err error
}

// At returns the value at a JSON Pointer (RFC 6901), and false if there is none.
func (v Value) At(pointer string) (Value, bool) {
	if !v.Valid {
		return Value{}, false
	}
	tree, ok := Lookup(v.Tree, jsonpointer.Tokens(pointer))
	if !ok {
		return Value{}, false
	}
	return Value{Tree: tree, Valid: true}, true
}

// Lookup returns the value at a path of unescaped tokens.
func Lookup(tree any, path []string) (any, bool) {
	for _, token := range path {
		switch t := tree.(type) {
		case map[string]any:
			v, ok := t[token]
			if !ok {
				return nil, false
			}
			tree = v
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(t) || token != strconv.Itoa(i) {
				return nil, false
			}
			tree = t[i]
		default:
			return nil, false
		}
	}
	return tree, true
}

// Object returns the members of an object.
func (v Value) Object() (map[string]any, bool) {
	m, ok := v.Tree.(map[string]any)
	return m, ok
}

// Array returns the items of an array.
func (v Value) Array() ([]any, bool) {
	items, ok := v.Tree.([]any)
	return items, ok
}

// Int returns an integer in canonical form (see CanonicalInt).
func (v Value) Int() (string, bool) {
	n, ok := v.Tree.(json.Number)
	if !ok {
		return "", false
	}
	return CanonicalInt(n)
}

// Equal reports whether two decoded values are equal. Numbers are compared exactly: 1.0 equals 1.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if w, ok := b[name]; !ok || !Equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !Equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || parseDecimal(string(a)) == parseDecimal(string(b)))
	default:
		return a == b
	}
}

// Equal reports whether two values are equal, or neither is valid. See the function [Equal].
func (v Value) Equal(w Value) bool {
	return v.Valid == w.Valid && Equal(v.Tree, w.Tree)
}

// String returns a short description that is safe to print ("the string \"41\"").
func (v Value) String() string {
	if !v.Valid {
		return "nothing"
	}
	return Describe(v.Tree)
}
