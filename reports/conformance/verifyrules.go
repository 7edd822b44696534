package conformance

import (
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// checkRules compares the lists with the catalogue.
func (d *Document) checkRules(own Own, same bool) Check {
	if !same {
		return Check{Name: "rules", State: Unchecked, Says: "they are those of another suite"}
	}
	rules := map[string]spec.Rule{}
	for _, r := range own.Catalogue.Rules {
		rules[r.ID] = r
	}
	l := listing{rules: rules, seen: map[string]bool{}, out: own.NotApplicable(d.judgedAt())}
	for i := range d.Areas {
		l.area(&d.Areas[i])
	}
	for _, r := range own.Catalogue.Rules {
		if !l.seen[r.ID] {
			l.wrong = append(l.wrong, r.ID+" is missing")
		}
	}
	observed := map[string]bool{}
	for _, o := range d.Observations {
		observed[o.Rule] = true
	}
	for i := range d.Areas {
		for _, id := range d.Areas[i].Observed {
			if !observed[id] {
				l.wrong = append(l.wrong, id+" was observed, but has no observation")
			}
			delete(observed, id)
		}
	}
	for _, o := range d.Observations {
		if observed[o.Rule] {
			l.wrong = append(l.wrong, o.Rule+" has observations, but is not among the observed rules")
		}
	}
	return found("rules", l.wrong, "each of the catalogue's "+text.Count(len(rules), "rule")+" is listed once, in its area, with its level")
}

// judgedAt returns the time for which removal dates were judged.
func (d *Document) judgedAt() time.Time {
	if now, err := time.Parse(time.RFC3339, d.Mode.Now); err == nil {
		return now
	}
	return d.Date
}

// listing checks the lists of rules.
type listing struct {
	rules map[string]spec.Rule
	seen  map[string]bool
	// out are the rules that did not apply at that time.
	out   map[string]string
	wrong []string
}

func (l *listing) area(a *Area) {
	for _, id := range a.Conforms.Must {
		l.rule(a, id, spec.Must, verdict.Conforms)
	}
	for _, id := range a.Conforms.Should {
		l.rule(a, id, spec.Should, verdict.Conforms)
	}
	for _, id := range a.Conforms.Inferred {
		l.rule(a, id, spec.Inferred, verdict.Conforms)
	}
	for _, f := range a.Failed {
		l.rule(a, f.Rule, f.Level, f.Verdict)
	}
	for _, id := range a.Observed {
		l.rule(a, id, spec.Open, verdict.Observed)
	}
	for _, r := range a.NotExercised {
		l.rule(a, r.Rule, r.Level, verdict.NotExercised)
	}
	for _, r := range a.NotApplicable {
		l.rule(a, r.Rule, r.Level, verdict.NotApplicable)
	}
	for _, r := range a.Untestable {
		l.rule(a, r.Rule, r.Level, verdict.Untestable)
	}
}

// needsOther reports whether a rule is about credentials that a run need not have, so that it may not apply.
func needsOther(r spec.Rule) bool {
	return slices.ContainsFunc(r.Cases, func(kind string) bool { return kind == "credential.scope" || kind == "credential.other-scheme" })
}

// rule checks that a rule may be in its list.
func (l *listing) rule(a *Area, id string, level spec.Level, v verdict.Verdict) {
	r, known := l.rules[id]
	say := func(text string) { l.wrong = append(l.wrong, id+" "+text) }
	switch {
	case !known:
		say("is not a rule of the catalogue")
	case l.seen[id]:
		say("is listed twice")
	case r.Area() != a.Area:
		say("does not belong to the area " + a.Area)
	case r.Level != level:
		say("is a " + string(r.Level) + " rule, not " + string(level))
	case (v == verdict.Untestable) != (r.Untestable != ""):
		say("is listed wrongly as testable or untestable")
	case l.out[id] != "" && v != verdict.NotApplicable, l.out[id] == "" && v == verdict.NotApplicable && !r.Conditional && !needsOther(r):
		say("is listed wrongly as applicable or not applicable at that time")
	case v == verdict.Violated && !level.Fails(), v == verdict.Warned && level != spec.Should:
		say("is a " + string(level) + " rule, and cannot be " + string(v))
	}
	l.seen[id] = true
}
