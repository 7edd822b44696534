package session

import (
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/badge"
	"github.com/hallmark-kit/hallmark/reports/bundle"
	"github.com/hallmark-kit/hallmark/reports/conformance"
	"github.com/hallmark-kit/hallmark/reports/coverage"
	"github.com/hallmark-kit/hallmark/reports/ctrf"
	"github.com/hallmark-kit/hallmark/reports/findings"
	"github.com/hallmark-kit/hallmark/reports/har"
	"github.com/hallmark-kit/hallmark/reports/html"
	"github.com/hallmark-kit/hallmark/reports/junit"
	"github.com/hallmark-kit/hallmark/reports/markdown"
	"github.com/hallmark-kit/hallmark/reports/messages"
	"github.com/hallmark-kit/hallmark/reports/sarif"
	"github.com/hallmark-kit/hallmark/reports/suggested"
)

// Formats are all report formats that --report accepts, in the order of the help text.
func Formats() []reports.Format {
	return []reports.Format{
		reports.JSON(),
		findings.Format(),
		junit.Format(),
		html.Format(),
		markdown.Format(),
		ctrf.Format(),
		sarif.Format(),
		coverage.Format(),
		har.Format(),
		messages.Format(),
		conformance.Format(nil),
		badge.Format(),
		bundle.Format(),
		suggested.Format(),
	}
}
