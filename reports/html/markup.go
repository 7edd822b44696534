package html

import (
	"html/template"
	"strconv"
	"strings"

	"hallmark/internal/text"
)

// markup is HTML as it is written. The most frequent parts, exchanges and scenarios, are written with it and not
// by a template, which takes ten times as long. Only trusted texts become markup; all others are escaped.
type markup struct{ buf []byte }

// trusted is markup of our own. Text from outside has another type, so that it cannot be passed as trusted.
type trusted string

// add writes markup of our own.
func (m *markup) add(t trusted) { m.buf = append(m.buf, t...) }

// made writes markup that was made and escaped before.
func (m *markup) made(all []byte) { m.buf = append(m.buf, all...) }

// text writes text from outside, between tags or in an attribute.
func (m *markup) text(v visible) { m.buf = appendEscaped(m.buf, string(v), everySpecial) }

// number writes a number for anchors and attributes.
func (m *markup) number(n int) { m.buf = strconv.AppendInt(m.buf, int64(n), 10) }

// element writes a text from outside between two tags of ours.
func (m *markup) element(begin trusted, v visible, end trusted) {
	m.add(begin)
	m.text(v)
	m.add(end)
}

// html returns what was written, for a template.
func (m *markup) html() template.HTML { return template.HTML(m.buf) } //nolint:gosec // of parts that are trusted or escaped

// specials are the characters that could begin markup between tags; everySpecial adds those that could end an
// attribute. Between tags quotation marks need no escape, and JSON is full of them.
var (
	specials     = newEscaper("&", "&amp;", "<", "&lt;", ">", "&gt;")
	everySpecial = newEscaper("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
)

// escaper replaces characters that have a meaning in HTML.
type escaper struct {
	// plain are the bytes that need no change: visible ASCII that is not replaced.
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

// appendEscaped appends text from outside: escaped, and with its invisible characters shown.
func appendEscaped(to []byte, s string, e *escaper) []byte {
	for i := range len(s) {
		if !e.plain[s[i]] {
			return append(to, e.replace.Replace(text.Visible(s))...)
		}
	}
	return append(to, s...)
}
