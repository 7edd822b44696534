package session

import (
	"hallmark/reports"
	"hallmark/reports/badge"
	"hallmark/reports/bundle"
	"hallmark/reports/conformance"
	"hallmark/reports/ctrf"
	"hallmark/reports/har"
	"hallmark/reports/html"
	"hallmark/reports/junit"
	"hallmark/reports/markdown"
	"hallmark/reports/messages"
	"hallmark/reports/sarif"
)

// Formats are all report formats that --report accepts, in the order of the help text.
func Formats() []reports.Format {
	return []reports.Format{
		reports.JSON(),
		junit.Format(),
		html.Format(),
		markdown.Format(),
		ctrf.Format(),
		sarif.Format(),
		har.Format(),
		messages.Format(),
		conformance.Format(nil),
		badge.Format(),
		bundle.Format(),
	}
}
