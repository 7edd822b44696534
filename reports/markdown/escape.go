package markdown

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"hallmark/internal/text"
)

// wordy is how many words of a text may be shown as code before all of it is.
const wordy = 2

// Text writes a text so that it reads as a sentence and is nothing but text. Words that Markdown or a forge would make
// something of (markup, addresses, @names, #12, numbers of commits, keys of tickets) are written as code, in which neither
// looks for anything.
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
		// Punctuation around a word stays outside.
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
	// listed begins an item of a list where it begins a line.
	listed = regexp.MustCompile(`^[0-9]+[.)]$`)
	// linked is what forges make links of although it has only letters, digits and hyphens: commits, tickets, hosts. What of the other
	// letters ends a word for them is not known, so all do.
	linked = regexp.MustCompile(`\b[0-9a-f]{7,}\b|\b[A-Z][A-Z0-9]*-[0-9]+\b|^(?i:www)\.`)
	digits = regexp.MustCompile(`^[0-9]+([.,][0-9]+)*$`)
)

// harmless reports whether neither Markdown nor a forge makes anything of a word.
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

// Code writes a text as a span of code, also in a table.
func Code(s string) string {
	s = text.Visible(s)
	if s == "" {
		return "<code></code>"
	}
	if !strings.ContainsAny(s, "`|") && strings.TrimSpace(s) == s && !strings.HasSuffix(s, `\`) {
		return "`" + s + "`"
	}
	// A span would need longer fences, and in a table no fence hides a bar. References can neither begin nor end anything.
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

// Fence writes lines as a block of code; language may be empty.
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

// Table writes a table; its cells are Markdown already.
func Table(head []string, rows [][]string) string {
	return table(head, rows, strings.Repeat(" --- |", len(head)))
}

// Figures writes a table whose columns hold numbers, but for the first.
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

// Folded writes Markdown that opens when its title is clicked; the title is plain text of ours.
func Folded(title, body string) string {
	return "<details><summary>" + title + "</summary>\n\n" + strings.TrimRight(body, "\n") + "\n\n</details>\n"
}
