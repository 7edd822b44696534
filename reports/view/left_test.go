package view_test

import (
	"io"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/html"
	"github.com/hallmark-kit/hallmark/reports/junit"
	"github.com/hallmark-kit/hallmark/reports/markdown"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// Each output with a summary says what a run left behind.
func TestWhatIsLeftIsSaidEverywhere(t *testing.T) {
	v := new(view.View)
	*v = *sample.Good(t)
	rec := *v.Record
	v.Record = &rec
	detail := func(d terminal.Detail) func(io.Writer, *view.View) error {
		return func(w io.Writer, v *view.View) error { return terminal.Write(w, v, terminal.Look{Detail: d}) }
	}
	for name, write := range map[string]func(io.Writer, *view.View) error{
		"terminal": detail(terminal.Usual), "quiet": detail(terminal.Brief), "markdown": markdown.Format().Write, "html": html.Format().Write, "junit": junit.Format().Write,
	} {
		for _, c := range []struct {
			fates []record.Fate
			want  string
		}{
			{[]record.Fate{record.Removed}, ""},
			{[]record.Fate{record.Created, record.Removed, record.Created}, "2 resources are still there: hallmark ledger"},
			{[]record.Fate{record.Unknown}, "1 resource may still be there: hallmark ledger"},
			{[]record.Fate{record.Created, record.Unknown}, "1 resource is still there, and 1 more may be: hallmark ledger"},
		} {
			v.Record.Created = nil
			for i, fate := range c.fates {
				v.Record.Created = append(v.Record.Created, record.Creation{N: i + 1, Fate: fate})
			}
			var text strings.Builder
			if err := write(&text, v); err != nil {
				t.Fatal(err)
			}
			if says := strings.Contains(text.String(), ": hallmark ledger"); says != (c.want != "") || !strings.Contains(text.String(), c.want) {
				t.Errorf("%s says of what is left: %v, want %q", name, says, c.want)
			}
		}
	}
}
