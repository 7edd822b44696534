package view

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Unasked is a group of rules with the same verdict for the same reason.
type Unasked struct {
	Reason string
	// Rules are in catalogue order, must rules first.
	Rules []verdict.RuleVerdict
	// Beside reports whether these rules are outside the selected part of the suite.
	Beside bool
}

// Gap is a group of rules that were not exercised for one kind of reason: equal reasons, or reasons that differ only in what they name.
type Gap struct {
	Reason string
	// Rules are the ids of the rules, Failing is how many of them could fail the run.
	Rules   []string
	Failing int
	// Areas are the operations or areas of the rules, those with most rules first.
	Areas []string
	// Beside reports whether these rules are outside the selected part of the suite.
	Beside bool
}

// fewRules is the maximum number of rules that are named themselves rather than by their areas.
const fewRules = 3

// Names returns what was not exercised in short: a few rules, or the operations or areas of many; empty for what is beside the selection.
func (g *Gap) Names() []string {
	switch {
	case g.Beside:
		return nil
	case len(g.Rules) <= fewRules:
		return g.Rules
	}
	return g.Areas
}

// Gaps groups the rules with a verdict by kind of reason: first those of operations that never succeeded, then those with most rules that
// could fail the run.
func (v *View) Gaps(of verdict.Verdict) []Gap {
	type kind struct {
		first   bool
		general string
	}
	never := map[string]string{}
	for _, u := range v.Result.Unreached {
		if why := lastResponse(u); why != "" {
			never[u.Operation] = why
		}
	}
	var order []kind
	by, exact := map[kind]*Gap{}, map[kind]string{}
	for _, u := range v.Unasked(of) {
		for _, r := range u.Rules {
			rule := v.Rule(r.Rule)
			reason := withoutOperation(u.Reason, rule.Operations)
			k := kind{general: generalReason(reason)}
			for _, op := range rule.Operations {
				if why, is := never[op]; is && of == verdict.NotExercised {
					reason, k = why, kind{true, why}
				}
			}
			g := by[k]
			if g == nil {
				g = &Gap{Beside: u.Beside}
				by[k], exact[k], order = g, reason, append(order, k)
			}
			if exact[k] != reason {
				exact[k] = k.general
			}
			g.Rules = append(g.Rules, r.Rule)
			if r.Level.Fails() {
				g.Failing++
			}
		}
	}
	slices.SortStableFunc(order, func(x, y kind) int {
		return cmp.Or(btoi(y.first)-btoi(x.first), by[y].Failing-by[x].Failing, len(by[y].Rules)-len(by[x].Rules))
	})
	all := make([]Gap, 0, len(order))
	for _, k := range order {
		g := by[k]
		g.Reason, g.Areas = exact[k], areasOf(g.Rules)
		all = append(all, *g)
	}
	return all
}

// lastResponse describes why an operation never succeeded: the missing credential, or its last response; "" if the reasons of its rules say it.
func lastResponse(u verdict.Unreached) string {
	switch {
	case u.Reason != "":
		return "never succeeded: " + text.Short(withoutOperation(u.Reason, []string{u.Operation}))
	case u.Last == nil:
		return ""
	}
	words := "never succeeded: last response " + strconv.Itoa(u.Last.Response.Status)
	if body := u.Last.Response.Body; len(body) > 0 {
		words += " " + text.Elide(text.Visible(strings.TrimSpace(string(body))), quotedResponse)
	}
	if u.Bodies != nil && len(u.Bodies.Named) > 0 {
		words += ", and the refusals name " + text.Short(text.Enumerate(u.Bodies.Named, "and"))
	}
	return words
}

// quotedResponse is the maximum length of a quoted response in characters.
const quotedResponse = 100

// Parts of reasons that name something particular.
var (
	namedPath = regexp.MustCompile(`/\S*\{\}\S*`)
	countedIn = regexp.MustCompile(`\b\d+ items?\b`)
)

// withoutOperation returns a reason without the name of the operation that it is about.
func withoutOperation(reason string, operations []string) string {
	for _, op := range operations {
		rest, ok := strings.CutPrefix(reason, op+" ")
		if !ok {
			continue
		}
		if named, is := strings.CutPrefix(rest, "is "); is {
			rest = named
		} else if !strings.HasPrefix(rest, "never ") {
			rest = "it " + rest
		}
		return strings.ReplaceAll(rest, "--allow "+op+" ", "--allow NAME ")
	}
	return reason
}

// generalReason returns a reason without the path or the number that it names. Reasons of one kind are then equal.
func generalReason(reason string) string {
	return countedIn.ReplaceAllString(namedPath.ReplaceAllString(reason, "its path"), "few items")
}

// areasOf returns the areas of rules, those with most rules first.
func areasOf(rules []string) []string {
	n := map[string]int{}
	var areas []string
	for _, id := range rules {
		area := spec.Rule{ID: id}.Area()
		if n[area]++; n[area] == 1 {
			areas = append(areas, area)
		}
	}
	slices.SortStableFunc(areas, func(x, y string) int { return n[y] - n[x] })
	return areas
}

// Skipped returns the number of skipped scenarios.
func (v *View) Skipped() int {
	n := 0
	for i := range v.Record.Scenarios {
		if v.Record.Scenarios[i].Outcome == record.Skipped {
			n++
		}
	}
	return n
}
