package spec

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
)

// maxQuoted is how many characters of a text findings show.
const maxQuoted = 60

// shortQuote shows a text safely: in quotes, with everything that does not print escaped, and cut when it is long.
func shortQuote(s string) string {
	n := 0
	for i := range s {
		if n == maxQuoted {
			return strconv.Quote(s[:i]) + "…"
		}
		n++
	}
	return strconv.Quote(s)
}

// shorten cuts a plain text when it is long.
func shorten(s string) string {
	if len(s) > 2*maxQuoted {
		return s[:maxQuoted] + "…" + s[len(s)-maxQuoted/2:]
	}
	return s
}

// maxSentence is how long an error about a file may get; what it quotes comes from the file.
const maxSentence = 400

// tidy makes one line of a text that quotes a file: nothing in it breaks lines or moves the cursor.
func tidy(s string) string {
	s = strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxSentence {
		s = strings.ToValidUTF8(s[:maxSentence], "") + "…"
	}
	return s
}

// describe shows a decoded value in a short phrase.
func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return "the string " + shortQuote(v)
	case json.Number:
		return "the number " + shorten(string(v))
	case []any:
		if len(v) == 0 {
			return "an empty array"
		}
		return "an array of " + plural(int64(len(v)), "item")
	case map[string]any:
		if len(v) == 0 {
			return "an empty object"
		}
		return "an object of " + plural(int64(len(v)), "field")
	}
	return "an unknown value"
}

// kindOf is the JSON type of a decoded value.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// expects says in a phrase what a schema asks of a value.
func (s *Schema) expects() string {
	switch {
	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i] = e
			var text string
			if json.Unmarshal([]byte(e), &text) == nil && text != "" {
				words[i] = text
			}
		}
		if len(words) == 1 {
			return words[0]
		}
		return "one of " + list(words, "and")
	case s.Format == "int32" || s.Format == "int64":
		return "an " + s.Format
	case s.Type != "":
		return article(s.Type)
	}
	return "any value"
}

// article puts "a" or "an" before a word.
func article(word string) string {
	if word != "" && strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// plural counts things: "1 item", "3 items".
func plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.FormatInt(n, 10) + " " + thing + "s"
}

// list joins words as a sentence does: "available, pending and sold".
func list(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}

// where says in words which answer is meant, and the place in its body: "GET /pets?limit=3 → 200, /3/id".
func (x *examination) where(pointer string) string {
	where := x.exchange.Request.Method + " " + x.address() + " → " + strconv.Itoa(x.exchange.Response.Status)
	if pointer != "" {
		where += ", " + shorten(pointer)
	}
	return where
}

// address is the request's address without the base: as many segments as the operation's path has, and the query.
func (x *examination) address() string {
	u, err := url.Parse(x.exchange.Request.URL)
	if err != nil {
		return x.operation.Path
	}
	path := u.EscapedPath()
	segments := strings.Split(path, "/")
	if n := strings.Count(x.operation.Path, "/"); len(segments) > n {
		path = "/" + strings.Join(segments[len(segments)-n:], "/")
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return strings.Trim(strconv.Quote(shorten(path)), `"`)
}
