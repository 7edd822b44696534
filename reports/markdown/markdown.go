package markdown

import (
	"fmt"
	"io"
	"strings"

	"hallmark/internal/text"
	"hallmark/reports"
	"hallmark/reports/view"
)

const (
	// Comment is how many characters a comment on GitHub may have. Bytes are counted, of which there are never fewer.
	Comment = 65_536
	// Summary is how many bytes a step may write to the page of a job of GitHub Actions.
	Summary = 1 << 20
	// Least is the limit below which there is no room for the verdict.
	Least = 4096
)

// Format is a report for the comment of a merge request.
func Format() reports.Format {
	return reports.Format{
		Name: "markdown", Says: "Markdown, for a comment on a merge request",
		Write: func(w io.Writer, v *view.View) error { return Write(w, v, Comment) },
	}
}

// Write writes a run in at most limit bytes, of which there have to be Least. The verdict comes first, then the causes,
// then what they rest on. What does not fit is left out, the least needed first, and the last lines say so.
func Write(w io.Writer, v *view.View, limit int) error {
	t := &renderer{View: v}
	head, areas, tail := t.head(), t.areas(), t.tail()
	room := &room{left: limit - len(head) - len(tail) - leftOutSize}
	areas = room.optional(areas, "the table of areas")
	causes := room.causes(t.causes())
	parts := []string{head, causes, areas}
	for _, s := range t.sections() {
		parts = append(parts, room.optional(s.text, s.name))
	}
	parts = append(parts, tail, room.leftOut(limit))
	var out strings.Builder
	for _, part := range parts {
		if part == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(part)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// leftOutSize is room for the sentence that says what was left out, and for the blank lines between the parts.
const leftOutSize = 700

// room is what is left of the limit.
type room struct {
	left    int
	missing []string
}

// optional takes a part whole or not at all.
func (r *room) optional(text, name string) string {
	if len(text)+1 > r.left {
		r.missing = append(r.missing, name)
		return ""
	}
	r.left -= len(text) + 1
	return text
}

// causes takes what it can of each cause: all of it, else without what is folded. Room for the short form of those that
// follow is kept, so that a long one does not hide others.
func (r *room) causes(all []causeText) string {
	short := 0
	for _, c := range all {
		short += len(c.short) + 1
	}
	var out strings.Builder
	folded, gone := 0, 0
	for _, c := range all {
		short -= len(c.short) + 1
		text := c.whole
		if len(text)+1+short > r.left && len(c.short) < len(c.whole) {
			text = c.short
			folded++
		}
		if len(text)+1 > r.left {
			gone++
			continue
		}
		r.left -= len(text) + 1
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(text)
	}
	folded -= gone
	if gone > 0 {
		r.missing = append(r.missing, text.Count(gone, "cause")+" of "+fmt.Sprint(len(all)))
	}
	if folded > 0 {
		r.missing = append(r.missing, "the requests and answers of "+text.Count(folded, "cause"))
	}
	return out.String()
}

// leftOut says in a sentence what did not fit.
func (r *room) leftOut(limit int) string {
	if len(r.missing) == 0 {
		return ""
	}
	return "Left out, since no more than " + strings.TrimSuffix(text.Count(limit, "byte"), "s") + "s fit here: " + strings.Join(r.missing, "; ") +
		". The reports `html` and `json` hold everything.\n"
}
