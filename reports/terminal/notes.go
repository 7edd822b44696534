package terminal

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// namedRules is the minimum number of rules named for a reason. Must rules are named up to mostNamed, and larger numbers are counted by operation.
const namedRules, mostNamed = 6, 30

// fewQuestions is how many observations are shown for a partial run, which may be about just these.
const fewQuestions = 3

// notes writes what the verdict is based on: what was not exercised, what was observed, and what the suite can find.
func (t *renderer) notes() {
	t.traffic()
	// Most rules need requests of their own, so what was not exercised says nothing about traffic.
	tells := t.view.Record.Traffic == nil && verdict.FailsThroughout(t.view.Record) == "" // else one reason is enough
	if tells || t.detail == Full {
		t.notExercised()
		t.unasked("NOT APPLICABLE", verdict.NotApplicable)
		t.unasked("UNDECIDED", verdict.Doubtful)
		t.unasked("INTERMITTENT", verdict.Intermittent)
		t.skipped()
	}
	if unjudged := t.view.Unjudged(); unjudged != "" {
		t.Note(layout.Bold, "NOT JUDGED", unjudged)
	}
	t.bodies()
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
	if proof := t.view.Result.Proof; proof != nil {
		t.Note(layout.Bold, "PROOF", text.Visible(proof.Says))
	}
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

// unreached writes the operations that never succeeded, which explain most of what was not exercised; in full with all reasons.
func (t *renderer) unreached() map[string]bool {
	if t.detail == Full {
		return nil
	}
	ids := map[string]bool{}
	for _, u := range t.view.Result.Unreached {
		ids[u.Operation] = true
	}
	return ids
}

// mostlyUnreached reports whether most operations never succeeded, so that other reasons hardly matter.
func (t *renderer) mostlyUnreached() bool {
	return t.detail != Full && 2*len(t.view.Result.Unreached) > t.view.Result.Called
}

// about reports whether one of the operations is in ids.
func about(operations []string, ids map[string]bool) bool {
	return slices.ContainsFunc(operations, func(id string) bool { return ids[id] })
}

// notExercised lists the rules that were not exercised, preceded by the operations that never succeeded, whose rules are only counted.
func (t *renderer) notExercised() {
	unreached, all := t.unreached(), t.view.Unasked(verdict.NotExercised)
	if len(unreached) == 0 || len(all) == 0 {
		t.list(all, "NOT EXERCISED")
		return
	}
	t.title("NOT EXERCISED", all)
	var rest []view.Unasked
	hidden, left := 0, 0
	for _, u := range all {
		n := len(u.Rules)
		u.Rules = slices.DeleteFunc(u.Rules, func(r verdict.RuleVerdict) bool { return about(t.view.Rule(r.Rule).Operations, unreached) })
		hidden += n - len(u.Rules)
		if len(u.Rules) > 0 {
			rest, left = append(rest, u), left+len(u.Rules)
		}
	}
	t.Paragraph(layout.Indent, 2, layout.Plain, text.Number(len(unreached))+" of "+text.Count(t.view.Result.Called, "operation")+" "+text.Were(len(unreached))+
		" never seen to succeed, so "+text.Count(hidden, "rule")+" "+text.Were(hidden)+" not exercised (--verbose lists all):")
	t.lastResponses()
	if t.mostlyUnreached() {
		if left > 0 {
			t.Paragraph(layout.Indent, 2, layout.Plain, text.Count(left, "other rule")+" "+text.Were(left)+" not exercised for other reasons (--verbose)")
		}
		return
	}
	t.reasons(rest)
}

// lastResponses groups the operations that never succeeded by their last response.
func (t *renderer) lastResponses() {
	by, order := map[string][]string{}, []string{}
	for _, u := range t.view.Result.Unreached {
		words := "not called (--verbose says why)"
		switch {
		case u.Reason != "":
			words = text.Short(u.Reason)
		case u.Last != nil:
			words = "last response " + strconv.Itoa(u.Last.Response.Status)
			if body := u.Last.Response.Body; len(body) > 0 {
				words += " " + text.Elide(text.Visible(string(body)), responseShown)
			}
			if u.Bodies != nil && len(u.Bodies.Named) > 0 {
				words += ", and the refusals name " + text.Short(text.Enumerate(u.Bodies.Named, "and"))
			}
		}
		if by[words] == nil {
			order = append(order, words)
		}
		by[words] = append(by[words], u.Operation)
	}
	slices.SortStableFunc(order, func(x, y string) int { return cmp.Compare(len(by[y]), len(by[x])) })
	for i, words := range order {
		if i == responsesShown {
			t.Paragraph(layout.Indent+2, 2, layout.Plain, "and "+text.Number(len(order)-i)+" other responses (--verbose)")
			break
		}
		ids := by[words]
		if len(ids) > operationsShown {
			ids = append(slices.Clone(ids[:operationsShown]), "and "+text.Number(len(ids)-operationsShown)+" more")
		}
		t.Paragraph(layout.Indent+2, 2, layout.Plain, text.Number(len(by[words]))+": "+words+": "+text.Visible(strings.Join(ids, ", ")))
	}
}

const (
	// responseShown is the maximum length of a quoted response in characters, responsesShown the maximum number of different responses.
	responseShown, responsesShown = 100, 8
	// operationsShown is the maximum number of operations named for a response.
	operationsShown = 12
)

// skipped writes why scenarios were skipped, with counts; in full, with the scenarios. Those of operations that never succeeded were skipped
// for that reason.
func (t *renderer) skipped() {
	unreached := t.unreached()
	by, n, without := map[string][]string{}, 0, 0
	for i := range t.view.Record.Scenarios {
		sc := &t.view.Record.Scenarios[i]
		if sc.Outcome != record.Skipped {
			continue
		}
		n++
		if about(sc.Operations, unreached) {
			without++
			continue
		}
		by[sc.Reason] = append(by[sc.Reason], sc.ID)
	}
	if n == 0 {
		return
	}
	t.Note(layout.Bold, "SKIPPED", text.Count(n, "scenario"))
	if without > 0 {
		t.Paragraph(layout.Indent, 2, layout.Plain, text.Number(without)+": they need operations that were never seen to succeed")
	}
	if t.mostlyUnreached() {
		if rest := n - without; rest > 0 {
			t.Paragraph(layout.Indent, 2, layout.Plain, text.Number(rest)+": other reasons (--verbose)")
		}
		return
	}
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		t.Paragraph(layout.Indent, 2, layout.Plain, text.Number(len(by[reason]))+": "+text.Short(cmp.Or(reason, "no reason was given")))
		if t.detail == Full {
			slices.SortFunc(by[reason], record.ScenarioOrder)
			t.items(layout.Indent+2, by[reason], 0, "")
		}
	}
}

