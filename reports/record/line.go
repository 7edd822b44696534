package record

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"hallmark/spec"
)

// lineWriter writes JSON as [encodeLine] does, member by member. Most of a journal are exchanges, and encoding
// them by reflection takes twice as long.
type lineWriter struct{ text []byte }

// lineWriters are writers that are free for the next line; reusing them saves memory.
var lineWriters = sync.Pool{New: func() any { return new(lineWriter) }}

// entry writes the line of an entry, replacing what was written before. If the line is much longer than partBytes,
// long is called now and then with what there is of it so far, and may take it away; writing stops when long
// returns false.
func (w *lineWriter) entry(e entry, long func([]byte) bool) error {
	exchanges := e.Exchanges
	e.Exchanges = nil
	if err := w.start(e); err != nil || len(exchanges) == 0 {
		return err
	}
	w.text = bytes.TrimSuffix(w.text, []byte("}\n"))
	w.name("exchanges")
	w.text = append(w.text, '[')
	for i := range exchanges {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		w.exchange(&exchanges[i])
		if len(w.text) > partBytes && !long(w.text) {
			return nil
		}
	}
	w.text = append(w.text, "]}\n"...)
	return nil
}

// start writes the line of an entry without exchanges. Most lines are creations and scenarios.
func (w *lineWriter) start(e entry) error {
	rest := e
	rest.Creation, rest.Scenario, rest.Exercised = nil, nil, nil
	if !reflect.ValueOf(rest).IsZero() {
		line := bytes.NewBuffer(w.text[:0])
		err := encodeEntry(line, e)
		w.text = line.Bytes()
		return err
	}
	w.text = append(w.text[:0], '{')
	if e.Creation != nil {
		w.name("creation")
		w.creation(e.Creation)
	}
	if e.Scenario != nil {
		w.name("scenario")
		if err := w.scenario(e.Scenario); err != nil {
			return err
		}
	}
	if len(e.Exercised) > 0 {
		w.name("exercised")
		w.text = append(w.text, '{')
		for _, rule := range slices.Sorted(maps.Keys(e.Exercised)) {
			w.member(rule)
			w.text = strconv.AppendInt(w.text, int64(e.Exercised[rule]), 10)
		}
		w.text = append(w.text, '}')
	}
	w.text = append(w.text, "}\n"...)
	return nil
}

// creation writes a request that may create something.
func (w *lineWriter) creation(c *Creation) {
	w.text = append(w.text, '{')
	w.number("n", int64(c.N))
	w.optional("id", c.ID)
	w.required("name", c.Name)
	w.required("scenario", c.Scenario)
	w.time("asked", c.Asked)
	w.required("fate", string(c.Fate))
	w.text = append(w.text, '}')
}

// scenario writes a scenario. Rare members are encoded by [encodeLine].
func (w *lineWriter) scenario(s *Scenario) error {
	w.text = append(w.text, '{')
	w.required("id", s.ID)
	w.required("feature", s.Feature)
	w.optional("sentence", s.Sentence)
	w.required("name", s.Name)
	w.list("tags", s.Tags)
	w.name("rules")
	w.texts(s.Rules)
	w.list("operations", s.Operations)
	w.required("outcome", string(s.Outcome))
	w.optional("reason", s.Reason)
	w.flag("excused", s.Excused)
	w.optional("tried", s.Tried)
	if len(s.Steps) > 0 {
		w.name("steps")
		for i, step := range s.Steps {
			w.text = append(w.text, "[,"[min(i, 1)], '{')
			w.required("keyword", step.Keyword)
			w.required("text", step.Text)
			w.required("outcome", string(step.Outcome))
			w.text = append(w.text, '}')
		}
		w.text = append(w.text, ']')
	}
	if len(s.Findings) > 0 {
		if err := w.encoded("findings", s.Findings); err != nil {
			return err
		}
	}
	if len(s.Observations) > 0 {
		if err := w.encoded("observations", s.Observations); err != nil {
			return err
		}
	}
	w.numbers("exchanges", s.Exchanges)
	if s.Replays != 0 {
		w.number("replays", int64(s.Replays))
	}
	if s.Round != 0 {
		w.number("round", int64(s.Round))
	}
	w.time("started", s.Started)
	w.number("elapsed", int64(s.Elapsed))
	w.text = append(w.text, '}')
	return nil
}

// encoded writes a member of any type.
func (w *lineWriter) encoded(name string, what any) error {
	w.name(name)
	line := bytes.NewBuffer(w.text)
	err := encodeLine(line, what)
	w.text = bytes.TrimSuffix(line.Bytes(), []byte("\n"))
	return err
}

// name begins a member of an object.
func (w *lineWriter) name(name string) {
	if last := w.text[len(w.text)-1]; last != '{' {
		w.text = append(w.text, ',')
	}
	w.text = append(append(append(w.text, '"'), name...), `":`...)
}

// number writes a member that is a number.
func (w *lineWriter) number(name string, n int64) {
	w.name(name)
	w.text = strconv.AppendInt(w.text, n, 10)
}

// numbers writes a member that is a list of numbers, unless it is empty.
func (w *lineWriter) numbers(name string, all []int) {
	if len(all) == 0 {
		return
	}
	w.name(name)
	for i, n := range all {
		w.text = append(w.text, "[,"[min(i, 1)])
		w.text = strconv.AppendInt(w.text, int64(n), 10)
	}
	w.text = append(w.text, ']')
}

// required writes a member that is a text.
func (w *lineWriter) required(name, text string) {
	w.name(name)
	writeText(w, text, &inTexts)
}

