package markdown

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

const (
	// bodyShown is the maximum length of a body, curlShown that of a curl command, in characters.
	bodyShown = 400
	curlShown = 2000
	// sentencesShown is how many sentences of the document are named that were not judged.
	sentencesShown = 10
	// rulesNamed, answersShown, askedShown and warningsShown limit lists; further items are only counted.
	rulesNamed    = 12
	answersShown  = 5
	askedShown    = 6
	warningsShown = 20
)

// renderer writes the parts of a report, each ending with a line break.
type renderer struct{ *view.View }

// head writes the verdict, and who judged whom.
func (t *renderer) head() string {
	res := &t.Result
	because := res.Because
	if failing, _ := t.Causes(); len(failing) > 0 && res.Verdict == verdict.Violated {
		because += " (" + text.Count(len(failing), "cause") + ")"
	}
	var out strings.Builder
	out.WriteString("## " + res.Verdict.Word() + ": " + Text(text.Short(because)) + "\n\n")
	var scope []string
	if who := t.who(); who != "" {
		scope = append(scope, Text(who))
	}
	for _, part := range t.Scope() {
		scope = append(scope, Text(text.Short(part)))
	}
	out.WriteString(strings.Join(scope, " · ") + "\\\n")
	out.WriteString(t.Counts() + " · " + t.Work())
	if left := t.Left(); left != "" {
		out.WriteString("\\\n" + Text(left))
	}
	out.WriteString("\n")
	if suspects, _ := t.Suspects(); len(suspects) > 0 {
		out.WriteString("\nRequests in flight when the target was lost, the most likely cause first:\n\n")
		for _, s := range suspects {
			out.WriteString("1. " + Text(text.Short(s)) + "\n")
		}
	}
	for _, failure := range res.Failures {
		out.WriteString("\nHallmark itself failed, so this run proves nothing: " + Text(text.Short(failure)) + "\n")
		break
	}
	return out.String()
}

// who names what was judged, as far as it is known.
func (t *renderer) who() string {
	i := t.Record.Target.Implementation
	return text.Short(strings.Join(strings.Fields(i.Organization+" "+i.Project+" "+i.Version), " "))
}

