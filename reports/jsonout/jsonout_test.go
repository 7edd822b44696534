package jsonout

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsReadIsWhatWasWritten(t *testing.T) {
	values := []any{
		"plain <b>&</b> \"quoted\" \\ back", "\x00\x1b]0;x\x07\x7f\u0085\u009b2J", "\u202eevil\u2066 \u2028\u2029 \ufeff",
		"\U000e0041 tag, \U0001f600 \u00e9 \u65e5\u672c \u05d0", map[string]any{"\u202ename": []any{1.5, nil, true}}, "", []any{},
	}
	var out bytes.Buffer
	j := New(&out)
	j.Raw(`{"list":`)
	list := j.List()
	for _, v := range values {
		list.Add(v)
	}
	list.End()
	j.Raw("}\n")
	if err := j.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.String() {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%U stands there as it is", r)
		}
	}
	var back struct{ List []any }
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if diff := cmp.Diff(values, back.List); diff != "" {
		t.Error(diff)
	}
}

func TestLines(t *testing.T) {
	var out strings.Builder
	j := New(&out)
	j.Line("a\nb")
	j.Line(2)
	if err := j.Flush(); err != nil || out.String() != "\"a\\nb\"\n2\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

type broken struct{ after int }

var errBroken = errors.New("no room")

func (b *broken) Write(p []byte) (int, error) {
	if b.after -= len(p); b.after < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

func TestErrorsComeBack(t *testing.T) {
	j := New(&broken{after: 100_000})
	for range 10_000 {
		j.Line(strings.Repeat("x", 100))
	}
	if err := j.Flush(); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
	j = New(&strings.Builder{})
	j.Value(func() {})
	if err := j.Flush(); err == nil {
		t.Error("a function was written as JSON")
	}
}

// Long texts are written as short ones are, wherever they are divided.
func TestLongTextsAreWhole(t *testing.T) {
	for _, unit := range []string{"a", "é", "日", "\U0001f600", "\"\\\n", "\x80\x80", "\xff", "\U0001f600\x80\x80\x80\x80", "日\x80\x80\x80", "<&\u2028", "\x7f\u202e"} {
		for shift := range 12 {
			text := strings.Repeat(".", shift) + strings.Repeat(unit, (3*pieceBytes)/len(unit))
			var out bytes.Buffer
			j := New(&out)
			j.Value(text)
			if err := j.Flush(); err != nil {
				t.Fatal(err)
			}
			var got, want string
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatalf("%q: %v", unit, err)
			}
			encoded, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(encoded, &want); err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%q behind %d bytes is read differently", unit, shift)
			}
		}
	}
}