// optional writes a member that is a text, unless it is empty.
func (w *lineWriter) optional(name, text string) {
	if text != "" {
		w.required(name, text)
	}
}

// list writes a member that is a list of texts, unless it is empty.
func (w *lineWriter) list(name string, all []string) {
	if len(all) > 0 {
		w.name(name)
		w.texts(all)
	}
}

// flag writes a member that is true, or nothing.
func (w *lineWriter) flag(name string, set bool) {
	if set {
		w.name(name)
		w.text = append(w.text, "true"...)
	}
}

// time writes a member that is a time.
func (w *lineWriter) time(name string, t time.Time) {
	w.name(name)
	w.text = append(t.AppendFormat(append(w.text, '"'), time.RFC3339Nano), '"')
}

// member begins a member whose name may be any text.
func (w *lineWriter) member(name string) {
	if last := w.text[len(w.text)-1]; last != '{' {
		w.text = append(w.text, ',')
	}
	writeText(w, name, &inTexts)
	w.text = append(w.text, ':')
}

// header writes a header, unless it is empty.
func (w *lineWriter) header(h http.Header) {
	if len(h) == 0 {
		return
	}
	w.name("header")
	w.text = append(w.text, '{')
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w.member(name)
		w.texts(h[name])
	}
	w.text = append(w.text, '}')
}

// texts writes a list.
func (w *lineWriter) texts(all []string) {
	if all == nil {
		w.text = append(w.text, "null"...)
		return
	}
	w.text = append(w.text, '[')
	for i, text := range all {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		writeText(w, text, &inTexts)
	}
	w.text = append(w.text, ']')
}

// body writes a body, unless it is empty: see [spec.Bytes].
func (w *lineWriter) body(b spec.Bytes) {
	switch {
	case len(b) == 0:
	case utf8.Valid(b):
		w.name("body")
		writeText(w, b, &inBodies) // as its own encoder does
	default:
		w.name("body")
		w.text = append(w.text, `{"base64":"`...)
		w.text = base64.StdEncoding.AppendEncode(w.text, b)
		w.text = append(w.text, `"}`...)
	}
}

// exchange writes an exchange.
func (w *lineWriter) exchange(ex *spec.Exchange) {
	w.text = append(w.text, '{')
	w.number("seq", int64(ex.Seq))
	w.optional("scenario", ex.Scenario)
	w.optional("operation", ex.Operation)
	w.optional("about", ex.About)
	if ex.Expect.Statuses != nil || ex.Expect.Rule != "" {
		w.name("expect")
		w.expect(ex.Expect)
	}
	w.name("request")
	w.text = append(w.text, '{')
	w.required("method", ex.Request.Method)
	w.required("url", ex.Request.URL)
	w.header(ex.Request.Header)
	w.body(ex.Request.Body)
	w.text = append(w.text, '}')
	if ex.Response != nil {
		w.name("response")
		w.response(ex.Response)
	}
	w.optional("lost", ex.Lost)
	w.optional("malformed", ex.Malformed)
	w.time("started", ex.Started)
	w.number("elapsed", int64(ex.Elapsed))
	if ex.Delays != 0 {
		w.number("delays", int64(ex.Delays))
	}
	w.optional("correlation", ex.Correlation)
	w.text = append(w.text, '}')
}

// expect writes what is expected of a response.
func (w *lineWriter) expect(e spec.Expect) {
	w.text = append(w.text, '{')
	w.numbers("statuses", e.Statuses)
	w.optional("rule", e.Rule)
	w.text = append(w.text, '}')
}

// response writes a response.
func (w *lineWriter) response(r *spec.Response) {
	w.text = append(w.text, '{')
	w.number("status", int64(r.Status))
	w.header(r.Header)
	if r.HeadersLeftOut != 0 {
		w.number("headersLeftOut", int64(r.HeadersLeftOut))
	}
	w.body(r.Body)
	w.number("size", int64(r.Size))
	w.flag("tooLong", r.TooLong)
	w.text = append(w.text, '}')
}

// ascii is a set of ASCII characters.
type ascii [utf8.RuneSelf]bool

// The characters that are not escaped in texts and in bodies, as in their encoders.
var inTexts, inBodies = plainBut(""), plainBut("<>&")

// plainBut returns the visible ASCII characters, except those of JSON's grammar and the given ones.
func plainBut(but string) (set ascii) {
	for c := byte(' '); c < 0x7f; c++ {
		set[c] = c != '"' && c != '\\' && strings.IndexByte(but, c) < 0
	}
	return set
}

// writeText writes a text in quotes. ASCII characters are escaped unless they are in plain, other characters
// unless they are visible.
func writeText[T ~string | ~[]byte](w *lineWriter, text T, plain *ascii) {
	w.text = append(w.text, '"')
	from := 0
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		as := r < utf8.RuneSelf && plain[r]
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(string(text[i:min(len(text), i+utf8.UTFMax)]))
			as = unicode.IsPrint(r) && (r != utf8.RuneError || size > 1)
		}
		if !as {
			w.text = append(w.text, text[from:i]...)
			w.escape(r)
			from = i + size
		}
		i += size
	}
	w.text = append(append(w.text, text[from:]...), '"')
}

// escape writes a character as an escape.
func (w *lineWriter) escape(r rune) {
	if i := strings.IndexRune("\"\\\b\f\n\r\t", r); i >= 0 {
		w.text = append(w.text, '\\', `"\bfnrt`[i])
		return
	}
	for _, unit := range utf16.AppendRune(nil, r) {
		w.text = fmt.Appendf(w.text, `\u%04x`, unit)
	}
}
