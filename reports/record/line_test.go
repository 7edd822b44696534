package record

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/spec"
)

// fill sets each field to a value other than its zero value. A field that an encoder leaves out shows by it.
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

// A line that is written in parts reads as the entry it is of, with exchanges and without.
func TestPartsMakeALine(t *testing.T) {
	var ex spec.Exchange
	var creation Creation
	var scenario Scenario
	fill(reflect.ValueOf(&ex).Elem())
	fill(reflect.ValueOf(&creation).Elem())
	fill(reflect.ValueOf(&scenario).Elem())
	for _, e := range []entry{
		{}, {Creation: &creation}, {Scenario: &scenario, Exercised: map[string]int{"a.rule": 1}}, {Exchanges: []spec.Exchange{ex}},
		{Scenario: &scenario, Exchanges: []spec.Exchange{ex, ex, ex}}, {Creation: &creation, Exchanges: []spec.Exchange{ex, ex}},
	} {
		var part, line, whole bytes.Buffer
		flush := func() bool {
			line.Write(part.Bytes())
			part.Reset()
			return true
		}
		if err := encodeParts(&part, e, flush); err != nil {
			t.Fatal(err)
		}
		if err := encodeLine(&whole, e); err != nil {
			t.Fatal(err)
		}
		if bytes.Count(line.Bytes(), []byte("\n")) != 1 || !bytes.HasSuffix(line.Bytes(), []byte("\n")) {
			t.Errorf("this is not one line: %s", line.Bytes())
		}
		var got, want any
		for text, to := range map[*bytes.Buffer]*any{&line: &got, &whole: &want} {
			if err := json.Unmarshal(text.Bytes(), to); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}
