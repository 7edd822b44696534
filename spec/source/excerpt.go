package source

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

const (
	// excerptLines is the maximum number of lines of an excerpt, excerptWidth the maximum length of a line in characters.
	excerptLines = 24
	excerptWidth = 160
)

// Excerpt is a part of the contract's text.
type Excerpt struct {
	// Line is the number of its first line in the document, starting at 1.
	Line int
	// Lines are its lines without their common indentation.
	Lines []string
	// Cut reports whether lines were omitted or shortened.
	Cut bool
}

// Excerpt returns the text at a JSON Pointer, starting with its key. It returns false if there is no node at the pointer.
func (d *Document) Excerpt(pointer string) (Excerpt, bool) {
	name, _ := FileOf(pointer)
	f, number := d.files[name], d.Line(pointer)
	if number < 1 || number > len(f.starts) {
		return Excerpt{}, false
	}
	first := f.line(number)
	margin := indentation(first)
	e := Excerpt{Line: number}
	for i := range len(f.starts) - number + 1 {
		line := f.line(number + i)
		if i > 0 && !belongs(line, first, margin) {
			break
		}
		if len(e.Lines) == excerptLines {
			e.Cut = true
			break
		}
		line = strings.TrimRight(line[min(margin, indentation(line)):], " ")
		shown := text.Truncate(line, excerptWidth)
		e.Lines, e.Cut = append(e.Lines, shown), e.Cut || shown != line
	}
	for len(e.Lines) > 1 && e.Lines[len(e.Lines)-1] == "" {
		e.Lines = e.Lines[:len(e.Lines)-1]
	}
	return e, true
}

// line returns a line of the text, counting from 1.
func (f *file) line(number int) string {
	from, to := f.starts[number-1], len(f.text)
	if number < len(f.starts) {
		to = f.starts[number] - 1
	}
	return strings.TrimSuffix(f.text[from:to], "\r")
}

// belongs reports whether a line is part of the value that starts at the line first: it is indented further, closes a bracket of
// JSON, or is an item of the list that a key begins (YAML allows it at the indentation of the key).
func belongs(line, first string, margin int) bool {
	text := strings.TrimSpace(line)
	own := indentation(line)
	switch {
	case text == "" || own > margin:
		return true
	case own < margin:
		return false
	}
	opens := strings.HasSuffix(strings.TrimSpace(first), "{") || strings.HasSuffix(strings.TrimSpace(first), "[")
	return opens && (text[0] == '}' || text[0] == ']') ||
		strings.HasPrefix(text, "- ") && strings.HasSuffix(strings.TrimSpace(first), ":") && !strings.HasPrefix(strings.TrimSpace(first), "- ")
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
