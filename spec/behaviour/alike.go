package behaviour

import (
	"encoding/json"
	"html"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// Likeness is the relation of a returned value to the one that was sent.
type Likeness int

const (
	// Equal means the same JSON value.
	Equal Likeness = iota
	// Normal means another spelling, as services normalize values: trimmed, in another case, rounded, another form of a time.
	Normal
	// Hidden means no value, or a mask.
	Hidden
	// Another means a value that does not follow from the one that was sent.
	Another
)

// Alike compares a sent value with the returned one. there reports whether any was returned.
func Alike(sent, shown any, there bool) Likeness {
	switch {
	case there && exactjson.Equal(sent, shown):
		return Equal
	case !there || empty(shown) || masked(shown) && !begins(sent, shown):
		return Hidden
	case empty(sent):
		return Normal // a default in place of nothing
	}
	switch s := sent.(type) {
	case json.Number:
		return numbers(s, shown)
	case bool:
		if text, is := shown.(string); is && strings.EqualFold(text, map[bool]string{true: "true", false: "false"}[s]) {
			return Normal
		}
	case string:
		return texts(s, shown)
	case []any:
		return lists(s, shown)
	case map[string]any:
		return objects(s, shown)
	}
	return Another
}

// empty reports whether a value is empty.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// masked reports whether a value is a mask, in whole or in part.
func masked(v any) bool {
	text, is := v.(string)
	if !is {
		return false
	}
	return strings.Contains(text, "***") || strings.Contains(text, "•••") || strings.Contains(text, "xxxx") || strings.Contains(text, "XXXX") ||
		strings.Contains(strings.ToLower(text), "redacted") || strings.Contains(strings.ToLower(text), "hidden")
}

// begins reports whether the sent text is a prefix of the returned one, so that mask characters in it are the text's own.
func begins(sent, shown any) bool {
	whole, text := sent.(string)
	part, also := shown.(string)
	return text && also && strings.HasPrefix(whole, part)
}

func numbers(sent json.Number, shown any) Likeness {
	if text, is := shown.(string); is {
		shown = json.Number(strings.TrimSpace(text))
	}
	n, is := shown.(json.Number)
	if !is || !exactjson.IsNumber(n.String()) {
		return Another
	}
	if exactjson.Equal(sent, n) {
		return Normal
	}
	if _, whole := exactjson.CanonicalInt(sent); whole {
		return Another
	}
	x, y := rational(sent), rational(n)
	if x == nil || y == nil {
		return Normal // of unknown size
	}
	if difference := new(big.Rat).Sub(x, y); difference.Abs(difference).Cmp(big.NewRat(1, 1)) < 0 {
		return Normal // rounded
	}
	return Another
}

// rational returns a number of moderate size exactly, or nil for others.
func rational(n json.Number) *big.Rat {
	if len(n) > 40 || strings.ContainsAny(n.String(), "eE") {
		return nil
	}
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return nil
	}
	return r
}

func texts(sent string, shown any) Likeness {
	if n, is := shown.(json.Number); is {
		if exactjson.IsNumber(strings.TrimSpace(sent)) && exactjson.Equal(json.Number(strings.TrimSpace(sent)), n) {
			return Normal
		}
		return Another
	}
	if b, is := shown.(bool); is && strings.EqualFold(sent, map[bool]string{true: "true", false: "false"}[b]) {
		return Normal
	}
	text, is := shown.(string)
	switch {
	case !is:
		return Another
	case folded(sent) == folded(text), sameTime(sent, text):
		return Normal
	case exactjson.IsNumber(sent) && exactjson.IsNumber(text) && exactjson.Equal(json.Number(sent), json.Number(text)):
		return Normal
	}
	return Another
}

// folded returns a text without what services normalize: case, blanks, invisible characters, Unicode forms, escapes of markup, and
// separators in names.
func folded(text string) string {
	if simple(text) {
		return foldedASCII(text)
	}
	return foldedAny(text)
}

// foldedAny is folded for any text.
func foldedAny(text string) string {
	text = tag.ReplaceAllString(html.UnescapeString(html.UnescapeString(text)), "")
	text = cases.Fold().String(norm.NFKC.String(text))
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs) || r == unicode.ReplacementChar || strings.ContainsRune(`-_./+`, r) {
			return -1
		}
		return r
	}, text)
}

// simple reports whether a text is ASCII without markup.
func simple(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf || text[i] == '<' || text[i] == '&' {
			return false
		}
	}
	return true
}

// foldedASCII is foldedAny for simple texts, the usual case, in one pass.
func foldedASCII(text string) string {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		switch c := text[i]; {
		case c <= ' ', c == 0x7f, c == '-', c == '_', c == '.', c == '/', c == '+':
		case 'A' <= c && c <= 'Z':
			out = append(out, c+'a'-'A')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// tag matches a markup tag, which services remove.
var tag = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)

// sameTime reports whether two texts are times that differ only in form, time zone or fractions of a second.
func sameTime(a, b string) bool {
	x, ok := readTime(a)
	if !ok {
		return false
	}
	y, ok := readTime(b)
	return ok && x.Sub(y).Abs() < time.Second
}

func readTime(text string) (time.Time, bool) {
	if len(text) < len(time.DateOnly) || text[4] != '-' && !strings.Contains(text[:6], ",") {
		return time.Time{}, false // no layout matches
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", time.DateOnly, time.RFC1123, time.RFC1123Z} {
		if t, err := time.Parse(layout, strings.ToUpper(text)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// lists compares lists as sets: services sort them and remove duplicates.
func lists(sent []any, shown any) Likeness {
	all, is := shown.([]any)
	if !is {
		return Another
	}
	found := func(one any, among []any) bool {
		return slices.ContainsFunc(among, func(other any) bool { return Alike(one, other, true) <= Normal })
	}
	for _, one := range sent {
		if !found(one, all) {
			return Another
		}
	}
	return Normal
}

// objects compares the members that were sent; a server may add others.
func objects(sent map[string]any, shown any) Likeness {
	all, is := shown.(map[string]any)
	if !is {
		return Another
	}
	worst := Equal
	for name, value := range sent {
		other, there := all[name]
		worst = max(worst, Alike(value, other, there))
	}
	return max(Normal, worst)
}
