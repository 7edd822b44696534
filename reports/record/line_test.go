package record

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"hallmark/spec"
)

// fill sets each field to a value other than its zero value, so that a field unknown to an encoder shows.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 3, 1, 12, 0, 0, 120_000, time.FixedZone("", 3600))))
			return
		}
		for _, field := range v.Fields() {
			fill(field)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Map:
		if v.Type() != reflect.TypeFor[http.Header]() {
			break
		}
		v.Set(reflect.ValueOf(http.Header{"Via": {"a", `"b"`}, "Accept": {}, "X-None": nil}))
	case reflect.String:
		v.SetString("a text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint('x')
	default:
		v.SetInt(17)
	}
}

// The output is the same as that of encoding/json.
func TestLinesAreWhatTheEncoderWrites(t *testing.T) {
	var whole spec.Exchange
	fill(reflect.ValueOf(&whole).Elem())
	all := []spec.Exchange{whole, {}, {Response: &spec.Response{}, Expect: spec.Expect{Statuses: []int{}}}, {Expect: spec.Expect{Rule: "a.rule"}}}
	for _, text := range []string{
		`{"name":"a \\ b","n":1}` + "\n", "tab\tand\r\b\f\x00\x1f", "\x7f", "é \u2028\u200e<&>", "\U000e0001", "half \xc3", strings.Repeat("\xff", 3), "…",
	} {
		ex := whole
		ex.Scenario, ex.Request.URL, ex.Request.Body = text, text, spec.Bytes(text)
		ex.Request.Header = http.Header{text: {text}}
		all = append(all, ex)
	}
	for _, ex := range all {
		var want bytes.Buffer
		if err := encodeLine(&want, ex); err != nil {
			t.Fatal(err)
		}
		var w lineWriter
		w.exchange(&ex)
		if got := string(w.text) + "\n"; got != want.String() {
			t.Errorf("%s\nwant\n%s", got, want.String())
		}
	}
}

// An exchange that belongs to no scenario has a line of its own.
func TestLineOfExchangesAlone(t *testing.T) {
	var w lineWriter
	if err := w.entry(entry{Exchanges: []spec.Exchange{{Seq: 7}, {Seq: 8}}}, func([]byte) bool { return true }); err != nil {
		t.Fatal(err)
	}
	var read entry
	if err := json.Unmarshal(w.text, &read); err != nil || len(read.Exchanges) != 2 || read.Exchanges[1].Seq != 8 {
		t.Errorf("%v: %s", err, w.text)
	}
}

// The same holds for whole entries, except for the place of the exchanges.
func TestEntriesAreWhatTheEncoderWrites(t *testing.T) {
	var creation Creation
	var scenario Scenario
	fill(reflect.ValueOf(&creation).Elem())
	fill(reflect.ValueOf(&scenario).Elem())
	odd := scenario
	odd.Name, odd.Tags, odd.Reason = "a \"name\"\n\u2028", []string{"\x1b[31m", ""}, "<&>\xff"
	head := Record{Schema: "a"}
	for _, e := range []entry{
		{Creation: &creation}, {Creation: &Creation{}}, {Scenario: &scenario}, {Scenario: &Scenario{}}, {Scenario: &Scenario{Rules: []string{}, Steps: []Step{}}}, {Scenario: &odd},
		{Scenario: &scenario, Exercised: map[string]int{"b.rule": 2, "a.rule": 1, "c \x7f": 0}}, {Exercised: map[string]int{"a": 1}}, {},
		{Creation: &creation, Scenario: &scenario}, {Head: &head, Schema: JournalSchema}, {Full: 9}, {Confirmation: &Confirmation{}, Scenario: &scenario}, {End: &Ending{}},
	} {
		var want bytes.Buffer
		if err := encodeLine(&want, e); err != nil {
			t.Fatal(err)
		}
		w := lineWriter{text: []byte("what was written before")}
		if err := w.entry(e, func([]byte) bool { return true }); err != nil {
			t.Fatal(err)
		}
		if got := string(w.text); got != want.String() {
			t.Errorf("%s\nwant\n%s", got, want.String())
		}
	}
}

func BenchmarkLine(b *testing.B) {
	ex := spec.Exchange{
		Seq: 17, Scenario: "features/list.feature:14", Operation: "listPets",
		Request:  spec.Request{Method: "GET", URL: "http://127.0.0.1/v1/pets", Header: http.Header{"Accept": {"application/json"}, "User-Agent": {"hallmark"}}},
		Response: &spec.Response{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: spec.Bytes(strings.Repeat(`{"id":1,"name":"x"},`, 50))},
	}
	var w lineWriter
	for b.Loop() {
		w.text = w.text[:0]
		w.exchange(&ex)
		b.SetBytes(int64(len(w.text)))
	}
}
