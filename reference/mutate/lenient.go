package mutate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math/big"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Wrong is a way in which a request is wrong.
type Wrong string

// The ways. Values are wrong by their place in a JSON body, or by a parameter.
const (
	WrongMissing   Wrong = "missing"
	WrongNull      Wrong = "null"
	WrongType      Wrong = "type"
	WrongEnum      Wrong = "enum"
	WrongLow       Wrong = "low"
	WrongHigh      Wrong = "high"
	WrongShort     Wrong = "short"
	WrongLong      Wrong = "long"
	WrongFew       Wrong = "few"
	WrongMany      Wrong = "many"
	WrongFraction  Wrong = "fraction"
	WrongText      Wrong = "text"
	WrongUnknown   Wrong = "unknown"
	WrongBody      Wrong = "body"
	WrongNoBody    Wrong = "no-body"
	WrongMalformed Wrong = "malformed"
	WrongMedia     Wrong = "media"
	WrongParameter Wrong = "parameter"
	WrongLeftOut   Wrong = "left-out"
	// WrongPartHeader: the part In of a multipart body has no header Name, or a wrong one.
	WrongPartHeader Wrong = "part-header"
	// WrongOrder: the members At, the first of which lies above the second, are the other way round.
	WrongOrder Wrong = "order"
)

// leniency is a mutation that makes a service accept too much, or too little.
type leniency struct{ Mutation }

// lenient accepts what a service refuses because it is wrong in one way: it sends the same request without that.
// If the service accepts it then, that was the reason.
func (m leniency) lenient() Middleware {
	return func(x *Exchange, next func()) {
		next()
		if !m.matches(x) || !refuses(x.Status) {
			return
		}
		r, body, mended := m.repaired(x)
		if !mended {
			return
		}
		if a := x.send(r, body); a.Status/100 == 2 {
			x.reply(a)
			x.Applied = true
		}
	}
}

// refuses reports whether a status refuses a request because of its content.
func refuses(status int) bool {
	return status/100 == 4 && !slices.Contains([]int{
		http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusConflict,
		http.StatusGone, http.StatusPreconditionFailed, http.StatusTooManyRequests,
	}, status)
}

// repaired returns the request without what is wrong with it.
func (m leniency) repaired(x *Exchange) (r *http.Request, body []byte, changed bool) {
	r, body = x.Request.Clone(x.Request.Context()), x.Body
	switch m.Wrong {
	case WrongParameter, WrongLeftOut:
		return r, body, m.mendParameter(r)
	case WrongPartHeader:
		body, changed = m.mendPart(x.Body, r.Header.Get("Content-Type"))
		return r, body, changed
	case WrongMedia:
		if r.Header.Get("Content-Type") == m.Media {
			return r, body, false
		}
		r.Header.Set("Content-Type", m.Media)
		return r, body, true
	case WrongNoBody:
		r.Header.Set("Content-Type", m.Media)
		return r, replaceNumbered([]byte(m.Value), x.Nth), len(bytes.TrimSpace(x.Body)) == 0
	default:
	}
	tree, ok := ReadJSON(x.Body)
	if m.Wrong == WrongMalformed {
		r.Header.Set("Content-Type", m.Media)
		return r, replaceNumbered([]byte(m.Value), x.Nth), !ok && len(bytes.TrimSpace(x.Body)) > 0
	}
	if !ok {
		return r, body, false
	}
	if m.Wrong == WrongOrder {
		object, _ := tree.(map[string]any)
		high, low := m.At[0], m.At[1]
		if !liesBelow(object[high], object[low]) {
			return r, body, false
		}
		object[high], object[low] = object[low], object[high]
		return r, WriteJSON(tree), true
	}
	good, _ := ReadJSON([]byte(m.Value))
	tree = editAt(tree, m.At, func(value any, there bool) (any, bool) {
		if m.Wrong == WrongUnknown {
			object, is := value.(map[string]any)
			for name := range object {
				if is && !slices.Contains(m.Allowed, name) {
					delete(object, name)
					changed = true
				}
			}
			return value, there
		}
		if !m.wrong(value, there) {
			return value, there
		}
		changed = true
		better, found := m.nearestGood(value, good)
		return better, found || m.Value != ""
	})
	return r, replaceNumbered(WriteJSON(tree), x.Nth), changed
}

// liesBelow reports whether a number lies below another one, or a day or moment, whose texts are in the order of time.
func liesBelow(a, b any) bool {
	m, isNumber := a.(json.Number)
	n, also := b.(json.Number)
	if isNumber && also {
		x, ok := exactNumber(m)
		y, fine := exactNumber(n)
		return ok && fine && x.Cmp(y) < 0
	}
	s, isText := a.(string)
	t, too := b.(string)
	return isText && too && s < t
}

// nearestGood returns the good value nearest to a wrong one; false if the value is good already.
func (m leniency) nearestGood(v, good any) (any, bool) {
	text, isText := v.(string)
	most, err := strconv.Atoi(m.High)
	items, isList := v.([]any)
	switch {
	case m.Wrong == WrongHigh && m.High != "" && !strings.Contains(m.High, "/"):
		return json.Number(m.High), true
	case m.Wrong == WrongLow && m.Low != "" && !strings.Contains(m.Low, "/"):
		return json.Number(m.Low), true
	case m.Wrong == WrongLong && isText && err == nil:
		return shortened(text, most), true
	case m.Wrong == WrongMany && isList && err == nil && most >= 0 && len(items) > most:
		return items[:most], true
	}
	return good, false
}

