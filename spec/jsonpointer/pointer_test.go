package jsonpointer_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

func TestJoinAndTokensAreInverse(t *testing.T) {
	for pointer, tokens := range map[string][]string{
		"":                       nil,
		"/paths/~1pets/get":      {"paths", "/pets", "get"},
		"/a~1b/~0/0":             {"a/b", "~", "0"},
		"/~01":                   {"~1"},
		"/paths/~1a~1{id}/get/0": {"paths", "/a/{id}", "get", "0"},
		"/":                      {""},
	} {
		if got := jsonpointer.Join("", tokens...); got != pointer {
			t.Errorf("%q joined are %s, want %s", tokens, got, pointer)
		}
		if got := jsonpointer.Tokens(pointer); !slices.Equal(got, tokens) {
			t.Errorf("the tokens of %s are %q, want %q", pointer, got, tokens)
		}
	}
	if got := jsonpointer.Index("/a", 7); got != "/a/7" {
		t.Errorf("the item is at %s", got)
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		pointer, prefix string
		want            bool
	}{
		{"/components/schemas/Pet/type", "/components/schemas/Pet", true},
		{"/components/schemas/Pet", "/components/schemas/Pet", true},
		{"/components/schemas/Pets", "/components/schemas/Pet", false},
		{"/components", "/components/schemas", false},
		{"/components", "", true},
	} {
		if got := jsonpointer.Within(c.pointer, c.prefix); got != c.want {
			t.Errorf("%s within %s: %v", c.pointer, c.prefix, got)
		}
	}
}
