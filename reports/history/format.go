package history

import (
	"io"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Formats returns the formats of a history, which need not exist before it is written.
func Formats(of **History) []reports.Format {
	format := func(name, says string, write func(*History, io.Writer) error) reports.Format {
		return reports.Format{Name: name, Says: says, Write: func(w io.Writer, _ *view.View) error { return write(*of, w) }}
	}
	return []reports.Format{
		format("html", "one page with plots, to read and share", HTML),
		format("json", "the history for scripts", JSON),
	}
}
