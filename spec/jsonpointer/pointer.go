package jsonpointer

import (
	"strconv"
	"strings"
)

// escapeToken and unescapeToken are the two directions of RFC 6901, section 3.
var (
	escapeToken   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")
)

// Join appends reference tokens to a JSON Pointer.
func Join(pointer string, tokens ...string) string {
	var b strings.Builder
	size := len(pointer)
	for _, t := range tokens {
		size += 1 + len(t)
	}
	b.Grow(size)
	b.WriteString(pointer)
	for _, t := range tokens {
		b.WriteByte('/')
		if !strings.ContainsAny(t, "~/") {
			b.WriteString(t)
			continue
		}
		_, _ = escapeToken.WriteString(&b, t)
	}
	return b.String()
}

// Index appends an array index to a JSON Pointer.
func Index(pointer string, i int) string {
	return pointer + "/" + strconv.Itoa(i)
}

// Tokens splits a JSON Pointer into its unescaped reference tokens; none for the empty pointer.
func Tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	if strings.Contains(pointer, "~") {
		for i, p := range parts {
			parts[i] = unescapeToken.Replace(p)
		}
	}
	return parts
}

// Within reports whether pointer is prefix itself or lies below it; prefixes end at the borders of tokens, so that
// /components/schemas/Pets does not lie within /components/schemas/Pet.
func Within(pointer, prefix string) bool {
	return strings.HasPrefix(pointer, prefix) && (len(pointer) == len(prefix) || pointer[len(prefix)] == '/')
}
