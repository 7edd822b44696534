package mutate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
)

// Freedom is an unusual behaviour that any service may have: it changes nothing that a contract describes.
type Freedom struct {
	Name, Says string
	// Middleware makes a service answer that way.
	Middleware Middleware
}

// Freedoms returns the freedoms, in their order.
func Freedoms() []Freedom {
	after := func(f func(x *Exchange)) Middleware {
		return func(x *Exchange, next func()) {
			next()
			x.freely(f)
		}
	}
	body := func(f func(tree any) any) Middleware { return after(func(x *Exchange) { x.Edit(f) }) }
	return []Freedom{
		{"extra-members", "Objects have a member that the contract does not name, where it does not rule that out.", body(func(tree any) any { return withExtra(tree, "x-hallmark-free", true) })},
		{"extra-members-deep", "Objects have a member that holds an object, where the contract does not rule that out.", body(func(tree any) any {
			return withExtra(tree, "_meta", map[string]any{"links": []any{}, "generated": nil})
		})},
		{"indented", "JSON is written with line breaks and blanks.", after(func(x *Exchange) {
			var b bytes.Buffer
			if isJSON(x) && json.Indent(&b, x.Answer, "", "    ") == nil {
				x.Answer = append(b.Bytes(), '\n')
			}
		})},
		{"escaped", "JSON is written with every character outside ASCII escaped.", after(func(x *Exchange) {
			if isJSON(x) {
				x.Answer = escaped(x.Answer)
			}
		})},
		{"sorted-members", "The members of objects are sorted.", body(func(tree any) any { return tree })},
		{"backwards-members", "The members of objects are in the reverse order of their names.", after(func(x *Exchange) {
			if tree, ok := ReadJSON(x.Answer); ok && isJSON(x) {
				x.Answer = backwards(tree)
			}
		})},
		{"charset", "The Content-Type of JSON names a character set.", after(func(x *Exchange) {
			if media := x.Header.Get("Content-Type"); isJSON(x) && !strings.Contains(media, ";") {
				x.Header.Set("Content-Type", media+"; charset=utf-8")
			}
		})},
		{"media-type-case", "The Content-Type is written in capitals.", after(func(x *Exchange) {
			if media := x.Header.Get("Content-Type"); media != "" && !strings.Contains(media, ";") {
				x.Header.Set("Content-Type", strings.ToUpper(media))
			}
		})},
		{"more-headers", "Responses have headers that the contract does not name.", after(func(x *Exchange) {
			x.Header.Set("X-Served-By", "cache-fra-19")
			x.Header.Set("Strict-Transport-Security", "max-age=31536000")
			x.Header.Add("Vary", "Accept-Encoding")
		})},
		{"no-store", "Responses may not be stored.", after(func(x *Exchange) { x.Header.Set("Cache-Control", "no-store, max-age=0") })},
		{"slow", "Each response takes some milliseconds longer.", func(x *Exchange, next func()) {
			next()
			pause(x, 15*time.Millisecond)
			x.Applied = true
		}},
		{"now-and-then-slow", "One response in ten takes longer.", func(x *Exchange, next func()) {
			if next(); x.Nth%10 == 0 {
				pause(x, 60*time.Millisecond)
				x.Applied = true
			}
		}},
		{"back-pressure", "One request in forty is told to come again later.", func(x *Exchange, next func()) {
			if x.Nth%40 != 0 {
				next()
				return
			}
			x.reply(Response{Status: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"0"}}})
			x.Applied = true
		}},
	}
}

// freely lets f change the response, unless that breaks something.
func (x *Exchange) freely(f func(x *Exchange)) {
	was := x.Response()
	f(x)
	switch breaks := x.handler.Breaks; {
	case breaks != nil && breaks(x, was):
		x.reply(was)
	default:
		x.Applied = x.Applied || !x.Response().equalTo(was)
	}
}

// pause waits, or until the client is gone.
func pause(x *Exchange, d time.Duration) {
	select {
	case <-time.After(d):
	case <-x.Request.Context().Done():
	}
}

// isJSON reports whether the response is JSON according to its media type.
func isJSON(x *Exchange) bool {
	media, _, _ := strings.Cut(strings.ToLower(x.Header.Get("Content-Type")), ";")
	media = strings.TrimSpace(media)
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

// withExtra adds a member to each object.
func withExtra(tree any, name string, value any) any {
	switch t := tree.(type) {
	case []any:
		for i := range t {
			t[i] = withExtra(t[i], name, value)
		}
	case map[string]any:
		for member, inner := range t {
			t[member] = withExtra(inner, name, value)
		}
		t[name] = value
	}
	return tree
}

// escaped writes a JSON text with characters beyond ASCII as escapes.
func escaped(text []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(text) {
		switch high, low := utf16.EncodeRune(r); {
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

// backwards writes a tree with the members of objects in the reverse order of their names.
func backwards(tree any) []byte {
	var b bytes.Buffer
	switch t := tree.(type) {
	case []any:
		b.WriteByte('[')
		for i, item := range t {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(backwards(item))
		}
		b.WriteByte(']')
	case map[string]any:
		var names []string
		for name := range t {
			names = append(names, name)
		}
		slices.SortFunc(names, func(x, y string) int { return strings.Compare(y, x) })
		b.WriteByte('{')
		for i, name := range names {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(WriteJSON(name))
			b.WriteByte(':')
			b.Write(backwards(t[name]))
		}
		b.WriteByte('}')
	default:
		b.Write(WriteJSON(tree))
	}
	return b.Bytes()
}
