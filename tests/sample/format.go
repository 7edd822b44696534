package sample

import (
	"bytes"
	"io"
	"testing"
	"unicode"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Written returns what a format writes of a run.
func Written(tb testing.TB, f reports.Format, v *view.View) []byte {
	tb.Helper()
	var out bytes.Buffer
	if err := f.Write(&out, v); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// Sound returns what a text format writes of a run. It fails the test if a second writing differs, or if the text has the key or a
// character that does not print.
func Sound(t *testing.T, f reports.Format, v *view.View) []byte {
	t.Helper()
	out := Written(t, f, v)
	if !bytes.Equal(out, Written(t, f, v)) {
		t.Error("the same record gives another text")
	}
	if bytes.Contains(out, []byte(Key)) {
		t.Error("the text has the key")
	}
	for _, r := range string(out) {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Fatalf("the text has %U as it is", r)
		}
	}
	return out
}

// Benchmark measures how a format writes a big run.
func Benchmark(b *testing.B, f reports.Format) {
	v := Big(b, 2000)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if err := f.Write(io.Discard, v); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(Written(b, f, v))), "bytes")
}
