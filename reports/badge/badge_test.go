package badge

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/conformance"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// badge is the picture as a reader of XML sees it, strictly.
type badge struct {
	Width  int    `xml:"width,attr"`
	Height int    `xml:"height,attr"`
	Role   string `xml:"role,attr"`
	Label  string `xml:"aria-label,attr"`
	Title  string `xml:"title"`
	Rect   struct {
		Width int    `xml:"width,attr"`
		Fill  string `xml:"fill,attr"`
	} `xml:"rect"`
	Path struct {
		D    string `xml:"d,attr"`
		Fill string `xml:"fill,attr"`
	} `xml:"path"`
	Group struct {
		Fill  string `xml:"fill,attr"`
		Texts []struct {
			X      int    `xml:"x,attr"`
			Length int    `xml:"textLength,attr"`
			Text   string `xml:",chardata"`
		} `xml:"text"`
	} `xml:"g"`
}

func read(t *testing.T, text string) badge {
	t.Helper()
	for decoder := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("it is no XML: %v\n%s", err, text)
		}
		element, is := token.(xml.StartElement)
		if !is {
			continue
		}
		if !slices.Contains([]string{"svg", "title", "rect", "path", "g", "text"}, element.Name.Local) {
			t.Errorf("it holds <%s>", element.Name.Local)
		}
		for _, a := range element.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || slices.Contains([]string{"href", "style", "id", "class"}, a.Name.Local) {
				t.Errorf("<%s> has %s", element.Name.Local, a.Name.Local)
			}
		}
	}
	var b badge
	if err := xml.Unmarshal([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// check checks what holds for every badge.
func check(t *testing.T, text string) badge {
	t.Helper()
	b := read(t, text)
	if b.Role != "img" || b.Title == "" || b.Label != b.Title {
		t.Errorf("it has no accessible name:\n%s", text)
	}
	var left int
	if _, err := fmt.Sscanf(b.Path.D, "M3 0h%dv20h", &left); err != nil || len(b.Group.Texts) != 2 || b.Rect.Width != b.Width {
		t.Fatalf("it is not two fields with two texts (%v):\n%s", err, text)
	}
	left += 3
	for i, field := range []struct {
		from, to int
		fill     string
	}{{0, left, b.Path.Fill}, {left, b.Width, b.Rect.Fill}} {
		text := b.Group.Texts[i]
		if begin, end := text.X, text.X+text.Length; begin != field.from+margin || end != field.to-margin {
			t.Errorf("the text %q reaches from %d to %d, and its field from %d to %d", text.Text, begin, end, field.from, field.to)
		}
		if c := contrast(t, field.fill, b.Group.Fill); c < 4.5 {
			t.Errorf("%q on %s has a contrast of %.2f", text.Text, field.fill, c)
		}
	}
	if strings.ContainsAny(text, "\x1b\u202e\u2066") {
		t.Errorf("it holds what does not show:\n%s", text)
	}
	return b
}

// contrast is that of WCAG 2.2 between two colours.
func contrast(t *testing.T, one, two string) float64 {
	t.Helper()
	x, y := luminance(t, one), luminance(t, two)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	digits := strings.TrimPrefix(colour, "#")
	if len(digits) == 3 {
		digits = fmt.Sprintf("%[1]c%[1]c%[2]c%[2]c%[3]c%[3]c", digits[0], digits[1], digits[2])
	}
	all, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	linear := func(shift int) float64 {
		v := float64(all>>shift&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}

func drawn(t *testing.T, v *view.View) string {
	t.Helper()
	var out strings.Builder
	if err := Format().Write(&out, v); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBadgesOfRuns(t *testing.T) {
	for name, v := range map[string]*view.View{"good": sample.Good(t), "broken": sample.Broken(t), "hostile": sample.Hostile(t)} {
		b := check(t, drawn(t, v))
		must := conformance.New(v).Summary.Must
		want := map[string]string{
			"good":    fmt.Sprintf("conformant %d/%d", must.Total, must.Total),
			"broken":  fmt.Sprintf("violated %d", must.Violated),
			"hostile": fmt.Sprintf("violated %d", must.Violated),
		}[name]
		if got := b.Group.Texts; got[0].Text != "conformance" || got[1].Text != want {
			t.Errorf("%s: it says %v, want %q", name, got, want)
		}
	}
	for name, v := range sample.EdgeCases(t) {
		if got := check(t, drawn(t, v)).Group.Texts[1].Text; strings.HasPrefix(got, "conformant") {
			t.Errorf("%s: it says %q", name, got)
		}
	}
}

func TestBadgeOfEachResult(t *testing.T) {
	colours := map[string]string{}
	for result, want := range map[verdict.Verdict]string{
		verdict.Conformant: "conformant 70/73", verdict.Excepted: "conformant except 3", verdict.Violated: "violated 2",
		verdict.Partial: "partial 70/73", verdict.Outdated: "deviations outdated", verdict.Inconclusive: "inconclusive", "": "inconclusive",
	} {
		r := &conformance.Report{Result: result}
		r.Summary.Must = conformance.Must{Total: 73, Conforms: 70}
		r.Summary.Rules = conformance.Rules{Violated: 2, Warned: 5, Deviates: 3}
		b := check(t, draw(r))
		if got := b.Group.Texts[1].Text; got != want {
			t.Errorf("%s: it says %q, want %q", result, got, want)
		}
		colours[b.Rect.Fill] += want + " "
	}
	if colours[green] != "conformant 70/73 " {
		t.Errorf("green means %q", colours[green])
	}
	strict := &conformance.Report{Result: verdict.Violated, Mode: conformance.Mode{Strict: true}}
	strict.Summary.Rules.Warned = 5
	if text, _ := says(strict); text != "violated 5" {
		t.Errorf("of a strict run it says %q", text)
	}
}

func TestBadgeOfAHostileName(t *testing.T) {
	r := &conformance.Report{Result: verdict.Partial, Implementation: record.Implementation{Project: sample.Evil, Version: "\xff\x00</title><script>"}}
	if b := check(t, draw(r)); !strings.Contains(b.Title, "</title><script>") {
		t.Errorf("the title is %q", b.Title)
	}
}

// All characters of the texts have a width of their own.
func TestWidths(t *testing.T) {
	for _, text := range []string{label, "conformant except 0123456789/", "violated", "partial", "deviations outdated", "inconclusive"} {
		for _, r := range text {
			if advance(r) == 1000 {
				t.Errorf("%q has no width", r)
			}
		}
	}
	// By the font's own table: 521+607+633+352+607+427+973+601+633+521+596, times 11, rounded up.
	if got := width(label); got != 72 {
		t.Errorf("%q is %d pixels wide", label, got)
	}
}

func BenchmarkBadge(b *testing.B) {
	v := sample.Big(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		if err := Format().Write(io.Discard, v); err != nil {
			b.Fatal(err)
		}
	}
}