// Numbered in a value is replaced by a different number in each request, for names that must be new.
const Numbered = "{n}"

// replaceNumbered replaces [Numbered] by the number of a request.
func replaceNumbered(body []byte, n int64) []byte {
	return bytes.ReplaceAll(body, []byte(Numbered), []byte(strconv.FormatInt(n, 10)))
}

// wrong reports whether a value is wrong in the way that the mutation is about.
func (m leniency) wrong(v any, there bool) bool {
	if m.Wrong == WrongMissing || !there {
		return m.Wrong == WrongMissing && !there
	}
	n, isNumber := v.(json.Number)
	text, isText := v.(string)
	items, isList := v.([]any)
	typed := typeOf(v) == m.Type || isNumber && m.Type == "integer" || m.Type == ""
	switch m.Wrong {
	case WrongNull:
		return v == nil
	case WrongType, WrongBody:
		return v != nil && !typed
	case WrongEnum:
		return v != nil && typed && !slices.Contains(m.Allowed, string(WriteJSON(v)))
	case WrongLow, WrongHigh:
		r, ok := exactNumber(n)
		return isNumber && ok && (m.Wrong == WrongLow && beyondBound(r, m.Low, -1) || m.Wrong == WrongHigh && beyondBound(r, m.High, 1))
	case WrongFraction:
		r, ok := exactNumber(n)
		return isNumber && ok && !r.IsInt()
	case WrongShort, WrongLong:
		return isText && m.outside(utf8.RuneCountInString(text), m.Wrong == WrongShort)
	case WrongFew, WrongMany:
		return isList && m.outside(len(items), m.Wrong == WrongFew)
	case WrongText:
		return isText && !m.outside(utf8.RuneCountInString(text), true) && !m.outside(utf8.RuneCountInString(text), false)
	default:
		return false
	}
}

// outside reports whether a count is below, or above, its bound.
func (m leniency) outside(n int, below bool) bool {
	r := new(big.Rat).SetInt64(int64(n))
	if below {
		return beyondBound(r, m.Low, -1)
	}
	return beyondBound(r, m.High, 1)
}

// mendParameter removes a parameter from a request, or gives it a good value if it is required.
func (m leniency) mendParameter(r *http.Request) (changed bool) {
	name := m.Name
	if m.In == "header" {
		was := r.Header.Get(name)
		if (m.Wrong == WrongLeftOut) != (was == "") || was == m.Value {
			return false
		}
		if r.Header.Del(name); m.Value != "" {
			r.Header.Set(name, textOf(m.Value))
		}
		return true
	}
	var kept []string
	found := false
	for part := range strings.SplitSeq(r.URL.RawQuery, "&") {
		key, _, _ := strings.Cut(part, "=")
		key, _ = url.QueryUnescape(key)
		if key == name || strings.HasPrefix(key, name+"[") {
			found = true
			continue
		}
		if part != "" {
			kept = append(kept, part)
		}
	}
	if found == (m.Wrong == WrongLeftOut) {
		return false
	}
	if m.Value != "" {
		kept = append(kept, textOf(m.Value))
	}
	u := *r.URL
	u.RawQuery = strings.Join(kept, "&")
	changed = u.RawQuery != r.URL.RawQuery
	r.URL = &u
	return changed
}

// mendPart returns a multipart body in which the part In has the header Name with the good value.
func (m leniency) mendPart(body []byte, contentType string) (mended []byte, changed bool) {
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || parameters["boundary"] == "" {
		return body, false
	}
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	if w.SetBoundary(parameters["boundary"]) != nil {
		return body, false
	}
	for r := multipart.NewReader(bytes.NewReader(body), parameters["boundary"]); ; {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return body, false
		}
		header := textproto.MIMEHeader(maps.Clone(http.Header(part.Header)))
		if part.FormName() == m.In {
			changed = changed || header.Get(m.Name) != textOf(m.Value)
			header.Set(m.Name, textOf(m.Value))
		}
		to, err := w.CreatePart(header)
		if err != nil {
			return body, false
		}
		if _, err := io.Copy(to, part); err != nil {
			return body, false
		}
	}
	if w.Close() != nil {
		return body, false
	}
	return out.Bytes(), changed
}

// textOf returns the text that a JSON text holds.
func textOf(value string) string {
	v, _ := ReadJSON([]byte(value))
	text, _ := v.(string)
	return text
}

// strict rejects requests with an allowed value: of the parameter Name, or of the member At of the body, or without that member if there is
// no Value. Requests that the service itself rejects are not affected.
func (m leniency) strict() Middleware {
	return func(x *Exchange, next func()) {
		if m.Refusal == nil || !m.matches(x) || x.handler.Keeps != nil && !x.handler.Keeps(x) || !m.holds(x) {
			next()
			return
		}
		m.Refusal.reply(x)
		x.Applied = true
	}
}

// holds reports whether a request has the value that is refused.
func (m leniency) holds(x *Exchange) bool {
	if len(m.At) == 0 {
		return x.Query().Has(m.Name) && x.Query().Get(m.Name) == textOf(m.Value)
	}
	sent := x.Sent()
	v, there := firstAt(any(sent), m.At)
	if m.Value == "" {
		return sent != nil && !there
	}
	return there && string(WriteJSON(v)) == m.Value
}
