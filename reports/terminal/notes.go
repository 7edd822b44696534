package terminal

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// fewQuestions is how many observations are shown for a partial run, which may be about just these.
const fewQuestions = 3

// notes writes what the verdict is based on: what was not exercised, what was observed, and what the suite can find.
func (t *renderer) notes() {
	t.traffic()
	t.notAsked()
	if unjudged := t.view.Unjudged(); unjudged != "" {
		t.Note(layout.Bold, "NOT JUDGED", unjudged)
	}
	t.bodies()
	t.coverage()
	t.roles()
	t.suggested()
	t.sentences()
	switch n := len(t.view.Observed()); {
	case n > 0 && (t.detail == Full || n <= fewQuestions && t.view.Record.Filtered()):
		t.observations()
	case n > 0:
		t.Note(layout.Bold, "OBSERVED", "how the service decides "+text.Count(n, "question")+" that the interface leaves open (see --verbose)")
	}
	if width := t.view.Record.Width; width != nil && t.detail == Full {
		t.Note(layout.Bold, "AT ONCE", text.Visible(width.Sentence()))
	}
	if path := view.CriticalPath(t.view.Record).Sentence(); path != "" && t.detail == Full {
		t.Note(layout.Bold, "CRITICAL PATH", path)
	}
	if proof := t.view.Result.Proof; proof != nil && (!proof.Elsewhere || t.detail == Full) {
		t.Note(layout.Bold, "PROOF", text.Visible(proof.Says))
	}
}

// unaskedLines is the maximum number of lines about what was not asked, unless in full.
const unaskedLines = 12

// notAsked writes what was not asked and why: in full with all rules and scenarios, otherwise on a few lines.
func (t *renderer) notAsked() {
	if t.detail == Full {
		for _, of := range []struct {
			title string
			of    verdict.Verdict
		}{{"NOT EXERCISED", verdict.NotExercised}, {"NOT APPLICABLE", verdict.NotApplicable}, {"UNDECIDED", verdict.Doubtful}, {"INTERMITTENT", verdict.Intermittent}} {
			if all := t.view.Unasked(of.of); len(all) > 0 {
				t.title(of.title, all, "")
				t.reasons(all)
			}
		}
		t.skipped()
		return
	}
	// Most rules need requests of their own, so what was not exercised says nothing about traffic.
	if t.view.Record.Traffic != nil || verdict.FailsThroughout(t.view.Record) != "" { // one reason is enough
		return
	}
	more := ""
	if n := t.view.Skipped(); n > 0 {
		more = "; " + text.Count(n, "scenario") + " skipped"
	}
	inapplicable := t.view.Gaps(verdict.NotApplicable)
	left := unaskedLines
	if len(inapplicable) > 0 {
		left--
	}
	all := t.view.Unasked(verdict.NotExercised)
	switch {
	case len(all) > 0:
		left -= t.title("NOT EXERCISED", all, more+" (--verbose names all)")
		left -= t.gaps(t.view.Gaps(verdict.NotExercised), left)
	case more != "":
		left -= t.Note(layout.Bold, "SKIPPED", strings.TrimSuffix(strings.TrimPrefix(more, "; "), " skipped")+" (--verbose says why)")
	}
	if len(inapplicable) > 0 {
		left -= t.title("NOT APPLICABLE", t.view.Unasked(verdict.NotApplicable), " (--verbose says why)") - 1
		t.gaps(inapplicable, left)
	}
}

// gaps writes a paragraph for each gap if they fit on most lines, otherwise a line each, the last of which counts the rest. It returns the
// number of lines.
func (t *renderer) gaps(all []view.Gap, most int) int {
	wide := t.Width() - layout.Indent
	paragraphs := make([]string, len(all))
	n := 0
	for i := range all {
		paragraphs[i] = text.Count(len(all[i].Rules), "rule") + ": " + all[i].Reason
		if names := all[i].Names(); len(names) > 0 {
			paragraphs[i] += ": " + text.Visible(strings.Join(names, ", "))
		}
		n += len(text.Wrap(paragraphs[i], wide-2))
	}
	if n <= most {
		for _, one := range paragraphs {
			t.Paragraph(layout.Indent, 2, layout.Plain, one)
		}
		return n
	}
	if most <= 0 {
		return 0
	}
	all = alike(all, wide)
	for i := range all {
		if i == most-1 && len(all) > most {
			t.Line(strings.Repeat(" ", layout.Indent) + gapLine(rest(all[i:]), wide))
			return most
		}
		t.Line(strings.Repeat(" ", layout.Indent) + gapLine(&all[i], wide))
	}
	return len(all)
}

