package html

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// markup builds HTML. The most frequent parts, exchanges and scenarios, are written with it instead of a template, which takes ten times as
// long. Only trusted text becomes markup; all other text is escaped.
type markup struct{ buf []byte }

// trusted is markup from this package. Text from outside has another type and so cannot be passed as trusted.
type trusted string

// put appends trusted markup.
func (m *markup) put(t trusted) { m.buf = append(m.buf, t...) }

// made appends markup made and escaped earlier.
func (m *markup) made(all []byte) { m.buf = append(m.buf, all...) }

// text appends text from outside, between tags or in an attribute.
func (m *markup) text(v visible) { m.buf = appendEscaped(m.buf, string(v), everySpecial) }

// number appends a number for an anchor or attribute.
func (m *markup) number(n int) { m.buf = strconv.AppendInt(m.buf, int64(n), 10) }

// element appends text from outside between two trusted tags.
func (m *markup) element(begin trusted, v visible, end trusted) {
	m.put(begin)
	m.text(v)
	m.put(end)
}

// Write appends what a template wrote, and never fails.
func (m *markup) Write(p []byte) (int, error) {
	m.made(p)
	return len(p), nil
}

// longName is the length up to which a name is left in one piece.
const longName = 24

// name appends a name. Long ones may be broken between their words, and nowhere else.
func (m *markup) name(v visible) {
	s := string(v)
	if len(s) <= longName {
		m.text(v)
		return
	}
	from := 0
	for i := 1; i < len(s); i++ {
		camel := s[i-1] >= 'a' && s[i-1] <= 'z' && s[i] >= 'A' && s[i] <= 'Z'
		if after := strings.IndexByte("./_-:", s[i-1]) >= 0; i-from > 3 && len(s)-i > 3 && (after || camel) {
			m.text(visible(s[from:i]))
			m.put("<wbr>")
			from = i
		}
	}
	m.text(visible(s[from:]))
}

// breakable returns a name for a template; see [markup.name].
func breakable(v visible) template.HTML {
	var m markup
	m.name(v)
	return m.html()
}

// html returns the markup for a template.
func (m *markup) html() template.HTML { return template.HTML(m.buf) } //nolint:gosec // its parts are trusted or escaped

// specials are the characters that could start markup between tags; everySpecial adds those that could end an attribute. Quotation marks
// need no escape between tags, and JSON is full of them.
var (
	specials     = newEscaper("&", "&amp;", "<", "&lt;", ">", "&gt;")
	everySpecial = newEscaper("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
)

// escaper replaces characters that are special in HTML.
type escaper struct {
	// plain marks the bytes that need no change: visible ASCII that is not replaced.
	plain   [256]bool
	replace *strings.Replacer
}

func newEscaper(pairs ...string) *escaper {
	e := &escaper{replace: strings.NewReplacer(pairs...)}
	for c := ' '; c <= '~'; c++ {
		e.plain[c] = true
	}
	for i := 0; i < len(pairs); i += 2 {
		e.plain[pairs[i][0]] = false
	}
	return e
}

// appendEscaped appends text from outside, escaped and with its invisible characters shown.
func appendEscaped(to []byte, s string, e *escaper) []byte {
	for i := range len(s) {
		if !e.plain[s[i]] {
			return append(to, e.replace.Replace(text.Visible(s))...)
		}
	}
	return append(to, s...)
}
