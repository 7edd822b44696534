package wire

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestHostileTextsAreBounded reads texts that are made to be expensive.
func TestHostileTextsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	const mostTime = time.Minute // a slow machine, under the race detector
	loose := &Hint{}
	loose.Types = []string{"array", "object", "string", "integer", "boolean", "null"}
	loose.Items, loose.Additional = loose, loose
	scalars := &Hint{Types: []string{"array"}, Items: &Hint{Types: []string{"string", "integer"}}}
	var distinct, deep strings.Builder
	for i := range maxPairs {
		fmt.Fprintf(&distinct, "x%d=1&", i)
	}
	for i := range 100 {
		fmt.Fprintf(&deep, "x%s=%d&", strings.Repeat(fmt.Sprintf("[%d]", i), 2000), i)
	}
	ones := strings.Repeat("1,", 500_000)
	texts := map[string]string{
		"repeated": strings.Repeat("x=1&", maxPairs-1), "distinct": distinct.String(), "deep": deep.String(), "list": "x=" + ones, "half": "x=" + ones[:15_000],
		"brackets": "x" + strings.Repeat("[]", 500_000) + "=1", "percent": "x=" + strings.Repeat("%31%2C", 5_000), "matrix": strings.Repeat(";x=1", 5_000),
		"labels": strings.Repeat(".1", 5_000), "ones": ones[:10_000], "open": "x" + strings.Repeat("[", 500_000),
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for name, text := range texts {
		for in, styles := range stylesIn {
			for _, style := range styles {
				for explode, hint := range map[bool]*Hint{false: scalars, true: loose} {
					start := time.Now()
					_, _ = Param{Name: "x", In: in, Style: style, Explode: explode}.parse(text, hint, lenient)
					if took := time.Since(start); took > mostTime {
						t.Errorf("%s, %s in %s: %v", name, style, in, took)
					}
				}
			}
		}
		start := time.Now()
		_, _ = parseForm([]byte(text), BodyOptions{Hint: loose, Encoding: map[string]Encoding{"x": {Style: DeepObject}}}, lenient)
		if took := time.Since(start); took > mostTime {
			t.Errorf("%s as a form: %v", name, took)
		}
	}
	parts := strings.Repeat("--b\r\nContent-Disposition: form-data; name=x\r\n\r\n1\r\n", maxParts+1) + "--b--"
	if _, err := ParseBody("multipart/form-data; boundary=b", []byte(parts), BodyOptions{}); err == nil || err.Error() != "there are more than 10000 parts" {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if after.Sys > 1<<30 {
		t.Errorf("%d MB are in use", after.Sys>>20)
	}
}

func BenchmarkParam(b *testing.B) {
	p := NewParam("tags", InQuery, "", nil)
	hint := &Hint{Types: []string{"array"}, Items: &Hint{Types: []string{"string"}}}
	value := []any{"blue", "black & white", "brown"}
	b.Run("Serialize", func(b *testing.B) {
		for b.Loop() {
			_, _, _ = p.Serialize(value)
		}
	})
	b.Run("Parse", func(b *testing.B) {
		for b.Loop() {
			_, _ = p.Parse("limit=10&tags=blue&tags=black%20%26%20white&tags=brown", hint)
		}
	})
	b.Run("Survives", func(b *testing.B) {
		for b.Loop() {
			_ = p.Survives(value, hint)
		}
	})
}

func BenchmarkBest(b *testing.B) {
	for b.Loop() {
		_ = Best([]string{"application/json", "application/problem+json", "*/*"}, "application/problem+json; charset=utf-8")
	}
}

func BenchmarkItems(b *testing.B) {
	for media, text := range map[string]string{
		"text/event-stream":    strings.Repeat("event: add\ndata: {\"id\":1,\"name\":\"abc\"}\n\n", 1000),
		"application/x-ndjson": strings.Repeat("{\"id\":1,\"name\":\"abc\"}\n", 1000),
	} {
		b.Run(media, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_ = Items(media, strings.NewReader(text), 1<<20, func(Item) error { return nil })
			}
		})
	}
}
