package truncate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

const (
	// maxText is the maximum length, in bytes, of a text that is kept unchanged. Its replacement is shorter.
	maxText = 512
	// maxNumber is the same for numbers, in digits.
	maxNumber = 400
	// maxItems is the number of items kept of a longer list.
	maxItems = 1000
)

// Text returns text, or a replacement for a long one: its ends, its length and its digest. Equal texts have equal replacements, and
// different ones have different replacements.
func Text(text string) string {
	if len(text) <= maxText {
		return text
	}
	const ends = 160 // more than is ever displayed
	head := strings.ToValidUTF8(text[:ends], "")
	tail := strings.ToValidUTF8(text[len(text)-ends:], "")
	return head + before + strconv.Itoa(utf8.RuneCountInString(text)) + between + fmt.Sprintf("%x", sha256.Sum256([]byte(text))) + behind + tail
}

// The parts of the replacement's middle, around its length in characters and its digest.
const before, between, behind = " … (", " characters, sha256 ", ") … "

// Characters returns the number of characters of a text, or of the text that Text replaced.
func Characters(text string) int {
	_, n := parts(text)
	return n
}

// parts returns the beginning of a text that Text replaced, or all of any other, and its original number of characters.
func parts(text string) (head string, characters int) {
	for rest := text; ; {
		_, tail, found := strings.Cut(rest, before)
		if !found {
			return text, utf8.RuneCountInString(text)
		}
		count, digest, isMark := strings.Cut(tail, between)
		if n, err := strconv.Atoi(count); isMark && err == nil && strings.Index(digest, behind) == hex.EncodedLen(sha256.Size) {
			return text[:len(text)-len(tail)-len(before)], n
		}
		rest = tail
	}
}

// Begins reports whether one text is a prefix of another, as far as replacements allow it to be known.
func Begins(text, with string) bool {
	if strings.HasPrefix(text, with) {
		return true
	}
	whole, n := parts(text)
	head, m := parts(with)
	if whole == text {
		return false // with is longer, or different
	}
	shorter := min(len(whole), len(head))
	return m < n && whole[:shorter] == head[:shorter]
}

// Number returns n, or a replacement for a long one. An integer stays equal to itself, and other numbers do not become integers.
func Number(n json.Number) json.Number {
	text := string(n)
	if len(text) <= maxNumber {
		return n
	}
	if whole, ok := exactjson.CanonicalInt(n); ok {
		return json.Number(whole)
	}
	cut := text[:maxNumber/2]
	switch {
	case !strings.ContainsAny(cut, ".eE"):
		return json.Number(cut + ".5")
	case !strings.ContainsAny(cut, "eE"):
		return json.Number(cut + "1")
	}
	return "0.5"
}

// Value shortens the texts and numbers of a decoded value in place and returns it.
func Value(tree any) any {
	if short, cut := shortened(tree); cut {
		return short
	}
	return tree
}

// shortened returns a shortened text or number, and whether it is one. Values within others are shortened in place.
func shortened(value any) (short any, cut bool) {
	switch v := value.(type) {
	case string:
		if len(v) > maxText {
			return Text(v), true
		}
	case json.Number:
		if len(v) > maxNumber {
			return Number(v), true
		}
	case []any:
		for i, item := range v {
			if short, cut := shortened(item); cut {
				v[i] = short
			}
		}
	case map[string]any:
		for name, member := range v {
			if short, cut := shortened(member); cut {
				v[name] = short
			}
		}
	}
	return nil, false
}

// Size estimates the memory of a decoded value in bytes. It stops counting beyond most.
func Size(tree any, most int) int {
	const slot = 16 // an interface
	n := slot
	switch v := tree.(type) {
	case string:
		n += slot + len(v)
	case json.Number:
		n += slot + len(v)
	case []any:
		n += 24
		for _, item := range v {
			if n += Size(item, most-n); n > most {
				break
			}
		}
	case map[string]any:
		n += 48 + 33*max(8, len(v)) // Go maps have room for at least 8 entries
		for name, member := range v {
			if n += len(name) + Size(member, most-n); n > most {
				break
			}
		}
	}
	return n
}

// Prune returns a decoded value with only the documented fields, and only the first items of each list.
func Prune(tree any, documented map[string]bool) any {
	switch v := tree.(type) {
	case []any:
		out := make([]any, min(len(v), maxItems))
		for i := range out {
			out[i] = Prune(v[i], documented)
		}
		return out
	case map[string]any:
		out := make(map[string]any, min(len(v), len(documented)))
		for name, member := range v {
			if documented[name] {
				out[name] = Prune(member, documented)
			}
		}
		return out
	}
	return tree
}
