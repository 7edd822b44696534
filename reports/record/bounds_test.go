package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

// endless repeats a text, and counts what was read of it.
type endless struct {
	text string
	read int64
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.text)
	}
	e.read += int64(n)
	return n, nil
}

// Reading an endless text stops as soon as it is disproportionate.
func TestBoundedGivesUp(t *testing.T) {
	for text, want := range map[string]error{"{},": errManyValues, "[": errManyValues, `[[],{"a":[{}]}],`: errManyValues, "x": errLongText, "\n\n": errLongBlank} {
		from := &endless{text: text}
		start := ""
		if errors.Is(want, errLongText) {
			start = `{"a":"`
		}
		n, err := io.Copy(io.Discard, Bounded(io.MultiReader(strings.NewReader(start), from)))
		if !errors.Is(err, want) || n > longestText+1<<20 {
			t.Errorf("%s: read %d bytes, %v", text, n, err)
		}
		if errors.Is(want, errManyValues) && n > 4*freeValues {
			t.Errorf("%s: read %d bytes", text, n)
		}
	}
	plain := `{"request":{"method":"GET","header":{"Accept":["application/json"]},"url":"http://127.0.0.1/v1/pets"}},`
	if n, err := io.Copy(io.Discard, Bounded(io.LimitReader(&endless{text: plain}, 100<<20))); n != 100<<20 || err != nil {
		t.Errorf("of what records hold %d bytes were read, %v", n, err)
	}
	quoted := `"{[{[{[\"{[{[{[","",`
	if _, err := io.Copy(io.Discard, Bounded(io.LimitReader(&endless{text: quoted}, 20<<20))); err != nil {
		t.Errorf("brackets in texts are counted: %v", err)
	}
}

// Sources that unpack to more than a record holds are refused in a line.
func TestForgedSources(t *testing.T) {
	pack := func(text io.Reader) Packed {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for start, repeated := range map[string]string{`{"rules":[{}`: ",{}", `{"rules":[{"id":"a","cases":[""`: `,[]`, `{"contract":`: "{", `{"rules":`: " ", `{"features":{"a":"`: "0", "": "\x00"} {
		size := int64(2 << 20)
		if repeated == "0" {
			size += longestText
		}
		p := pack(io.MultiReader(strings.NewReader(start), io.LimitReader(&endless{text: repeated}, size)))
		if s, err := p.Sources(); err == nil || !strings.HasPrefix(err.Error(), "the record is damaged") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s%s…: %v, %v", start, repeated, s != nil, err)
		}
	}
	want := Sources{ContractFile: "api.yaml", Own: "api.yaml", Contract: map[string]string{"": "openapi: 3.0.3"}, Features: map[string]string{"a.feature": "Feature: a"}}
	p, err := want.Pack()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.Sources(); err != nil || got.Own != "api.yaml" || got.Contract[""] != "openapi: 3.0.3" || got.Features["a.feature"] != "Feature: a" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A journal whose line has no end is refused.
func TestForgedJournal(t *testing.T) {
	for start, repeated := range map[string]string{`{"schema":"` + JournalSchema + `","head":{"created":[`: "{},", `{"schema":"`: "x"} {
		if _, err := ReadJournal(io.MultiReader(strings.NewReader(start), &endless{text: repeated})); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s%s…: %v", start, repeated, err)
		}
	}
}
