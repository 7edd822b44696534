package html

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// written is the page, with every packed exchange unpacked.
func written(t *testing.T, v *view.View) string {
	t.Helper()
	return blocks.ReplaceAllStringFunc(packed(t, v), func(block string) string {
		inside := unpacked(t, block)
		if strings.Contains(inside, "<script") {
			t.Error("an exchange holds a script")
		}
		return strings.ReplaceAll(inside, string(betweenExchanges), "\n")
	})
}

// packed is the page as it is written.
func packed(t *testing.T, v *view.View) string {
	t.Helper()
	var out bytes.Buffer
	if err := Format().Write(&out, v); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var blocks = regexp.MustCompile(`<script type="text/plain">[A-Za-z0-9+/=]*</script>`)

func unpacked(t *testing.T, block string) string {
	t.Helper()
	small, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(strings.TrimPrefix(block, `<script type="text/plain">`), "</script>"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// No byte from the service becomes markup, and no character of it is invisible.
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
	if n := strings.Count(text, "<script"); n != 1 {
		t.Errorf("the page has %d scripts besides the packed exchanges, expected 1", n)
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

func TestCommandsOfSeveralLinesStayLines(t *testing.T) {
	got := string(command("id1=$(curl -sS 'a')\ncurl -sS 'b\u202e'"))
	if !strings.Contains(got, "<code>id1=$(curl -sS &#39;a&#39;)\ncurl -sS &#39;b\\u202e&#39;</code>") {
		t.Errorf("the command is %s", got)
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

// Every exchange of the list is packed, in its place.
func TestExchangesArePackedInOrder(t *testing.T) {
	v := sample.Broken(t)
	var insides []string
	for i, block := range blocks.FindAllString(packed(t, v), -1) {
		if len(insides) != i*blockSize {
			t.Fatalf("%d exchanges are in %d blocks", len(insides), i)
		}
		insides = append(insides, strings.Split(unpacked(t, block), string(betweenExchanges))...)
	}
	if len(insides) != len(v.Record.Exchanges) {
		t.Fatalf("%d of %d exchanges are packed", len(insides), len(v.Record.Exchanges))
	}
	for i, inside := range insides {
		if want := fmt.Sprintf(`<a href="#exchange-%d">`, v.Record.Exchanges[i].Seq); !strings.HasPrefix(inside, `<div class="x-in">`) || !strings.Contains(inside, want) {
			t.Fatalf("in the place of exchange %d is %.300s", v.Record.Exchanges[i].Seq, inside)
		}
	}
}

// The page of a whole run is small enough for mail, even if many scenarios found something.
func TestThePageIsSmall(t *testing.T) {
	for _, c := range []struct {
		name string
		of   *view.View
		most int
	}{{"good", sample.Good(t), 1_500_000}, {"broken", sample.Broken(t), 1_750_000}} {
		if n := len(packed(t, c.of)); n > c.most {
			t.Errorf("%s: the page of %d exchanges has %d bytes, and may have %d", c.name, len(c.of.Record.Exchanges), n, c.most)
		}
	}
}

// A whole run of the Petstore, and one of several thousand exchanges.
func BenchmarkWrite(b *testing.B) {
	for name, v := range map[string]*view.View{"run": sample.Good(b), "big": sample.Big(b, 2000)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var size counter
				if err := Format().Write(&size, v); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(size), "page-bytes")
			}
		})
	}
}

// counter counts what is written.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
