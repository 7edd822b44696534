package terminal

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"hallmark/internal/text"
	"hallmark/reports/layout"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/reports/view"
	"hallmark/spec"
)

// namedRules is how many rules are named for one reason at least; must rules are up to mostNamed, and many more are counted by operation.
const namedRules, mostNamed = 6, 30

// fewQuestions is how many observations are told to whoever asked for a part of the suite: perhaps for just these.
const fewQuestions = 3

// notes say what the verdict rests on: what was not asked, what was observed, and what the suite is able to see.
func (t *renderer) notes() {
	if verdict.FailsThroughout(t.view.Record) == "" || t.detail == Full { // else one reason is enough
		t.unasked("NOT EXERCISED", verdict.NotExercised)
		t.unasked("NOT APPLICABLE", verdict.NotApplicable)
		t.unasked("UNDECIDED", verdict.Doubtful)
		t.unasked("INTERMITTENT", verdict.Intermittent)
		t.skipped()
	}
	if unjudged := t.view.Unjudged(); unjudged != "" {
		t.Note(layout.Bold, "NOT JUDGED", unjudged)
	}
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
	if proof := t.view.Result.Proof; proof != nil {
		t.Note(layout.Bold, "PROOF", text.Visible(proof.Says))
	}
}

// skipped writes why scenarios were skipped, by how many were for each reason; in full, which.
func (t *renderer) skipped() {
	by, n := map[string][]string{}, 0
	for i := range t.view.Record.Scenarios {
		if sc := &t.view.Record.Scenarios[i]; sc.Outcome == record.Skipped {
			by[sc.Reason] = append(by[sc.Reason], sc.ID)
			n++
		}
	}
	if n == 0 {
		return
	}
	t.Note(layout.Bold, "SKIPPED", text.Count(n, "scenario"))
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		t.Paragraph(layout.Indent, 2, layout.Plain, text.Number(len(by[reason]))+": "+text.Short(cmp.Or(reason, "no reason was given")))
		if t.detail == Full {
			slices.SortFunc(by[reason], record.ScenarioOrder)
			t.list(layout.Indent+2, by[reason], 0, "")
		}
	}
}

// unasked lists the rules of a verdict, by the reason for it.
func (t *renderer) unasked(title string, of verdict.Verdict) {
	all := t.view.Unasked(of)
	if len(all) == 0 {
		return
	}
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
	t.Note(layout.Bold, title, strings.Join(counts, ", "))
	for _, u := range all {
		if u.Beside {
			// Who asked for a part does not want to read what the rest is.
			t.Paragraph(layout.Indent, 2, layout.Plain, u.Reason+": "+text.Count(len(u.Rules), "rule"))
			continue
		}
		t.Paragraph(layout.Indent, 2, layout.Plain, u.Reason+": "+text.Visible(strings.Join(t.named(u.Rules), ", ")))
	}
}

// named are the ids of rules, which begin with the must rules; many others are only counted.
func (t *renderer) named(rules []verdict.RuleVerdict) []string {
	if len(rules) > mostNamed && t.detail != Full && rules[mostNamed].Level.Fails() {
		return counted(rules)
	}
	var ids []string
	for i, r := range rules {
		if i >= namedRules && !r.Level.Fails() && t.detail != Full {
			return append(ids, "and "+text.Number(len(rules)-i)+" more")
		}
		ids = append(ids, r.Rule)
	}
	return ids
}

// counted says how many rules there are of each operation or area, in their order.
func counted(rules []verdict.RuleVerdict) []string {
	var areas []string
	n := map[string]int{}
	for _, r := range rules {
		area, _, _ := strings.Cut(r.Rule, ".")
		if n[area] == 0 {
			areas = append(areas, area)
		}
		n[area]++
	}
	for i, area := range areas {
		areas[i] = text.Number(n[area]) + " of " + area
		if i == 0 {
			areas[i] = text.Count(n[area], "rule") + " of " + area
		}
	}
	return areas
}

const (
	// askedShown bounds how many questions with one answer are named, answersShown how many answers to one rule.
	askedShown   = 6
	answersShown = 5
)

// observations writes what the target does where the interface leaves it the choice.
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
