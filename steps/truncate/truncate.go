package truncate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"hallmark/spec/exactjson"
)

const (
	// maxText is how long a text of a response may be, in bytes, to be kept as it is. What stands for one is shorter.
	maxText = 512
	// maxNumber is the same for a number, in digits.
	maxNumber = 400
	// maxItems is how many items are kept of a list that takes more.
	maxItems = 1000
)

// Text returns text, or what stands for one that is long: its ends, its length and its digest. What stands for two texts is
// equal when the texts are.
func Text(text string) string {
	if len(text) <= maxText {
		return text
	}
	const ends = 160 // more than anybody is shown
	head := strings.ToValidUTF8(text[:ends], "")
	tail := strings.ToValidUTF8(text[len(text)-ends:], "")
	return head + before + strconv.Itoa(utf8.RuneCountInString(text)) + between + fmt.Sprintf("%x", sha256.Sum256([]byte(text))) + behind + tail
}

// The parts of the middle of what stands for a long text, around its length in characters and its digest.
const before, between, behind = " … (", " characters, sha256 ", ") … "

// Characters returns how many characters a text has, or had before Text made it shorter.
func Characters(text string) int {
	_, n := parts(text)
	return n
}

// parts returns the beginning of a text that Text made shorter, or all of another one, and how many characters it has, or had.
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

// Begins reports whether one text is the beginning of another, as far as that can be told of those that Text made shorter.
func Begins(text, with string) bool {
	if strings.HasPrefix(text, with) {
		return true
	}
	whole, n := parts(text)
	head, m := parts(with)
	if whole == text {
		return false // with is longer, or another one
	}
	shorter := min(len(whole), len(head))
	return m < n && whole[:shorter] == head[:shorter]
}

// Number returns n, or what stands for one that is long. An integer stays the same one, and what is none stays none.
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

// Value makes the texts and numbers of a decoded value short, in place, and returns it.
func Value(tree any) any {
	if short, cut := shortened(tree); cut {
		return short
	}
	return tree
}

// shortened returns a text or a number that is too long as a short one, and whether it did. What is in others it makes short in place.
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

// Size returns about how much memory a decoded value takes, in bytes. Once that is more than most, the rest is not counted.
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
		n += 48 + 33*max(8, len(v)) // maps of Go have room for 8 at least
		for name, member := range v {
			if n += len(name) + Size(member, most-n); n > most {
				break
			}
		}
	}
	return n
}

// Prune returns a decoded value with only the documented fields, and of each list only its first items.
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