// areas writes the table of verdicts by area.
func (t *renderer) areas() string {
	columns := t.Columns()
	head := []string{"rules"}
	for _, verdict := range columns {
		head = append(head, string(verdict))
	}
	var rows [][]string
	for _, a := range t.Areas() {
		row := []string{Text(a.Name)}
		for _, verdict := range columns {
			row = append(row, count(verdict, a.Counts[verdict]))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return ""
	}
	return headed("Rules by area", Figures(head, rows))
}

// count writes a number; violations are emphasized, zeros are not.
func count(v verdict.Verdict, n int) string {
	switch {
	case n == 0:
		return "·"
	case v == verdict.Violated || v == verdict.Warned:
		return "**" + strconv.Itoa(n) + "**"
	}
	return strconv.Itoa(n)
}

// causeText is a cause in two lengths.
type causeText struct{ whole, short string }

// causes writes what fails the run.
func (t *renderer) causes() []causeText {
	failing, _ := t.Causes()
	var all []causeText
	for _, c := range failing {
		short := t.cause(c, "###")
		all = append(all, causeText{whole: short + "\n" + t.proof(c), short: short})
	}
	return all
}

// cause writes a cause without its evidence.
func (t *renderer) cause(c verdict.Cause, heading string) string {
	r := t.Rule(c.Rule)
	var out strings.Builder
	title := heading + " " + Code(c.Rule) + " · " + string(r.Level)
	if r.Section != "" {
		title += " · " + Text(r.Section)
	}
	if mark := c.Mark(); mark != "" {
		title += " · **" + mark + "**"
	}
	out.WriteString(title + "\n\n")
	if r.Says != "" {
		out.WriteString(Text(r.Says))
		if r.Source != "" {
			out.WriteString(" (" + Text(r.Source) + ")")
		}
		out.WriteString("\n\n")
	}
	var rows [][]string
	if c.Lead.Rule != c.Rule {
		rows = append(rows, []string{"example", Code(c.Lead.Rule) + " " + Text(t.Rule(c.Lead.Rule).Says)})
	}
	rows = append(rows, []string{"expected", Text(text.Short(c.Lead.Expected.String()))}, []string{"actual", Text(text.Short(c.Lead.Actual.String()))})
	if !c.Lead.Where.IsZero() {
		rows = append(rows, []string{"where", Text(text.Short(c.Lead.Where.String()))})
	}
	out.WriteString(Table(rows[0], rows[1:]))
	return out.String()
}

// proof writes the evidence of a cause, folded: the requests, how to repeat them, and their extent.
func (t *renderer) proof(c verdict.Cause) string {
	var body strings.Builder
	var shell []string
	switch {
	case len(c.Curl) > curlShown:
		body.WriteString("The curl line is " + text.Count(len(c.Curl), "character") + " long; the report `json` holds it.\n\n")
	case c.Curl != "":
		shell = append(shell, strings.Split(c.Curl, "\n")...)
	}
	if c.Rerun != "" {
		shell = append(shell, c.Rerun)
	}
	if len(shell) > 0 {
		body.WriteString(Fence("sh", shell...) + "\n")
	}
	if lines := t.exchanges(c.Lead); len(lines) > 0 {
		body.WriteString(Fence("text", lines...) + "\n")
	}
	for _, line := range c.Extent() {
		body.WriteString("- " + Text(text.Short(line)) + "\n")
	}
	return Folded("The request, and how to repeat it", body.String())
}

// exchanges returns the cited exchanges of a finding by line; each line begins with a trusted word.
func (t *renderer) exchanges(f spec.Finding) []string {
	var lines []string
	cited := t.Cited(f)
	for i, ex := range cited {
		switch {
		case i < len(cited)-4:
			continue
		case i < len(cited)-1:
			lines = append(lines, "before it "+view.ExchangeLine(ex))
			continue
		}
		lines = append(lines, "request   "+view.AskedLine(ex))
		if len(ex.Request.Body) > 0 {
			line, _ := view.Excerpt(ex.Request.Body, "", bodyShown)
			lines = append(lines, "          "+line)
		}
		if ex.Correlation != "" {
			lines = append(lines, "trace id  "+text.Short(ex.Correlation))
		}
		if ex.Response == nil {
			lost := ex.Lost
			if lost == "" {
				lost = "the connection was lost"
			}
			lines = append(lines, "response  none: "+text.Short(lost))
			continue
		}
		body, at := view.Excerpt(ex.Response.Body, f.Pointer, bodyShown)
		answer := "response  " + view.AnswerLine(ex)
		if at != "" {
			answer += ", here " + text.Short(at)
		}
		lines = append(lines, answer)
		if body != "" {
			lines = append(lines, "          "+body)
		}
	}
	return lines
}

// section is a part that may be omitted, and its name.
type section struct{ name, text string }

func (t *renderer) sections() []section {
	return []section{
		{"what is undecided", t.undecided()},
		{"what was intermittent", t.unasked("Intermittent", verdict.Intermittent)},
		{"the scenarios that could not be judged", t.errors()},
		{"what was not exercised", t.unasked("Not exercised", verdict.NotExercised)},
		{"what does not apply", t.unasked("Not applicable", verdict.NotApplicable)},
		{"the warnings", t.warnings()},
		{"the known violations", t.deviations()},
		{"the observations", t.observations()},
	}
}

// errors writes what could not be judged, which does not count against the service.
func (t *renderer) errors() string {
	by := t.Errored()
	var out strings.Builder
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(&out, "- %s: %s\n", text.Count(len(by[reason]), "scenario"), Text(text.Short(reason)))
	}
	return headed("Could not be judged", out.String())
}

// unasked lists the rules of a verdict by reason.
func (t *renderer) unasked(title string, v verdict.Verdict) string {
	var out strings.Builder
	for _, u := range t.Unasked(v) {
		if u.Beside {
			// For a partial run, the rest is not interesting.
			out.WriteString("- " + Text(u.Reason) + ": " + text.Count(len(u.Rules), "rule") + "\n")
			continue
		}
		var ids []string
		for i, r := range u.Rules {
			if i >= rulesNamed && !r.Level.Fails() {
				ids = append(ids, "and "+strconv.Itoa(len(u.Rules)-i)+" more")
				break
			}
			ids = append(ids, Code(r.Rule))
		}
		out.WriteString("- " + Text(u.Reason) + ": " + strings.Join(ids, ", ") + "\n")
	}
	return headed(title, out.String())
}

// undecided writes the causes that the second judge doubts, with its opinions.
func (t *renderer) undecided() string {
	_, warning := t.Causes()
	var all strings.Builder
	for i := range warning {
		c := &warning[i]
		if !c.Undecided {
			continue
		}
		all.WriteString(t.cause(*c, "###") + "\n- " + Text(text.Short(record.OpinionText(c.Opinion))) + "\n\n")
	}
	return headed("Undecided", all.String())
}

