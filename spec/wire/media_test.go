package wire

import (
	"mime"
	"testing"
)

func TestBest(t *testing.T) {
	tests := []struct {
		documented []string
		actual     string
		want       int
	}{
		{[]string{"application/json"}, "application/json", 0},
		{[]string{"application/json"}, "Application/JSON; charset=UTF-8", 0},
		{[]string{"application/json; charset=utf-8"}, "application/json", 0},
		{[]string{"application/json;charset=utf-8"}, "application/json;charset=iso-8859-1", 0},
		{[]string{"application/json"}, "application/problem+json", -1},
		{[]string{"application/json", "application/problem+json"}, "application/problem+json", 1},
		{[]string{"*/*", "application/*", "application/json"}, "application/json", 2},
		{[]string{"*/*", "application/*"}, "application/json", 1},
		{[]string{"*/*", "text/*"}, "application/json", 0},
		{[]string{"application/*+json"}, "application/problem+json", 0},
		{[]string{"application/*+json"}, "application/json", -1},
		{[]string{"application/*", "application/*+json"}, "application/hal+json", 1},
		{[]string{"application/json; version=1", "application/json; version=2"}, "application/json; version=2", 1},
		{[]string{"application/json; version=1"}, "application/json; version=2", -1},
		{[]string{"application/json; version=1"}, "application/json", 0},
		{[]string{"application/json", "application/json; version=1"}, `application/json; version="1"`, 1},
		{[]string{"multipart/form-data"}, "multipart/form-data; boundary=abc", 0},
		{[]string{"text/plain"}, "text/html", -1},
		{[]string{"application/json"}, "", -1},
		{[]string{"application/json"}, "json", -1},
		{[]string{"json"}, "JSON", 0},
		{[]string{"*/*"}, "nonsense", -1},
		{nil, "application/json", -1},
	}
	for _, test := range tests {
		if got := Best(test.documented, test.actual); got != test.want {
			t.Errorf("%q for %q: %d, want %d", test.actual, test.documented, got, test.want)
		}
	}
}

func TestKindOf(t *testing.T) {
	for media, want := range map[string]MediaKind{
		"application/json": KindJSON, "application/problem+json": KindJSON, "application/merge-patch+json": KindJSON,
		"application/json-patch+json": KindJSON, "Application/Vnd.API+JSON; v=1": KindJSON, "text/json": KindJSON,
		"application/x-www-form-urlencoded": KindForm, "multipart/form-data": KindMultipart, "multipart/mixed": KindMultipart,
		"text/plain": KindText, "text/csv": KindText, "text/html;charset=utf-8": KindText, "application/octet-stream": KindBinary,
		"image/png": KindBinary, "application/x-ndjson": KindLines, "application/jsonl": KindLines, "application/json-seq": KindSequence,
		"application/geo+json-seq": KindSequence, "text/event-stream": KindEvents, "application/xml": KindXML, "image/svg+xml": KindXML,
		"application/atom+xml": KindXML, "application/yaml": KindYAML, "application/vnd.kubernetes.protobuf;stream=watch": KindForeign, "application/apply-patch+yaml": KindYAML, "application/cbor-seq": KindForeign, "*/*": KindBinary, "application/*": KindBinary, "text/*": KindBinary,
		"application/*+json": KindJSON, "nonsense": KindBinary, "": KindBinary,
	} {
		if got := KindOf(media); got != want {
			t.Errorf("%q: kind %d, want %d", media, got, want)
		}
	}
}

func TestParseMediaRefusesOthers(t *testing.T) {
	for _, text := range []string{"", "a", "/b", "a/", "a b/c", "a/b c", "a/b; c", "a/b; =c", `a/b; c="d`, `a/b; c="d"e`, `a/b; c=d e`, `a/b; c="\`, "a/b, c/d"} {
		if m, err := ParseMedia(text); err == nil {
			t.Errorf("%q is read as %v", text, m)
		}
	}
}

// FuzzMedia compares ParseMedia with the standard library, which is stricter in places.
func FuzzMedia(f *testing.F) {
	for _, text := range []string{"a/b", "a/b;c=d", `a/b; c="d\"e"; f=g`, "A/B+json;;", "*/*;q=0.5", "a/b ; c = d"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMedia(text)
		if err != nil {
			return
		}
		again, err := ParseMedia(m.String())
		if err != nil || again.match(m) == NoMatch && !m.IsRange() || again.String() != m.String() {
			t.Fatalf("%q is written as %q and read as %q, %v", text, m.String(), again.String(), err)
		}
		if full, _, err := mime.ParseMediaType(text); err == nil && full != m.Type+"/"+m.Subtype {
			t.Fatalf("%q is %q, the standard library says %q", text, m.String(), full)
		}
	})
}
