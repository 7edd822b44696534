package markdown

import (
	"fmt"
	"io"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/view"
)

const (
	// Comment is the length of a comment that GitHub surely accepts: up to 65,536 characters, of which there are no more than bytes, less
	// what a job adds around it, such as a marker by which it finds the comment again.
	Comment = 65_000
	// Summary is the maximum number of bytes that a step of GitHub Actions may write to the page of its job.
	Summary = 1 << 20
	// Least is the smallest limit that has room for the verdict.
	Least = 4096
)

// Format is the format for comments on merge requests.
func Format() reports.Format {
	return reports.Format{
		Name: "markdown", Says: "Markdown, for a comment on a merge request",
		Write: func(w io.Writer, v *view.View) error { return Write(w, v, Comment) },
	}
}

// Write writes a run in at most limit bytes, which must be at least Least: the verdict, the causes, and what they are based on. If it does
// not fit, the least important parts are omitted, and the last lines say so.
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

// leftOutSize is the space for the sentence about omissions and for blank lines between parts.
const leftOutSize = 700

// room is the remaining space.
type room struct {
	left    int
	missing []string
}

// optional writes a part completely or not at all.
func (r *room) optional(text, name string) string {
	if len(text)+1 > r.left {
		r.missing = append(r.missing, name)
		return ""
	}
	r.left -= len(text) + 1
	return text
}

// causes writes each cause completely if possible, otherwise without its folded part. It reserves space for the short forms of the following
// causes, so that a long one does not hide others.
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

// leftOut describes the omissions in a sentence.
func (r *room) leftOut(limit int) string {
	if len(r.missing) == 0 {
		return ""
	}
	return "Left out, since no more than " + strings.TrimSuffix(text.Count(limit, "byte"), "s") + "s fit here: " + strings.Join(r.missing, "; ") +
		". The reports `html` and `json` hold everything.\n"
}
