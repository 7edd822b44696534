package compare

import (
	"io"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Formats returns the formats of a comparison, which need not exist before it is written.
func Formats(of **Comparison) []reports.Format {
	format := func(name, says string, write func(*Comparison, io.Writer) error) reports.Format {
		return reports.Format{Name: name, Says: says, Write: func(w io.Writer, _ *view.View) error { return write(*of, w) }}
	}
	return []reports.Format{
		format("json", "the comparison for scripts", JSON),
		format("html", "one page to read and share", HTML),
		format("markdown", "Markdown, for a comment on a merge request", Markdown),
	}
}
