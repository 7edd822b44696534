package markdown

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// wordy is how many words of a text may be written as code before the whole text is.
const wordy = 2

// Text writes a text so that it reads as a sentence without any markup. Words that Markdown or a forge would interpret (markup, addresses,
// @names, #12, commit hashes, ticket keys) are written as code, which they do not interpret.
func Text(s string) string {
	s = strings.TrimSpace(text.Visible(s))
	words := strings.Split(s, " ")
	shown := make([]string, len(words))
	coded := 0
	for i, word := range words {
		if harmless(word) && (i > 0 || !listed.MatchString(word)) {
			shown[i] = word
			continue
		}
		// Punctuation around a word stays outside the code.
		inner := strings.TrimLeft(word, `("`)
		before := word[:len(word)-len(inner)]
		inner = strings.TrimRight(inner, `.,;:)"`)
		after := word[len(before)+len(inner):]
		if inner == "" || strings.ContainsAny(inner, `"()`) {
			before, inner, after = "", word, ""
		}
		shown[i] = before + Code(inner) + after
		coded++
	}
	if coded > wordy {
		return Code(s)
	}
	return strings.Join(shown, " ")
}

var (
	// listed matches what begins a list item at the beginning of a line.
	listed = regexp.MustCompile(`^[0-9]+[.)]$`)
	// linked matches what forges turn into links although it has only letters, digits and hyphens: commits, tickets, hosts. Any other
	// letter may end a word for them, so all do here.
	linked = regexp.MustCompile(`\b[0-9a-f]{7,}\b|\b[A-Z][A-Z0-9]*-[0-9]+\b|^(?i:www)\.`)
	digits = regexp.MustCompile(`^[0-9]+([.,][0-9]+)*$`)
)

// harmless reports whether neither Markdown nor a forge interprets a word.
func harmless(word string) bool {
	inner := strings.TrimRight(strings.TrimLeft(word, `("'`), `.,;:)"'?…`)
	switch {
	case linked.MatchString(inner):
		return false
	case digits.MatchString(inner), word == "&":
		return true
	}
	for i, r := range inner {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r > unicode.MaxASCII, r == '\'', r == ',':
		case r == '-' && i > 0:
		default:
			return false
		}
	}
	return true
}

// Code writes a text as a code span, also in a table.
func Code(s string) string {
	s = text.Visible(s)
	if s == "" {
		return "<code></code>"
	}
	if !strings.ContainsAny(s, "`|") && strings.TrimSpace(s) == s && !strings.HasSuffix(s, `\`) {
		return "`" + s + "`"
	}
	// A code span would need longer delimiters, and a table interprets bars even in code. Character references are always literal.
	var out strings.Builder
	out.WriteString("<code>")
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r > unicode.MaxASCII {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, "&#%d;", r)
		}
	}
	out.WriteString("</code>")
	return out.String()
}

// Fence writes lines as a code block; language may be empty.
func Fence(language string, lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(text.Visible(line) + "\n")
	}
	longest, run := 2, 0
	for _, r := range b.String() {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + language + "\n" + b.String() + fence + "\n"
}

// Table writes a table of cells that are already Markdown.
func Table(head []string, rows [][]string) string {
	return table(head, rows, strings.Repeat(" --- |", len(head)))
}

// Figures writes a table whose columns, except the first, contain numbers.
func Figures(head []string, rows [][]string) string {
	return table(head, rows, " --- |"+strings.Repeat(" ---: |", len(head)-1))
}

func table(head []string, rows [][]string, aligned string) string {
	var out strings.Builder
	line := func(cells []string) { out.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(head)
	out.WriteString("|" + aligned + "\n")
	for _, row := range rows {
		line(row)
	}
	return out.String()
}

// Folded writes Markdown that is collapsed under a title in trusted plain text.
func Folded(title, body string) string {
	return "<details><summary>" + title + "</summary>\n\n" + strings.TrimRight(body, "\n") + "\n\n</details>\n"
}
