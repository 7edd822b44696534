package har

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

const schema = "testdata/har-schema-2.0.0/har.json"

func archive(tb testing.TB, v *view.View) []byte { return sample.Written(tb, Format(), v) }

func views(t *testing.T) map[string]*view.View {
	all := map[string]*view.View{"good": sample.Good(t), "broken": sample.Broken(t), "hostile": sample.Hostile(t)}
	for _, name := range []string{"empty", "no sources", "no exchanges", "odd exchanges", "known"} { // the others have the same exchanges
		all[name] = sample.Named(t, name)
	}
	return all
}

func read(t *testing.T, v *view.View) []entry {
	t.Helper()
	var doc struct{ Log struct{ Entries []entry } }
	if err := json.Unmarshal(archive(t, v), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Log.Entries
}

func TestArchivesKeepTheSchema(t *testing.T) {
	published := sample.Schema(t, schema)
	for name, v := range views(t) {
		t.Run(name, func(t *testing.T) {
			text := sample.Sound(t, Format(), v)
			value := sample.Valid(t, published, text)
			known(t, value)
		})
	}
}

// known checks that there is no member but those of the published schema, which allows any, and those with an underscore.
func known(t *testing.T, value any) {
	names := map[string]bool{}
	files, err := os.ReadDir("testdata/har-schema-2.0.0")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		var s struct{ Properties map[string]any }
		if text, err := os.ReadFile("testdata/har-schema-2.0.0/" + f.Name()); err == nil && json.Unmarshal(text, &s) == nil {
			for name := range s.Properties {
				names[name] = true
			}
		}
	}
	var walk func(value any)
	walk = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for name, inner := range v {
				if strings.HasPrefix(name, "_") {
					continue
				}
				if !names[name] {
					t.Errorf("HAR has no member %s", name)
				}
				walk(inner)
			}
		}
	}
	walk(value)
}

// Whoever reads the archive can send every request again, and sees every response, byte by byte.
func TestArchivesHoldWhatWasSent(t *testing.T) {
	for name, v := range views(t) {
		t.Run(name, func(t *testing.T) {
			entries := read(t, v)
			if len(entries) != len(v.Record.Exchanges) {
				t.Fatalf("%d entries of %d exchanges", len(entries), len(v.Record.Exchanges))
			}
			for i, ex := range v.Record.Exchanges {
				e := entries[i]
				if e.Request.Method != ex.Request.Method || e.Request.URL != ex.Request.URL || !e.Started.Equal(ex.Started) {
					t.Fatalf("%s %s at %s", e.Request.Method, e.Request.URL, e.Started)
				}
				same(t, "request headers", headers(e.Request.Headers), ex.Request.Header)
				if (e.Request.PostData != nil) != (ex.Request.Body != nil) {
					t.Fatalf("entry %d: a body of %q", i, ex.Request.Body)
				}
				if p := e.Request.PostData; p != nil {
					same(t, "request body", body(t, p.Text, p.Encoding), ex.Request.Body)
				}
				if ex.Response == nil {
					same(t, "lost", e.Response.Error, ex.Lost)
					continue
				}
				same(t, "status", e.Response.Status, ex.Response.Status)
				same(t, "answer's headers", headers(e.Response.Headers), ex.Response.Header)
				same(t, "answer's body", body(t, e.Response.Content.Text, e.Response.Content.Encoding), ex.Response.Body)
			}
		})
	}
}

func same[T any](t *testing.T, what string, have, want T) {
	t.Helper()
	if diff := cmp.Diff(want, have, cmp.Transformer("bytes", func(b spec.Bytes) string { return string(b) }), cmp.Transformer("headers", func(h http.Header) map[string][]string {
		if len(h) == 0 {
			return nil
		}
		return h
	})); diff != "" {
		t.Fatalf("%s: %s", what, diff)
	}
}

func headers(all []pair) http.Header {
	h := http.Header{}
	for _, p := range all {
		h[p.Name] = append(h[p.Name], p.Value)
	}
	return h
}

func body(t *testing.T, text, encoding string) spec.Bytes {
	t.Helper()
	if encoding == "" {
		return spec.Bytes(text)
	}
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil || encoding != "base64" {
		t.Fatalf("%s: %v", encoding, err)
	}
	return bytes
}

func TestWhatIsOddIsSaid(t *testing.T) {
	all := read(t, sample.Named(t, "odd exchanges"))
	lost, short, raw, moved := all[0], all[1], all[2], all[3]
	same(t, "query", lost.Request.QueryString, []pair{{"limit", "1"}, {"x", ""}, {"limit", "%zz"}, {"a", "b c d"}})
	same(t, "cookies", lost.Request.Cookies, []pair{{"a", "b"}, {"c", "d"}})
	if lost.Response.Status != 0 || lost.Response.Error != "connection refused" {
		t.Errorf("%+v", lost.Response)
	}
	if c := short.Response.Content; c.Size != 5000 || !strings.Contains(c.Comment, "first 4 of 5000 bytes") || c.MimeType != "application/json, text/html" {
		t.Errorf("%+v", c)
	}
	if short.Time != 1.234 || short.Response.Comment != "3 more headers came" || len(short.Response.Cookies) != 1 || !short.Response.Cookies[0].Secure {
		t.Errorf("%+v", short)
	}
	if raw.Response.BodySize != -1 || !strings.Contains(raw.Response.Content.Comment, "longer than what is read") || raw.Request.PostData.Comment == "" {
		t.Errorf("%+v", raw)
	}
	if moved.Response.RedirectURL != "/elsewhere" || moved.Response.Error == "" || moved.Request.PostData == nil {
		t.Errorf("%+v", moved)
	}
}

// Findings stand where they show: at the decisive exchange, and known violations are told as such.
func TestFindingsStandAtTheirExchanges(t *testing.T) {
	for _, v := range []*view.View{sample.Broken(t), sample.Named(t, "known")} {
		by := map[int]entry{}
		for _, e := range read(t, v) {
			by[e.Hallmark.Exchange] = e
			if found := e.Hallmark.Findings; len(found) > 0 && !strings.HasPrefix(e.Comment, found[0].Rule+": expected ") {
				t.Errorf("entry %d says %q", e.Hallmark.Exchange, e.Comment)
			}
		}
		check := func(as string, all []spec.Finding) {
			for _, f := range all {
				if len(f.Exchanges) == 0 {
					continue
				}
				e := by[f.Exchanges[len(f.Exchanges)-1]]
				want := finding{f.Rule, as, f.Expected.String(), f.Actual.String(), f.Where.String(), f.Pointer}
				if !slices.ContainsFunc(e.Hallmark.Findings, func(f *finding) bool { return *f == want }) {
					t.Errorf("entry %d does not show the %s %+v", e.Hallmark.Exchange, as, want)
				}
			}
		}
		for i := range v.Record.Scenarios {
			found := v.Sort(&v.Record.Scenarios[i])
			check("failure", found.Failing)
			check("warning", found.Warning)
			check("known violation", found.Known)
		}
	}
}

func BenchmarkFormat(b *testing.B) { sample.Benchmark(b, Format()) }
