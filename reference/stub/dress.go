package stub

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/gin-gonic/gin"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// dress changes how a response is written, but not its content.
func (t *traits) dress(c *gin.Context, r *reply) {
	if t.slow > 0 {
		wait := time.NewTimer(t.slow)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-c.Request.Context().Done():
		}
	}
	for name, value := range t.headers {
		c.Header(name, value)
	}
	if t.closing {
		c.Header("Connection", "close")
	}
	if !isJSON(bare(r.contentType)) {
		return
	}
	if t.text != compact {
		r.body = t.text.write(r.body)
	}
	if t.shouted {
		r.contentType = strings.ToUpper(r.contentType)
	}
	if t.charset && !strings.Contains(r.contentType, ";") {
		r.contentType += "; charset=utf-8"
	}
}

// send writes a body, in pieces if it is chunked.
func (t *traits) send(w gin.ResponseWriter, body []byte) {
	if !t.chunked {
		_, _ = w.Write(body) // a client that does not read it has gone
		return
	}
	w.WriteHeaderNow()
	for piece := range slices.Chunk(body, max(1, len(body)/3+1)) {
		_, _ = w.Write(piece)
		w.Flush()
	}
}

// write returns a JSON text in a style.
func (s textStyle) write(text []byte) []byte {
	d, err := exactjson.Decode(text)
	if err != nil {
		return text
	}
	switch s {
	case indented:
		var b bytes.Buffer
		if json.Indent(&b, text, "", "\t") != nil {
			return text
		}
		return append(b.Bytes(), '\n')
	case spaced:
		return slices.Concat([]byte("\r\n\t "), text, []byte("  \n"))
	case compact:
		return text
	case reversed, escaped, fractional:
	}
	var b bytes.Buffer
	s.value(&b, d.Tree)
	return b.Bytes()
}

func (s textStyle) value(b *bytes.Buffer, value any) {
	switch v := value.(type) {
	case map[string]any:
		b.WriteByte('{')
		names := slices.Sorted(maps.Keys(v))
		if s == reversed {
			slices.Reverse(names)
		}
		for i, name := range names {
			if i > 0 {
				b.WriteByte(',')
			}
			s.value(b, name)
			b.WriteByte(':')
			s.value(b, v[name])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, one := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			s.value(b, one)
		}
		b.WriteByte(']')
	case json.Number:
		b.WriteString(v.String())
		if s == fractional && !strings.ContainsAny(v.String(), ".eE") {
			b.WriteString(".0")
		}
	case string:
		if s != escaped {
			b.Write(encode(v))
			return
		}
		b.WriteByte('"')
		for _, unit := range utf16.Encode([]rune(v)) {
			if unit < 0x20 || unit > 0x7e || unit == '"' || unit == '\\' || unit == '/' {
				fmt.Fprintf(b, "\\u%04X", unit)
				continue
			}
			b.WriteByte(byte(unit))
		}
		b.WriteByte('"')
	default:
		b.Write(encode(v))
	}
}

// decorate changes an object that a schema allows to look otherwise.
func (a *api) decorate(body any, keeps func(any) bool, nullable func(object map[string]any) []string, optional func(object map[string]any) map[string]any) any {
	object, ok := body.(map[string]any)
	if !ok {
		return body
	}
	out := cloneObject(object)
	if a.traits.whole {
		for name, value := range optional(object) {
			if out[name] = value; !keeps(out) {
				delete(out, name)
			}
		}
	}
	if a.traits.nulls {
		for _, name := range nullable(object) {
			if out[name] = nil; !keeps(out) {
				delete(out, name)
			}
		}
	}
	if a.traits.extra {
		if out["hallmarkExtra"] = map[string]any{"note": "beyond the document"}; !keeps(out) {
			delete(out, "hallmarkExtra")
		}
	}
	return out
}

// hasStatus returns a function that reports whether an answer is documented for exactly a status.
func hasStatus(status int) func(spec.DocumentedResponse) bool {
	return func(a spec.DocumentedResponse) bool { return a.Status == status }
}

// otherSuccess returns a success of an operation with content instead of one without, or the reverse; false for
// none.
func (t *traits) otherSuccess(op *operation, status int) (int, bool) {
	if status != http.StatusOK && status != http.StatusNoContent {
		return status, false
	}
	for _, other := range []int{http.StatusOK, http.StatusNoContent} {
		wanted := t.empty && other == http.StatusNoContent || t.full && other == http.StatusOK
		if wanted && slices.ContainsFunc(op.Responses, hasStatus(other)) {
			return other, true
		}
	}
	return status, false
}

// silent reports whether an operation does not say how faults are refused.
func (op *operation) silent() bool {
	return !refusesFaults(op.Operation) && op.ResponseFor(http.StatusBadRequest) == nil
}

// takes reports whether an operation documents a query parameter, or a secret in the query.
func (op *operation) takes(name string) bool {
	for _, way := range op.Security {
		for _, s := range way {
			if s.In == "query" && s.Key == name {
				return true
			}
		}
	}
	return slices.ContainsFunc(op.params, func(p *param) bool {
		return p.In == "query" && (p.Name == name || strings.HasPrefix(p.Name, name+"[") || p.members[name] != nil)
	})
}
