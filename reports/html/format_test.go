package html

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"hallmark/internal/sample"
	"hallmark/reports/view"
)

func written(t *testing.T, v *view.View) string {
	t.Helper()
	var out bytes.Buffer
	if err := Format().Write(&out, v); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// No byte of the service becomes markup, and no character of it is invisible.
func TestNothingFromTheServiceIsRaw(t *testing.T) {
	text := written(t, sample.Hostile(t))
	if !strings.Contains(text, "&lt;script&gt;document.title='owned'") {
		t.Fatal("the hostile text is not shown at all")
	}
	for _, tag := range regexp.MustCompile(`<[a-zA-Z!/][^>]*>`).FindAllString(text, -1) {
		if strings.Contains(tag, "onerror") || strings.HasPrefix(tag, "<img") || strings.HasPrefix(tag, "<!--") || strings.Contains(tag, "</textarea") {
			t.Errorf("hostile text became markup: %s", tag)
		}
	}
	if n, want := strings.Count(text, "<script"), 1+len(sample.Hostile(t).Record.Exchanges); n != want {
		t.Errorf("the page has %d scripts; one and the inert text of each exchange make %d", n, want)
	}
	for i, r := range text {
		if r != '\n' && r != '\t' && r != ' ' && !unicode.IsPrint(r) {
			t.Fatalf("an invisible %q is left: …%q…", r, text[max(0, i-60):i+20])
		}
	}
	if strings.Contains(text, sample.Key) {
		t.Error("the page holds the key")
	}
}

// The page can be read without a network: it names no place to fetch from.
func TestThePageFetchesNothing(t *testing.T) {
	text := written(t, sample.Broken(t))
	if found := regexp.MustCompile(`(?i)<(link|script|img|iframe|object|embed|source|video|audio)[^>]*\b(src|href)="([^"]*)"`).FindAllString(text, -1); len(found) != 1 || !strings.Contains(found[0], `href="data:image/svg`) {
		t.Errorf("the page fetches %q", found)
	}
	if found := regexp.MustCompile(`url\(|@import|fetch\(|XMLHttpRequest`).FindString(text); found != "" {
		t.Errorf("the page has %s", found)
	}
	if strings.Contains(text, ` style="`) {
		t.Error("a style attribute, which the policy forbids")
	}
}

func TestTheSameRecordGivesTheSamePage(t *testing.T) {
	v := sample.Broken(t)
	first := written(t, v)
	if again := written(t, v); first != again {
		t.Error("two pages of one record differ")
	}
}

// Every link within the page leads somewhere, and no name is given twice.
func TestLinksLeadSomewhere(t *testing.T) {
	for name, v := range map[string]*view.View{"good": sample.Good(t), "broken": sample.Broken(t), "hostile": sample.Hostile(t)} {
		t.Run(name, func(t *testing.T) { checkLinks(t, written(t, v)) })
	}
}

func checkLinks(t *testing.T, text string) {
	t.Helper()
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if names[m[1]] {
			t.Errorf("the name %s is given twice", m[1])
		}
		names[m[1]] = true
	}
	for _, m := range regexp.MustCompile(` href="#([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if !names[m[1]] {
			t.Fatalf("#%s leads nowhere", m[1])
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	v := sample.Big(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		if err := Format().Write(io.Discard, v); err != nil {
			b.Fatal(err)
		}
	}
}
