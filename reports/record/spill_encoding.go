package record

import (
	"encoding/binary"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

// The format of a spill file. An entry begins with the sizes of its two parts, in bytes. The first part is what a run without findings
// needs at its end; it begins with a flag, which is set for a scenario. The second part holds the headers and bodies of an exchange, or the
// steps of a scenario.
//
// The format keeps a record exactly. encoding/gob would lose zero counts and the difference between no body and an empty one, and
// encoding/json bytes that are not UTF-8.

// spillSizes is the length of the two sizes in bytes.
const spillSizes = 8

// appendExchange appends the entry of an exchange.
func appendExchange(to []byte, ex *spec.Exchange) []byte {
	begin := len(to)
	to = appendFlag(append(to, make([]byte, spillSizes)...), false)
	to = appendHead(to, ex)
	middle := len(to)
	to = appendBody(appendHeader(to, ex.Request.Header), ex.Request.Body)
	if ex.Response != nil {
		to = appendBody(appendHeader(to, ex.Response.Header), ex.Response.Body)
	}
	return putSizes(to, begin, middle)
}

// appendScenario appends the entry of the scenario with index i, which has no findings.
func appendScenario(to []byte, i int, s *Scenario) []byte {
	begin := len(to)
	to = appendFlag(append(to, make([]byte, spillSizes)...), true)
	to = binary.AppendVarint(to, int64(i))
	for _, text := range []string{s.ID, s.Name, s.Tried, s.Feature, s.Sentence, string(s.Outcome), s.Reason} {
		to = appendText(to, text)
	}
	for _, list := range [][]string{s.Tags, s.Rules, s.Operations} {
		to = appendTexts(to, list)
	}
	to = appendFlag(appendFlag(to, s.Excused), s.Inapplicable)
	to = binary.AppendUvarint(to, uint64(len(s.Observations)))
	for _, o := range s.Observations {
		for _, text := range []string{o.Rule, o.Asked, o.Answer, o.Reading} {
			to = appendText(to, text)
		}
		if to = appendFlag(to, o.Count != nil); o.Count != nil {
			to = binary.AppendVarint(to, *o.Count)
		}
		to = binary.AppendVarint(to, int64(o.Exchange))
	}
	to = binary.AppendUvarint(to, uint64(len(s.Exchanges)))
	for _, seq := range s.Exchanges {
		to = binary.AppendVarint(to, int64(seq))
	}
	to = binary.AppendVarint(binary.AppendVarint(to, int64(s.Replays)), int64(s.Round))
	to = binary.AppendVarint(appendTime(to, s.Started), int64(s.Elapsed))
	middle := len(to)
	to = binary.AppendUvarint(to, uint64(len(s.Steps)))
	for _, st := range s.Steps {
		to = appendText(appendText(appendText(to, st.Keyword), st.Text), string(st.Outcome))
	}
	return putSizes(to, begin, middle)
}

// putSizes sets the sizes of the entry that starts at begin and ends with text; its second part starts at middle.
func putSizes(text []byte, begin, middle int) []byte {
	binary.BigEndian.PutUint32(text[begin:], uint32(middle-begin-spillSizes)) //nolint:gosec // a client reads no 4 GiB
	binary.BigEndian.PutUint32(text[begin+4:], uint32(len(text)-middle))      //nolint:gosec // as above
	return text
}

// appendHead appends an exchange without its headers and bodies.
func appendHead(to []byte, ex *spec.Exchange) []byte {
	to = binary.AppendVarint(to, int64(ex.Seq))
	for _, text := range []string{
		ex.Scenario, ex.Operation, ex.About, ex.Expect.Rule, ex.Request.Method, ex.Request.URL, ex.Lost, ex.Malformed, ex.Correlation,
	} {
		to = appendText(to, text)
	}
	to = binary.AppendUvarint(to, uint64(len(ex.Expect.Statuses)))
	for _, status := range ex.Expect.Statuses {
		to = binary.AppendVarint(to, int64(status))
	}
	to = appendTime(to, ex.Started)
	to = binary.AppendVarint(binary.AppendVarint(to, int64(ex.Elapsed)), int64(ex.Delays))
	to = appendFlag(to, ex.Response != nil)
	if r := ex.Response; r != nil {
		for _, n := range []int{r.Status, r.HeadersLeftOut, r.Size} {
			to = binary.AppendVarint(to, int64(n))
		}
		to = appendFlag(to, r.TooLong)
	}
	return to
}

func appendFlag(to []byte, flag bool) []byte {
	if flag {
		return append(to, 1)
	}
	return append(to, 0)
}

// appendTime appends a time, which may be zero.
func appendTime(to []byte, t time.Time) []byte {
	if t.IsZero() {
		return appendFlag(to, false)
	}
	return binary.AppendVarint(appendFlag(to, true), t.UnixNano())
}

// appendTexts appends the number of texts plus one, or 0 for nil, and each text.
func appendTexts(to []byte, texts []string) []byte {
	if texts == nil {
		return append(to, 0)
	}
	to = binary.AppendUvarint(to, uint64(len(texts))+1)
	for _, text := range texts {
		to = appendText(to, text)
	}
	return to
}

// appendHeader appends the number of names plus one, or 0 for nil, and each name with its values.
func appendHeader(to []byte, h http.Header) []byte {
	if h == nil {
		return append(to, 0)
	}
	to = binary.AppendUvarint(to, uint64(len(h))+1)
	for name, values := range h {
		to = appendTexts(appendText(to, name), values)
	}
	return to
}

// appendBody appends the length of a body plus one, or 0 for nil, and its bytes.
func appendBody(to []byte, body spec.Bytes) []byte {
	if body == nil {
		return append(to, 0)
	}
	return append(binary.AppendUvarint(to, uint64(len(body))+1), body...)
}

func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// spillDecoder decodes the entries of a spill file, one part at a time.
type spillDecoder struct {
	// rest is the remainder of the current part.
	rest []byte
	// head is a buffer for the first part of an entry, some a buffer for a list.
	head []byte
	some []string
	// damaged reports whether a part ended early or held an invalid value.
	damaged bool
	// texts, lists and statuses hold interned values by their encoded bytes: scenarios and exchanges share most of them.
	texts    map[string]string
	lists    map[string][]string
	statuses map[string][]int
}

func newSpillDecoder() *spillDecoder {
	return &spillDecoder{texts: map[string]string{}, lists: map[string][]string{}, statuses: map[string][]int{}}
}

// readHead reads the first part of an entry, of size bytes.
func (d *spillDecoder) readHead(in io.Reader, size int64) error {
	d.head = slices.Grow(d.head[:0], int(size))[:size]
	d.rest = d.head
	_, err := io.ReadFull(in, d.rest)
	return err
}

// read reads the next part, of size bytes.
func (d *spillDecoder) read(in io.Reader, size int64) error {
	d.rest = make([]byte, size)
	_, err := io.ReadFull(in, d.rest)
	return err
}

// end returns an error unless the current part was decoded without error and to its end.
func (d *spillDecoder) end() error {
	if d.damaged || len(d.rest) > 0 {
		return errSpillChanged
	}
	return nil
}

// exchange decodes an exchange without its headers and bodies.
func (d *spillDecoder) exchange() spec.Exchange {
	ex := spec.Exchange{Seq: int(d.signed())}
	for _, to := range []*string{&ex.Scenario, &ex.Operation, &ex.About, &ex.Expect.Rule, &ex.Request.Method} {
		*to = d.interned()
	}
	for _, to := range []*string{&ex.Request.URL, &ex.Lost, &ex.Malformed, &ex.Correlation} {
		*to = d.text()
	}
	ex.Expect.Statuses = d.expected()
	ex.Started = d.time()
	ex.Elapsed, ex.Delays = time.Duration(d.signed()), int(d.signed())
	if d.flag() {
		ex.Response = &spec.Response{Status: int(d.signed()), HeadersLeftOut: int(d.signed()), Size: int(d.signed()), TooLong: d.flag()}
	}
	return ex
}

// content decodes the headers and bodies of an exchange.
func (d *spillDecoder) content(ex *spec.Exchange) {
	ex.Request.Header, ex.Request.Body = d.header(), d.body()
	if ex.Response != nil {
		ex.Response.Header, ex.Response.Body = d.header(), d.body()
	}
}

// scenario decodes a scenario without its steps, and its index.
func (d *spillDecoder) scenario() (i int, s Scenario) {
	i = int(d.signed())
	s = Scenario{ID: d.interned(), Name: d.text(), Tried: d.text(), Feature: d.interned(), Sentence: d.interned(), Outcome: Outcome(d.interned()), Reason: d.interned()}
	s.Tags, s.Rules, s.Operations, s.Excused, s.Inapplicable = d.list(), d.list(), d.list(), d.flag(), d.flag()
	for range d.number() {
		o := spec.Observation{Rule: d.interned(), Asked: d.interned(), Answer: d.interned(), Reading: d.interned()}
		if d.flag() {
			count := d.signed()
			o.Count = &count
		}
		o.Exchange = int(d.signed())
		s.Observations = append(s.Observations, o)
	}
	if n := d.number(); n > 0 {
		s.Exchanges = make([]int, n)
		for i := range s.Exchanges {
			s.Exchanges[i] = int(d.signed())
		}
	}
	s.Replays, s.Round, s.Started, s.Elapsed = int(d.signed()), int(d.signed()), d.time(), time.Duration(d.signed())
	return i, s
}

// steps decodes the steps of a scenario.
func (d *spillDecoder) steps(of *Scenario) {
	if n := d.number(); n > 0 {
		of.Steps = make([]Step, n)
		for i := range of.Steps {
			of.Steps[i] = Step{Keyword: d.interned(), Text: d.interned(), Outcome: Outcome(d.interned())}
		}
	}
}

// list decodes a list of texts and interns it.
func (d *spillDecoder) list() []string {
	before := d.rest
	n := d.number()
	if n == 0 {
		return nil
	}
	d.some = d.some[:0]
	for range n - 1 {
		d.some = append(d.some, d.interned())
	}
	key := before[:len(before)-len(d.rest)]
	known, is := d.lists[string(key)]
	if !is {
		known = append(make([]string, 0, n-1), d.some...)
		d.lists[string(key)] = known
	}
	return known
}

// expected decodes a list of statuses and interns it.
func (d *spillDecoder) expected() []int {
	n, before := d.number(), d.rest
	if n == 0 {
		return nil
	}
	all := make([]int, n)
	for i := range all {
		all[i] = int(d.signed())
	}
	key := before[:len(before)-len(d.rest)]
	if known, is := d.statuses[string(key)]; is {
		return known
	}
	d.statuses[string(key)] = all
	return all
}

func (d *spillDecoder) header() http.Header {
	n := d.number()
	if n == 0 {
		return nil
	}
	h := http.Header{}
	for range n - 1 {
		name := d.interned()
		h[name] = nil
		if n := d.number(); n > 0 {
			h[name] = make([]string, n-1)
			for i := range h[name] {
				h[name][i] = d.text()
			}
		}
	}
	return h
}

func (d *spillDecoder) body() spec.Bytes {
	n := d.number()
	if n == 0 {
		return nil
	}
	return d.bytes(n - 1)
}

// interned decodes a text that many scenarios or exchanges share, and interns it.
func (d *spillDecoder) interned() string {
	encoded := d.bytes(d.number())
	if known, is := d.texts[string(encoded)]; is {
		return known
	}
	text := string(encoded)
	d.texts[text] = text
	return text
}

// text decodes a text that is rarely shared.
func (d *spillDecoder) text() string { return string(d.bytes(d.number())) }

func (d *spillDecoder) time() time.Time {
	if !d.flag() {
		return time.Time{}
	}
	return time.Unix(0, d.signed())
}

func (d *spillDecoder) flag() bool { return d.number() > 0 }

// number decodes a number that is no greater than the length of what is left: a length or a flag.
func (d *spillDecoder) number() int {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 || n > uint64(len(d.rest)) {
		d.rest, d.damaged = nil, true
		return 0
	}
	d.rest = d.rest[size:]
	return int(n) //nolint:gosec // it is no greater than a length
}

// signed decodes any number.
func (d *spillDecoder) signed() int64 {
	n, size := binary.Varint(d.rest)
	if size <= 0 {
		d.rest, d.damaged = nil, true
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

func (d *spillDecoder) bytes(n int) []byte {
	if n > len(d.rest) {
		d.rest, d.damaged = nil, true
		return nil
	}
	out := d.rest[:n:n]
	d.rest = d.rest[n:]
	return out
}
