package record

import (
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"time"

	"hallmark/spec"
)

// How a shelf writes what it holds. An entry begins with the sizes of its two parts, in bytes. The first part is what a run that finds nothing
// needs at its end; it begins with a flag, which is set for a scenario. The second part is the headers and bodies of an exchange, or the steps
// of a scenario.

// entrySizes is how long the two sizes are, in bytes.
const entrySizes = 8

// appendExchange writes an exchange as an entry.
func appendExchange(to []byte, ex *spec.Exchange) []byte {
	begin := len(to)
	to = appendFlag(append(to, make([]byte, entrySizes)...), false)
	to = appendHead(to, ex)
	middle := len(to)
	to = appendBody(appendHeader(to, ex.Request.Header), ex.Request.Body)
	if ex.Response != nil {
		to = appendBody(appendHeader(to, ex.Response.Header), ex.Response.Body)
	}
	return sized(to, begin, middle)
}

// appendScenario writes a scenario without findings, the one of that index, as an entry.
func appendScenario(to []byte, i int, s *Scenario) []byte {
	begin := len(to)
	to = appendFlag(append(to, make([]byte, entrySizes)...), true)
	to = binary.AppendVarint(to, int64(i))
	for _, text := range []string{s.ID, s.Name, s.Tried, s.Feature, s.Sentence, string(s.Outcome), s.Reason} {
		to = appendText(to, text)
	}
	for _, list := range [][]string{s.Tags, s.Rules, s.Operations} {
		to = appendTexts(to, list)
	}
	to = appendFlag(to, s.Excused)
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
	return sized(to, begin, middle)
}

// sized sets the sizes of the entry that begins there; its second part begins in the middle.
func sized(entry []byte, begin, middle int) []byte {
	binary.BigEndian.PutUint32(entry[begin:], uint32(middle-begin-entrySizes)) //nolint:gosec // a client reads no 4 GiB
	binary.BigEndian.PutUint32(entry[begin+4:], uint32(len(entry)-middle))     //nolint:gosec // as above
	return entry
}

// appendHead writes an exchange without headers and bodies.
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

// appendTime writes a time, which may be zero.
func appendTime(to []byte, t time.Time) []byte {
	if t.IsZero() {
		return appendFlag(to, false)
	}
	return binary.AppendVarint(appendFlag(to, true), t.UnixNano())
}

// appendTexts writes texts: how many they are and one more, 0 where there are none, and each of them.
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

// appendHeader writes a header: how many names it has and one more, 0 where there is none, and each name with its values.
func appendHeader(to []byte, h http.Header) []byte {
	if h == nil {
		return append(to, 0)
	}
	to = binary.AppendUvarint(to, uint64(len(h))+1)
	for name, values := range h {
		to = binary.AppendUvarint(appendText(to, name), uint64(len(values)))
		for _, v := range values {
			to = appendText(to, v)
		}
	}
	return to
}

// appendBody writes a body: its length and one more, 0 where there is none, and its bytes.
func appendBody(to []byte, body spec.Bytes) []byte {
	if body == nil {
		return append(to, 0)
	}
	return append(binary.AppendUvarint(to, uint64(len(body))+1), body...)
}

func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// parcel is what is left to be read of a part of an entry.
type parcel struct {
	text    []byte
	damaged bool
	// known, lists and statuses are what was read before: scenarios and exchanges have most of it in common.
	known    map[string]string
	lists    map[string][]string
	statuses map[string][]int
}

func newParcel() *parcel {
	return &parcel{known: map[string]string{}, lists: map[string][]string{}, statuses: map[string][]int{}}
}

// read begins with the next part, which is that long, in bytes.
func (p *parcel) read(in io.Reader, size int64) error {
	if err := p.end(); err != nil {
		return err
	}
	p.text = make([]byte, size)
	_, err := io.ReadFull(in, p.text)
	return err
}

// end returns an error where a part was not what was written.
func (p *parcel) end() error {
	if p.damaged || len(p.text) > 0 {
		return errors.New("the file was changed")
	}
	return nil
}

// exchange reads an exchange without headers and bodies.
func (p *parcel) exchange() spec.Exchange {
	ex := spec.Exchange{Seq: int(p.signed())}
	for _, to := range []*string{&ex.Scenario, &ex.Operation, &ex.About, &ex.Expect.Rule, &ex.Request.Method} {
		*to = p.shared()
	}
	for _, to := range []*string{&ex.Request.URL, &ex.Lost, &ex.Malformed, &ex.Correlation} {
		*to = p.own()
	}
	ex.Expect.Statuses = p.expected()
	ex.Started = p.time()
	ex.Elapsed, ex.Delays = time.Duration(p.signed()), int(p.signed())
	if p.flag() {
		ex.Response = &spec.Response{Status: int(p.signed()), HeadersLeftOut: int(p.signed()), Size: int(p.signed()), TooLong: p.flag()}
	}
	return ex
}

