package derive

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

func itoa(n int) string { return strconv.Itoa(n) }

// quote writes a JSON string; the values of derived cases are plain text.
func quote(text string) string { return strconv.Quote(text) }

// unquoted returns the text of a JSON string, or the JSON text itself for anything else.
func unquoted(json string) string {
	if text, err := strconv.Unquote(json); err == nil {
		return text
	}
	return json
}

// cellText escapes a text for a table cell.
func cellText(text string) string {
	return cells.Replace(text)
}

// cells escapes what ends a cell of a table.
var cells = strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", `\n`)

// table writes rows with their columns aligned, each line behind the indent.
func table(b *strings.Builder, indent string, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cellText(text)))
		}
	}
	for _, row := range rows {
		b.WriteString(indent + "|")
		for i, text := range row {
			text = cellText(text)
			b.WriteString(" " + text + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text)) + " |")
		}
		b.WriteString("\n")
	}
}

// steps writes Given, When and Then lines; further ones of a kind begin with And.
func (c testCase) steps(b *strings.Builder, indent string) {
	write := func(keyword string, steps []string) {
		for i, s := range steps {
			if i > 0 {
				keyword = "And"
			}
			b.WriteString(indent + keyword + " " + s + "\n")
		}
	}
	write("Given", c.given)
	write("When", []string{c.call})
	write("Then", c.then)
}