// warnings writes the violated should rules.
func (t *renderer) warnings() string {
	_, warning := t.Causes()
	warning = slices.DeleteFunc(warning, func(c verdict.Cause) bool { return c.Undecided })
	if len(warning) == 0 {
		return ""
	}
	var rows [][]string
	for i, c := range warning {
		if i == warningsShown {
			rows = append(rows, []string{"and " + strconv.Itoa(len(warning)-i) + " more", "", "", ""})
			break
		}
		rows = append(rows, []string{
			Code(c.Rule), Text(t.Rule(c.Rule).Says), Text(text.Short(c.Lead.Expected.String())), Text(text.Short(c.Lead.Actual.String())),
		})
	}
	return headed("Warnings", Table([]string{"should rule", "says", "expected", "actual"}, rows))
}

// deviations lists the known violations, those that fail the run first.
func (t *renderer) deviations() string {
	all := slices.Clone(t.Result.Deviations)
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(x, y verdict.DeviationVerdict) int {
		switch {
		case x.Fails == y.Fails:
			return 0
		case x.Fails:
			return -1
		}
		return 1
	})
	var rows [][]string
	for _, d := range all {
		state := string(d.State)
		if d.Fails {
			state = "**" + state + "**"
		}
		rows = append(rows, []string{state, Code(d.Rule), Text(text.Short(d.Message)), Text(text.Short(d.Says)), Text(text.Short(d.Link))})
	}
	return headed("Known violations", Table([]string{"state", "rule", "message", "verdict", "link"}, rows))
}

// observations are folded, because few readers want them in every report.
func (t *renderer) observations() string {
	answers := t.Observed()
	var rows [][]string
	for _, r := range t.Asked() {
		question := r.Asks
		if question == "" {
			question = r.Says
		}
		first := []string{Code(r.ID), Text(question)}
		for i, a := range answers[r.ID] {
			if i == answersShown {
				rows = append(rows, []string{"", "", "", "and " + text.Count(len(answers[r.ID])-i, "other response")})
				break
			}
			asked := a.Asked
			if len(asked) > askedShown {
				asked = append(slices.Clone(asked[:askedShown]), "and "+strconv.Itoa(len(asked)-askedShown)+" more")
			}
			rows = append(rows, append(slices.Clone(first), Text(text.Short(strings.Join(asked, ", "))), Text(text.Short(a.Answer))))
			first = []string{"", ""}
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return Folded("Observed: how the service decides "+text.Count(len(answers), "question")+" that the interface leaves open",
		Table([]string{"open rule", "question", "asked", "answer"}, rows))
}

// tail writes what the verdict is based on, and how to repeat the run.
func (t *renderer) tail() string {
	var out strings.Builder
	if p := t.Result.Proof; p != nil {
		out.WriteString(Text(p.Says) + "\n\n")
	}
	if summary, sentences := t.Traffic(false); summary != "" {
		out.WriteString("Traffic: " + Text(summary) + ".\n\n")
		for _, says := range sentences {
			out.WriteString("- " + Text(says) + "\n")
		}
		out.WriteString("\n")
	}
	for _, text := range t.Waited() {
		out.WriteString(Text(text) + "\n\n")
	}
	if unjudged := t.Unjudged(); unjudged != "" {
		out.WriteString(Text(unjudged+".") + "\n\n")
	}
	for _, says := range t.Bodies() {
		out.WriteString(Text(says+".") + "\n\n")
	}
	if c := t.Coverage(); c != nil && len(c.Operations) > 0 {
		out.WriteString("Coverage: " + Text(c.Summary()) + ".\n\n")
	}
	if summary, unjudged := t.Sentences(sentencesShown); summary != "" {
		out.WriteString("Sentences of the document: " + Text(summary) + ".\n\n")
		for _, says := range unjudged {
			out.WriteString("- " + Text(says) + "\n")
		}
		if len(unjudged) > 0 {
			out.WriteByte('\n')
		}
	}
	out.WriteString("Seed " + Text(text.Short(t.Seed())) + ".")
	if line := t.rerunCommand(); line != "" && len(line) <= curlShown {
		out.WriteString(" To run the same again:\n\n" + Fence("sh", line))
		return out.String()
	}
	out.WriteString("\n")
	return out.String()
}

// rerunCommand returns the command line that repeats the run, or "".
func (t *renderer) rerunCommand() string {
	o := t.Record.Options
	if o.Rerun == "" || o.Again != "" || len(t.Record.Shards) > 0 {
		return ""
	}
	line := o.Rerun
	for _, rule := range o.Rules {
		line += strings.TrimPrefix(t.Rerun(rule), o.Rerun)
	}
	if o.Shard != "" {
		line += " --shard " + o.Shard
	}
	return line + " --seed " + strconv.FormatInt(o.Seed, 10)
}

// headed adds a heading to a part, unless it is empty.
func headed(title, body string) string {
	if body == "" {
		return ""
	}
	return "### " + title + "\n\n" + body
}
