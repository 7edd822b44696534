package github

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Most is the maximum number of annotations of a kind that GitHub shows for a step.
const Most = 10

// Location is a line of a file in the user's repository; the file is empty if there is none.
type Location struct {
	File string
	Line int
}

// Annotations returns a run as workflow commands, one per line: an error for each cause that fails it and each known deviation that no
// longer holds, a warning for each violated should rule, and what else matters for the verdict. If GitHub would not show all of a kind,
// the last one states how many there are. place finds the location of a cause; it may be nil.
func Annotations(v *view.View, place func(verdict.Cause) Location) string {
	var failures, warnings []string
	failing, warning := v.Causes()
	if lost := v.Record.Lost; lost != "" && len(failing) > 0 {
		failures = append(failures, command("error", "hallmark: the target was lost", Location{}, text.Short(verdict.LostPhrase(v.Record))))
	}
	for _, c := range failing {
		failures = append(failures, command("error", title(c), where(place, c), cause(c)))
	}
	for _, d := range v.Result.Deviations {
		if d.Fails {
			failures = append(failures, command("error", d.Rule+" ("+string(d.State)+")", Location{}, d.Says))
		}
	}
	for _, c := range warning {
		warnings = append(warnings, command("warning", title(c), where(place, c), cause(c)))
	}
	res := &v.Result
	say := func(kind string) string {
		return command(kind, "hallmark: "+res.Verdict.Word(), Location{}, text.Short(res.Because))
	}
	notice := ""
	switch {
	case len(failures) > 0:
	case res.ExitCode != verdict.ExitOK:
		failures = append(failures, say("error"))
	case res.Verdict != verdict.Conformant:
		notice = say("notice")
	}
	return capped(failures, "error") + capped(warnings, "warning") + notice
}

// capped returns the first items, and how many more there are.
func capped(all []string, kind string) string {
	if len(all) > Most {
		rest := len(all) - Most + 1
		all = append(all[:Most-1:Most-1], command(kind, "hallmark", Location{}, fmt.Sprintf("%d more; the summary and the reports list them all", rest)))
	}
	return strings.Join(all, "")
}

func title(c verdict.Cause) string {
	if mark := c.Mark(); mark != "" {
		return c.Rule + " (" + string(c.Level) + ", " + mark + ")"
	}
	return c.Rule + " (" + string(c.Level) + ")"
}

// cause returns a cause in a few lines.
func cause(c verdict.Cause) string {
	lines := []string{c.Says, c.Message}
	if !c.Lead.Where.IsZero() {
		lines = append(lines, text.Short(c.Lead.Where.String()))
	}
	if c.Mark() == record.IntermittentMark {
		lines = append(lines, c.Confirmation.Sentence())
	}
	if second := record.OpinionText(c.Opinion); second != "" {
		lines = append(lines, text.Visible(second))
	}
	if c.Rerun != "" {
		lines = append(lines, c.Rerun)
	}
	return strings.Join(lines, "\n")
}

func where(place func(verdict.Cause) Location, c verdict.Cause) Location {
	if place == nil {
		return Location{}
	}
	return place(c)
}

// command returns a workflow command; line breaks in its message are kept.
func command(kind, title string, at Location, message string) string {
	properties := " title=" + property(title)
	if at.File != "" {
		properties += ",file=" + property(at.File)
		if at.Line > 0 {
			properties += ",line=" + strconv.Itoa(at.Line)
		}
	}
	var lines []string
	for line := range strings.SplitSeq(message, "\n") {
		lines = append(lines, data(text.Visible(line)))
	}
	return "::" + kind + properties + "::" + strings.Join(lines, "%0A") + "\n"
}

// data escapes the message of a command, property the value of a property.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text.Visible(s)))
}