// gapLine returns a gap on one line of at most wide columns, at least a third of which is for the names.
func gapLine(g *view.Gap, wide int) string {
	count := text.Count(len(g.Rules), "rule") + ": "
	names := text.Visible(strings.Join(g.Names(), ", "))
	if names == "" {
		return text.TruncateColumns(count+g.Reason, wide)
	}
	room := wide - text.Columns(count) - len(": ") - min(text.Columns(names), wide/3)
	return text.TruncateColumns(count+text.TruncateColumns(g.Reason, room)+": "+names, wide)
}

// alike combines gaps whose reasons begin with the same words, as far as every line has room for them.
func alike(all []view.Gap, wide int) []view.Gap {
	var out []view.Gap
	var shown []string
	room := wide - len("9,999 rules: ") - len(": ") - wide/3
	for i := range all {
		reason := text.TruncateColumns(all[i].Reason, room)
		same := slices.Index(shown, reason)
		if same < 0 {
			out, shown = append(out, all[i]), append(shown, reason)
			continue
		}
		out[same] = *joined(out[same].Reason, []view.Gap{out[same], all[i]})
	}
	return out
}

// rest combines the gaps that have no line of their own.
func rest(all []view.Gap) *view.Gap { return joined(text.Number(len(all))+" other reasons", all) }

// joined returns one gap for several.
func joined(reason string, all []view.Gap) *view.Gap {
	g := view.Gap{Reason: reason}
	for i := range all {
		g.Rules = append(g.Rules, all[i].Rules...)
		for _, area := range all[i].Areas {
			if !slices.Contains(g.Areas, area) {
				g.Areas = append(g.Areas, area)
			}
		}
	}
	return &g
}

// traffic writes what was judged of traffic.
func (t *renderer) traffic() {
	summary, sentences := t.view.Traffic(t.detail == Full)
	if summary == "" {
		return
	}
	t.Note(layout.Bold, "TRAFFIC", summary)
	for _, says := range sentences {
		t.Paragraph(layout.Indent, 2, layout.Plain, says)
	}
}

// skipped writes why scenarios were skipped, with counts and the scenarios.
func (t *renderer) skipped() {
	by, n := map[string][]string{}, 0
	for i := range t.view.Record.Scenarios {
		sc := &t.view.Record.Scenarios[i]
		if sc.Outcome != record.Skipped {
			continue
		}
		n++
		by[sc.Reason] = append(by[sc.Reason], sc.ID)
	}
	if n == 0 {
		return
	}
	t.Note(layout.Bold, "SKIPPED", text.Count(n, "scenario"))
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		t.Paragraph(layout.Indent, 2, layout.Plain, text.Number(len(by[reason]))+": "+text.Short(cmp.Or(reason, "no reason was given")))
		slices.SortFunc(by[reason], record.ScenarioOrder)
		t.items(layout.Indent+2, by[reason], 0, "")
	}
}

// title writes the number of rules for each level, and more after them. It returns the number of lines.
func (t *renderer) title(title string, all []view.Unasked, more string) int {
	levels := map[spec.Level]int{}
	for _, u := range all {
		for _, r := range u.Rules {
			levels[r.Level]++
		}
	}
	var counts []string
	for _, level := range []spec.Level{spec.Must, spec.Inferred, spec.Should, spec.Open} {
		if n := levels[level]; n > 0 {
			counts = append(counts, text.Count(n, string(level)+" rule"))
		}
	}
	return t.Note(layout.Bold, title, strings.Join(counts, ", ")+more)
}

// bodiesShown is the maximum number of operations about whose bodies something is written.
const bodiesShown = 3