// unasked lists the rules of a verdict by reason.
func (t *renderer) unasked(title string, of verdict.Verdict) {
	t.list(t.view.Unasked(of), title)
}

// list writes the number of rules, and the rules for each reason.
func (t *renderer) list(all []view.Unasked, title string) {
	if len(all) > 0 {
		t.title(title, all)
		t.reasons(all)
	}
}

// title writes the number of rules for each level.
func (t *renderer) title(title string, all []view.Unasked) {
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
}

// bodiesShown is the maximum number of operations about whose bodies something is written.
const bodiesShown = 8

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

// sentencesShown is how many sentences are named that were not judged.
const sentencesShown = 5

// sentences writes how many sentences of the document were judged, and which were not.
func (t *renderer) sentences() {
	most := sentencesShown
	if t.detail == Full {
		most = math.MaxInt
	}
	summary, unjudged := t.view.Sentences(most)
	if summary == "" {
		return
	}
	t.Note(layout.Bold, "SENTENCES", summary)
	for _, says := range unjudged {
		t.Paragraph(layout.Indent, 2, layout.Plain, says)
	}
}

// reasons writes the rules for each reason.
func (t *renderer) reasons(all []view.Unasked) {
	for _, u := range all {
		if u.Beside {
			// For a partial run, the rest is not interesting.
			t.Paragraph(layout.Indent, 2, layout.Plain, u.Reason+": "+text.Count(len(u.Rules), "rule"))
			continue
		}
		t.Paragraph(layout.Indent, 2, layout.Plain, u.Reason+": "+text.Visible(strings.Join(t.named(u.Rules), ", ")))
	}
}

// named returns the ids of rules, must rules first; large numbers are only counted.
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

// counted returns the number of rules for each operation or area, in order.
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
