package source

import (
	"strings"
)

// TextLine returns the line of the document in which the byte at an offset of a text is written; 0 if there is no text at the pointer. In a
// text of several lines the words before the offset are counted, so the line is exact for block scalars and for plain and single-quoted ones.
func (d *Document) TextLine(pointer string, offset int) int {
	key, value := d.find(pointer)
	if value == nil || value.Kind != ScalarNode {
		return 0
	}
	name, _ := FileOf(pointer)
	f, first := d.files[name], int(value.Line)
	if key != nil {
		first = int(key.Line)
	}
	if f == nil || first < 1 || first > len(f.starts) || offset < 0 || isObject(f.text) {
		return int(value.Line)
	}
	before := len(strings.Fields(value.Value[:min(offset, len(value.Value))]))
	line := f.line(first)
	if key != nil {
		if at := strings.Index(line, key.Value); at >= 0 {
			line = line[at+len(key.Value):]
		}
		_, line, _ = strings.Cut(line, ":")
	}
	line = withoutProperties(line)
	quoted := strings.HasPrefix(line, `"`)
	if quoted && closes(line[1:]) {
		return first
	}
	for number := first; ; {
		if quoted {
			line = strings.NewReplacer(`\n`, " ", `\t`, " ").Replace(strings.TrimSuffix(line, `\`))
		}
		words := len(strings.Fields(line))
		if before < words {
			return number
		}
		before -= words
		if number++; number > len(f.starts) {
			return first
		}
		line = f.line(number)
	}
}

// isObject reports whether a text is JSON, whose strings have no line breaks.
func isObject(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "{") }

// withoutProperties returns what follows a key without its anchor and tag, and without the header of a block scalar.
func withoutProperties(line string) string {
	line = strings.TrimSpace(line)
	for strings.HasPrefix(line, "&") || strings.HasPrefix(line, "!") {
		_, rest, _ := strings.Cut(line, " ")
		line = strings.TrimSpace(rest)
	}
	if strings.HasPrefix(line, "|") || strings.HasPrefix(line, ">") {
		return ""
	}
	return line
}

// closes reports whether a double-quoted text ends in a line, of which its first quote has been cut off.
func closes(line string) bool {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return true
		}
	}
	return false
}
