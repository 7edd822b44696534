package badge

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/conformance"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Format is the badge format.
func Format() reports.Format {
	return reports.Format{
		Name: "badge", Says: "a small picture (SVG) of the verdict, for a README",
		Write: func(w io.Writer, v *view.View) error {
			_, err := io.WriteString(w, draw(conformance.New(v)))
			return err
		},
	}
}

// label is the text on the left.
const label = "conformance"

// Colours with a contrast of at least 4.5 to white text (WCAG 2.2, success criterion 1.4.3).
const (
	dark   = "#3b4048"
	green  = "#1a7f37"
	olive  = "#566a00"
	brown  = "#8a5a00"
	red    = "#b42318"
	grey   = "#5c6370"
	white  = "#fff"
	height = 20
	// margin is the space on each side of a text, in pixels.
	margin = 6
)

// says returns the text on the right and its background colour.
func says(r *conformance.Report) (text, colour string) {
	rules, must := r.Summary.Rules, r.Summary.Must
	share := strconv.Itoa(must.Conforms) + "/" + strconv.Itoa(must.Total)
	switch r.Result {
	case verdict.Conformant:
		return "conformant " + share, green
	case verdict.Excepted:
		return "conformant except " + strconv.Itoa(rules.Deviates), olive
	case verdict.Violated:
		broken := rules.Violated
		if r.Mode.Strict {
			broken += rules.Warned
		}
		return "violated " + strconv.Itoa(broken), red
	case verdict.Partial:
		return "partial " + share, brown
	case verdict.Outdated:
		return "deviations outdated", brown
	default:
	}
	return "inconclusive", grey
}

// title returns the full text, for screen readers and tooltips.
func title(r *conformance.Report, standing string) string {
	what := strings.TrimSpace(r.Implementation.Project + " " + r.Implementation.Version)
	if what != "" {
		what = " of " + text.Short(what)
	}
	return "Conformance" + what + ": " + standing + ", " + r.Date.UTC().Format(time.DateOnly)
}

func draw(r *conformance.Report) string {
	standing, colour := says(r)
	left, right := width(label)+2*margin, width(standing)+2*margin
	var out strings.Builder
	name := escapeXML(title(r, standing))
	// No ids: a page may contain several badges.
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="%[3]s">`+"\n",
		left+right, height, name)
	fmt.Fprintf(&out, "<title>%s</title>\n", name)
	fmt.Fprintf(&out, `<rect width="%d" height="%d" rx="3" fill="%s"/>`+"\n", left+right, height, colour)
	fmt.Fprintf(&out, `<path d="M3 0h%dv%dh-%[1]da3 3 0 0 1-3-3v-%[3]da3 3 0 0 1 3-3z" fill="%[4]s"/>`+"\n", left-3, height, height-6, dark)
	fmt.Fprintf(&out, `<g fill="%s" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="%d">`, white, fontSize)
	// textLength keeps the text within its field in any font.
	for _, t := range []struct {
		x    int
		text string
	}{{margin, label}, {left + margin, standing}} {
		fmt.Fprintf(&out, `<text x="%d" y="14" textLength="%d" lengthAdjust="spacingAndGlyphs">%s</text>`, t.x, width(t.text), escapeXML(t.text))
	}
	out.WriteString("</g>\n</svg>\n")
	return out.String()
}

// escapeXML escapes text for XML.
func escapeXML(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // a strings.Builder never fails
	return out.String()
}