// content reads the headers and bodies of an exchange.
func (p *parcel) content(ex *spec.Exchange) {
	ex.Request.Header, ex.Request.Body = p.header(), p.body()
	if ex.Response != nil {
		ex.Response.Header, ex.Response.Body = p.header(), p.body()
	}
}

// scenario reads a scenario without its steps, and returns it in its place.
func (p *parcel) scenario(all []Scenario) *Scenario {
	i := int(p.signed())
	if i < 0 || i >= len(all) {
		p.damaged = true
		return &Scenario{}
	}
	s := Scenario{ID: p.own(), Name: p.own(), Tried: p.own(), Feature: p.shared(), Sentence: p.shared(), Outcome: Outcome(p.shared()), Reason: p.shared()}
	s.Tags, s.Rules, s.Operations, s.Excused = p.texts(), p.texts(), p.texts(), p.flag()
	for range p.number() {
		o := spec.Observation{Rule: p.shared(), Asked: p.shared(), Answer: p.shared(), Reading: p.shared()}
		if p.flag() {
			count := p.signed()
			o.Count = &count
		}
		o.Exchange = int(p.signed())
		s.Observations = append(s.Observations, o)
	}
	if n := p.number(); n > 0 {
		s.Exchanges = make([]int, n)
		for i := range s.Exchanges {
			s.Exchanges[i] = int(p.signed())
		}
	}
	s.Replays, s.Round, s.Started, s.Elapsed = int(p.signed()), int(p.signed()), p.time(), time.Duration(p.signed())
	all[i] = s
	return &all[i]
}

// steps reads the steps of a scenario.
func (p *parcel) steps(of *Scenario) {
	if n := p.number(); n > 0 {
		of.Steps = make([]Step, n)
		for i := range of.Steps {
			of.Steps[i] = Step{Keyword: p.shared(), Text: p.shared(), Outcome: Outcome(p.shared())}
		}
	}
}

// texts reads texts, which other scenarios may have as well.
func (p *parcel) texts() []string {
	before := p.text
	n := p.number()
	if n == 0 {
		return nil
	}
	all := make([]string, n-1)
	for i := range all {
		all[i] = p.shared()
	}
	key := before[:len(before)-len(p.text)]
	if known, is := p.lists[string(key)]; is {
		return known
	}
	p.lists[string(key)] = all
	return all
}

// expected reads the statuses that are expected.
func (p *parcel) expected() []int {
	n, before := p.number(), p.text
	if n == 0 {
		return nil
	}
	all := make([]int, n)
	for i := range all {
		all[i] = int(p.signed())
	}
	key := before[:len(before)-len(p.text)]
	if known, is := p.statuses[string(key)]; is {
		return known
	}
	p.statuses[string(key)] = all
	return all
}

func (p *parcel) header() http.Header {
	n := p.number()
	if n == 0 {
		return nil
	}
	h := http.Header{}
	for range n - 1 {
		name := p.shared()
		var values []string
		for range p.number() {
			values = append(values, p.own())
		}
		h[name] = values
	}
	return h
}

func (p *parcel) body() spec.Bytes {
	n := p.number()
	if n == 0 {
		return nil
	}
	return p.bytes(n - 1)
}

// shared reads a text that others may have as well.
func (p *parcel) shared() string {
	text := p.bytes(p.number())
	if known, is := p.known[string(text)]; is {
		return known
	}
	own := string(text)
	p.known[own] = own
	return own
}

// own reads a text that hardly anything else has.
func (p *parcel) own() string { return string(p.bytes(p.number())) }

func (p *parcel) time() time.Time {
	if !p.flag() {
		return time.Time{}
	}
	return time.Unix(0, p.signed())
}

func (p *parcel) flag() bool { return p.number() > 0 }

// number reads one, which is no greater than what is left.
func (p *parcel) number() int {
	n, size := binary.Uvarint(p.text)
	if size <= 0 || n > uint64(len(p.text)) {
		p.text, p.damaged = nil, true
		return 0
	}
	p.text = p.text[size:]
	return int(n) //nolint:gosec // it is no greater than a length
}

// signed reads a number of any size.
func (p *parcel) signed() int64 {
	n, size := binary.Varint(p.text)
	if size <= 0 {
		p.text, p.damaged = nil, true
		return 0
	}
	p.text = p.text[size:]
	return n
}

func (p *parcel) bytes(n int) []byte {
	if n > len(p.text) {
		p.text, p.damaged = nil, true
		return nil
	}
	out := p.text[:n:n]
	p.text = p.text[n:]
	return out
}