// bodies writes of which operations each plain body, or a second one like the first, was refused, and what was accepted instead. Operations that never succeeded are among
// what was not exercised.
func (t *renderer) bodies() {
	all := t.view.Bodies()
	if len(all) == 0 {
		return
	}
	t.Note(layout.Bold, "BODIES", text.Count(len(all), "operation")+" refused plain bodies, and accepted others")
	for i, says := range all {
		if i == bodiesShown && t.detail != Full {
			t.Paragraph(layout.Indent, 2, layout.Plain, "and "+text.Number(len(all)-i)+" more (--verbose)")
			break
		}
		t.Paragraph(layout.Indent, 2, layout.Plain, says)
	}
}

// roles writes which other roles open operations.
func (t *renderer) roles() {
	all := t.view.Roles()
	if len(all) == 0 {
		return
	}
	t.Note(layout.Bold, "ROLES", text.Count(len(t.view.Record.Roles), "operation")+" refused the credentials of the run, and let in another role")
	for _, says := range all {
		t.Paragraph(layout.Indent, 2, layout.Plain, says)
	}
}

// suggestedShown is the maximum number of suggested values that are written.
const suggestedShown = 4

// suggested writes the values that may make operations succeed that never did, and where all of them are.
func (t *renderer) suggested() {
	most := suggestedShown
	if t.detail == Full {
		most = math.MaxInt
	}
	lines, left, operations := t.view.SuggestedLines(most)
	if len(lines) == 0 {
		return
	}
	where := "; --report values:FILE writes them"
	if t.view.SuggestedIn != "" {
		where = ", in " + text.Visible(t.view.SuggestedIn)
	}
	t.Note(layout.Bold, "VALUES", text.Count(len(lines)+left, "line")+" for values.yaml may help "+text.Count(operations, "operation")+where)
	for _, line := range lines {
		t.Paragraph(layout.Indent, 2, layout.Plain, line)
	}
	if left > 0 {
		t.Paragraph(layout.Indent, 2, layout.Plain, "and "+text.Number(left)+" more")
	}
}

// sentences writes how many sentences of the document were judged, and in full which were not.
func (t *renderer) sentences() {
	most := 0
	if t.detail == Full {
		most = math.MaxInt
	}
	summary, unjudged := t.view.Sentences(most)
	if summary == "" {
		return
	}
	if t.detail != Full {
		if len(unjudged) > 0 {
			summary += " (hallmark rules --prose)"
		}
		unjudged = nil
	}
	t.Note(layout.Bold, "SENTENCES", summary)
	for _, says := range unjudged {
		t.Paragraph(layout.Indent, 2, layout.Plain, says)
	}
}

// reasons writes all rules for each reason.
func (t *renderer) reasons(all []view.Unasked) {
	for _, u := range all {
		if u.Beside {
			// For a partial run, the rest is not interesting.
			t.Paragraph(layout.Indent, 2, layout.Plain, u.Reason+": "+text.Count(len(u.Rules), "rule"))
			continue
		}
		ids := make([]string, len(u.Rules))
		for i, r := range u.Rules {
			ids[i] = r.Rule
		}
		t.Paragraph(layout.Indent, 2, layout.Plain, u.Reason+": "+text.Visible(strings.Join(ids, ", ")))
	}
}

const (
	// askedShown is the maximum number of questions named for an answer, answersShown that of answers for a rule.
	askedShown   = 6
	answersShown = 5
)

// observations writes the behavior of the target where the interface leaves it open.
func (t *renderer) observations() {
	all := t.view.Observed()
	t.Line(t.Paint(layout.Bold, "OBSERVED") + "  what the interface leaves to the service")
	for _, r := range t.view.Asked() {
		t.Paragraph(layout.Indent, 2, layout.Plain, r.ID+"  "+cmp.Or(r.Asks, r.Says))
		answers := all[r.ID]
		for i, a := range answers {
			if i == answersShown {
				t.Paragraph(layout.Indent+4, 2, layout.Dim, "and "+text.Count(len(answers)-i, "other answer"))
				break
			}
			asked := a.Asked
			if len(asked) > askedShown {
				asked = append(slices.Clone(asked[:askedShown]), "and "+text.Number(len(asked)-askedShown)+" more")
			}
			t.Paragraph(layout.Indent+4, 2, layout.Plain, text.Short(strings.Join(asked, ", "))+" → "+text.Short(a.Answer))
		}
	}
}
