package reports

import (
	"cmp"
	"slices"
	"strings"

	"hallmark/reports/prose"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

// namedRules is how many rules are named for one reason at least; must rules all are.
const namedRules = 6

// fewQuestions is how many observations are told to whoever asked for a part of the suite: perhaps for just these.
const fewQuestions = 3

// notes say what the verdict rests on: what was not asked, what was observed, and what the suite is able to see.
func (s *sheet) notes(rec *record.Record, res *verdict.Result, b *verdict.Index, d Detail) {
	s.unasked("NOT EXERCISED", verdict.NotExercised, rec, res, d)
	s.unasked("NOT APPLICABLE", verdict.NotApplicable, rec, res, d)
	s.unasked("INTERMITTENT", verdict.Intermittent, rec, res, d)
	s.skipped(rec, d)
	switch n := len(observed(rec)); {
	case n > 0 && (d == Full || n <= fewQuestions && rec.Filtered()):
		s.observations(rec, b)
	case n > 0:
		s.note("OBSERVED", "how the service decides "+prose.Plural(n, "question")+" that the interface leaves open (see --verbose)")
	}
	if res.Proof != nil {
		s.note("PROOF", prose.Visible(res.Proof.Says))
	}
}

// note writes a sentence under a title that stands before it.
func (s *sheet) note(title, text string) { s.titled(bold, title, text, s.width, indent) }

// titled writes text after its title, in lines of at most width columns; those after the first are indented by hang.
func (s *sheet) titled(st style, title, text string, width, hang int) {
	lines := prose.Wrap(title+"  "+text, width-hang)
	lines[0] = s.paint(st, title) + strings.TrimPrefix(lines[0], title)
	for i, line := range lines {
		if i > 0 {
			line = strings.Repeat(" ", hang) + line
		}
		s.line(line)
	}
}

// skipped tells why scenarios were skipped, by how many were for each reason; in full, which.
func (s *sheet) skipped(rec *record.Record, d Detail) {
	by, n := map[string][]string{}, 0
	for i := range rec.Scenarios {
		if sc := &rec.Scenarios[i]; sc.Outcome == record.Skipped {
			by[sc.Reason] = append(by[sc.Reason], sc.ID)
			n++
		}
	}
	if n == 0 {
		return
	}
	s.note("SKIPPED", prose.Plural(n, "scenario"))
	for _, reason := range sortedKeys(by) {
		s.paragraph(indent, 2, plain, prose.Number(len(by[reason]))+": "+prose.Phrase(cmp.Or(reason, "no reason was given")))
		if d == Full {
			slices.SortFunc(by[reason], record.ScenarioOrder)
			s.list(indent+2, by[reason], 0, "")
		}
	}
}

// unasked lists the rules of a verdict, by the reason for it.
func (s *sheet) unasked(title string, v verdict.Verdict, rec *record.Record, res *verdict.Result, d Detail) {
	by := map[string][]verdict.RuleVerdict{}
	levels := map[spec.Level]int{}
	for _, r := range res.Rules {
		if r.Verdict == v {
			by[r.Reason] = append(by[r.Reason], r)
			levels[r.Level]++
		}
	}
	if len(by) == 0 {
		return
	}
	var counts []string
	for _, level := range []spec.Level{spec.Must, spec.Should, spec.Open} {
		if n := levels[level]; n > 0 {
			counts = append(counts, prose.Plural(n, string(level)+" rule"))
		}
	}
	s.note(title, strings.Join(counts, ", "))
	for _, reason := range sortedKeys(by) {
		rules := by[reason]
		if reason == verdict.NotSelected && rec.Filtered() {
			// Who asked for a part does not want to read what the rest is.
			s.paragraph(indent, 2, plain, reason+": "+prose.Plural(len(rules), "rule"))
			continue
		}
		s.paragraph(indent, 2, plain, prose.Phrase(reason)+": "+prose.Visible(strings.Join(named(rules, d), ", ")))
	}
}

// named are the ids of rules, the must rules first; many others are only counted.
func named(rules []verdict.RuleVerdict, d Detail) []string {
	slices.SortStableFunc(rules, func(x, y verdict.RuleVerdict) int {
		return cmp.Compare(verdict.LevelRank(x.Level), verdict.LevelRank(y.Level))
	})
	var ids []string
	for i, r := range rules {
		if i >= namedRules && r.Level != spec.Must && d != Full {
			return append(ids, "and "+prose.Number(len(rules)-i)+" more")
		}
		ids = append(ids, r.Rule)
	}
	return ids
}
