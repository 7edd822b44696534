package steps

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// maxRepeated bounds how many scenarios are repeated for the examples of causes, and as many again for the rest:
// with more defects than that, no confirmation of each is needed.
const maxRepeated = 30

// maxGatewayRepeated is the same limit for findings that rest on a 502, 503 or 504: a gateway that fails
// intermittently shows in many scenarios.
const maxGatewayRepeated = 100

// maxRepeatedLists bounds how many scenarios about lists are repeated before all others: each waits for what a
// list does not show, while nothing else is sent.
const maxRepeatedLists = 10

// unconfirmed is what one scenario found of a cause, to be checked again.
type unconfirmed struct {
	// scenario holds the findings in the record; played is the scenario that made them, and is repeated.
	scenario, played string
	findings         []spec.Finding
	reason           string // why it was not repeated
	// accepted holds the operations that showed the cause with a success.
	accepted map[string]bool
}

// showsAgain reports whether a repetition found the same: a breach of one of the rules, or the same server error
// in response to another of its requests. A 502, 503 or 504 is the same only if the same request got it.
func (r *engine) showsAgain(d *unconfirmed, again []spec.Finding) bool {
	return slices.ContainsFunc(again, func(f spec.Finding) bool {
		now := r.gatewayAnswersOf(f)
		return slices.ContainsFunc(d.findings, func(g spec.Finding) bool {
			same := f.Rule == g.Rule || f.Cause == g.Cause || f.Status >= 500 && f.Status == g.Status
			if len(now) == 0 || !same {
				return same
			}
			before := r.gatewayAnswersOf(g)
			return slices.ContainsFunc(now, func(a gatewayAnswer) bool { return slices.ContainsFunc(before, a.repeats) })
		})
	})
}

// gatewayAnswersOf returns the requests behind a finding that were answered 502, 503 or 504.
func (r *engine) gatewayAnswersOf(f spec.Finding) (all []gatewayAnswer) {
	for _, seq := range f.Exchanges {
		if a, is := r.gatewayAnswers[seq]; is {
			all = append(all, a)
		}
	}
	return all
}

// confirm repeats what was found: for each cause the scenario that shows it with the simplest exchange, by itself,
// after all others. If that does not show it again each time, all other scenarios that showed it are repeated too:
// what any of them still shows is not intermittent. Repetitions stay within the run's limit of resources, and add no
// findings; they only confirm.
func (r *engine) confirm(ctx context.Context, v *formSet) error {
	if r.cfg.Confirm < 1 {
		return nil
	}
	r.Budget().ReleaseAll()
	if !r.Recorder.Found() {
		return nil
	}
	record := r.Recorder.Snapshot()
	var causes [][]*unconfirmed
	var leading []*unconfirmed
	for _, c := range verdict.Draw(&record, r.Catalogue.Rules).Causes {
		all := r.unconfirmedOf(&record, c)
		shortFirst(&record, c.Rule, all)
		causes, leading = append(causes, all), append(leading, all[0])
	}
	if err := r.repeat(ctx, v, leading); err != nil {
		return err
	}
	var others []*unconfirmed
	for _, all := range causes {
		if c := r.confirmation(all[0]); c.Intermittent() {
			others = append(others, all[1:]...)
		}
	}
	if err := r.repeat(ctx, v, others); err != nil {
		return err
	}
	all := slices.Concat(leading, others)
	moved := slices.ContainsFunc(all, func(d *unconfirmed) bool {
		c := r.confirmation(d)
		return r.restsOnGateway(d.findings) && c.Intermittent()
	})
	for i, d := range all {
		c := r.confirmation(d)
		if i >= len(leading) && c.Tries == 0 {
			continue
		}
		if moved && r.restsOnGateway(d.findings) && !c.Intermittent() && c.Tries < r.cfg.Confirm+gatewayRepetitions {
			// Other requests got a 502, 503 or 504 once, so this one may have got two by chance.
			c.Tries, c.Shown, c.Exchanges, c.Reason = 0, 0, nil, cmp.Or(c.Reason, "the run ended before it was repeated often enough")
		}
		r.Recorder.AddConfirmation(c)
	}
	return nil
}

// restsOnGateway reports whether findings rest on a 502, 503 or 504.
func (r *engine) restsOnGateway(findings []spec.Finding) bool {
	return slices.ContainsFunc(findings, func(f spec.Finding) bool { return len(r.gatewayAnswersOf(f)) > 0 })
}

// longScenario is the number of exchanges above which a scenario is not repeated if a shorter one shows the same.
const longScenario = 20

// shortFirst puts the scenario first that shows the rule with the fewest exchanges, if the example is long: a
// scenario with many requests shows most causes, and takes most time.
func shortFirst(rec *record.Record, rule string, all []*unconfirmed) {
	exchanges := func(d *unconfirmed) int {
		i := slices.IndexFunc(rec.Scenarios, func(s record.Scenario) bool { return s.ID == d.played })
		if i < 0 {
			return 0 // the preflight
		}
		return len(rec.Scenarios[i].Exchanges)
	}
	if exchanges(all[0]) <= longScenario {
		return
	}
	for i, d := range all {
		shows := slices.ContainsFunc(d.findings, func(f spec.Finding) bool { return f.Rule == rule })
		if shows && exchanges(d) > 0 && exchanges(d) < exchanges(all[0]) {
			all[0], all[i] = all[i], all[0]
		}
	}
}

// acceptedFor returns those of the operations that showed a cause with a success which the rules of some findings are about: one cause may be
// of many operations.
func (r *engine) acceptedFor(findings []spec.Finding, operations map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, f := range findings {
		rule, _ := r.Catalogue.Rule(f.Rule)
		for operation := range operations {
			if len(rule.Operations) == 0 || slices.Contains(rule.Operations, operation) {
				all[operation] = true
			}
		}
	}
	return all
}

// unconfirmedOf returns what the scenarios of a cause found of it, the example first. Findings of the scenario
// that repeats requests at the end of a run are attributed to the scenario that sent them first.
func (r *engine) unconfirmedOf(record *record.Record, c verdict.Cause) []*unconfirmed {
	var all []*unconfirmed
	accepted := map[string]bool{}
	for _, a := range c.Answers {
		if a.Status/100 == http.StatusOK/100 {
			accepted[a.Operation] = true
		}
	}
	for _, shown := range c.Showing {
		p := r.chosen.Run[shown.Scenario]
		if p == nil || p.Phase() != suite.PhaseEnd {
			all = append(all, &unconfirmed{scenario: shown.Scenario, played: shown.Scenario, findings: shown.Findings, accepted: r.acceptedFor(shown.Findings, accepted)})
			continue
		}
		for _, f := range shown.Findings {
			played, findings := askedFirst(record, f.Decisive())
			all = append(all, &unconfirmed{scenario: shown.Scenario, played: played, findings: append(findings, f), accepted: r.acceptedFor([]spec.Finding{f}, accepted)})
		}
	}
	return all
}

// askedFirst returns the scenario that made an exchange, and its findings about it.
func askedFirst(record *record.Record, seq int) (scenario string, findings []spec.Finding) {
	for i := range record.Exchanges {
		if record.Exchanges[i].Seq == seq {
			scenario = record.Exchanges[i].Scenario
		}
	}
	for i := range record.Scenarios {
		if record.Scenarios[i].ID != scenario {
			continue
		}
		for _, f := range record.Scenarios[i].Findings {
			if f.Decisive() == seq {
				findings = append(findings, f)
			}
		}
	}
	return scenario, findings
}

// repeat plays the scenarios of findings again as often as configured, except those that were repeated already.
func (r *engine) repeat(ctx context.Context, v *formSet, all []*unconfirmed) error {
	open := map[string]bool{}
	for _, d := range all {
		switch {
		case len(r.repeated[d.played]) > 0 || open[d.played]:
		case r.chosen.Run[d.played] == nil:
			d.reason = "it was found before the first scenario"
		case len(open) >= maxRepeated && !r.restsOnGateway(d.findings), len(open) >= maxGatewayRepeated, r.unrepeated[d.played]:
			d.reason = "too much was found to repeat all of it"
		default:
			open[d.played] = true
		}
	}
	return r.playAgain(ctx, v, open)
}

// repeatedAtOnce is how many scenarios are repeated at a time: few enough that effects of load do not show again.
const repeatedAtOnce = 4

// gatewayRepetitions is how often more a scenario is repeated if its repetition rests on a 502, 503 or 504: with a
// gateway that fails every 50th request, a request fails twice in a row in one of 50 cases.
const gatewayRepetitions = 2

// playAgain plays scenarios as often as configured, and again those that then get a 502, 503 or 504.
func (r *engine) playAgain(ctx context.Context, v *formSet, which map[string]bool) error {
	for range r.cfg.Confirm {
		if err := r.playOnceMore(ctx, v, which); err != nil || ctx.Err() != nil {
			return err
		}
	}
	for range gatewayRepetitions {
		which = r.metGateway(which)
		if err := r.playOnceMore(ctx, v, which); err != nil || ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// metGateway returns those scenarios whose latest repetition rests on a 502, 503 or 504.
func (r *engine) metGateway(which map[string]bool) map[string]bool {
	met := map[string]bool{}
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range which {
		if all := r.repeated[id]; len(all) > 0 && r.restsOnGateway(all[len(all)-1].findings) {
			met[id] = true
		}
	}
	return met
}

// playOnceMore plays scenarios again, and keeps the results: a few at a time first, then by themselves those that
// look at the whole store, or create so much at once that a store which keeps only the newest may drop other
// resources.
func (r *engine) playOnceMore(ctx context.Context, v *formSet, which map[string]bool) error {
	if len(which) == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(which))
	alone := func(p *suite.Scenario) bool {
		return slices.Contains([]string{suite.PhaseFirst, suite.PhaseSmall, suite.PhaseStocked, suite.PhaseEnd}, p.Phase()) ||
			testsKind(p, promise.Concurrent)
	}
	fewAtOnce := func(p *suite.Scenario) string {
		at, _ := slices.BinarySearch(ids, p.ID())
		return strconv.Itoa(at % repeatedAtOnce)
	}
	for _, byItself := range []bool{false, true} {
		again := part{
			chosen: func(p *suite.Scenario) bool { return which[p.ID()] && alone(p) == byItself },
			turns:  fewAtOnce, repeating: true,
			done: func(ctx context.Context, err error) {
				if s := scenario.From(ctx); s != nil {
					r.keepRepetition(s, s.Ended(err))
				}
			},
		}
		if byItself {
			again.turns = oneByOne
		}
		if err := r.playWhole(ctx, v, again); err != nil || ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// keepRepetition keeps the findings of a repeated scenario, and its exchanges.
func (r *engine) keepRepetition(s *scenario.Scenario, again record.Scenario) {
	r.noteGatewayAnswers(s)
	conflicts := map[string]bool{}
	for _, ex := range s.Exchanges() {
		if ex.Response != nil && ex.Response.Status == http.StatusConflict && !slices.Equal(ex.Expect.Statuses, []int{http.StatusConflict}) {
			conflicts[ex.Operation] = true
		}
	}
	s.RecordExchanges()
	var observed []string
	for _, o := range s.Observations() {
		observed = append(observed, o.Rule)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.repeated[again.ID] = append(r.repeated[again.ID], repetition{
		outcome: again.Outcome, reason: again.Reason, findings: again.Findings, exchanges: again.Exchanges, cutShort: s.Budget.IsCutShort(), observed: observed, conflicts: conflicts,
	})
}

// confirmation returns the result of checking a finding again.
func (r *engine) confirmation(d *unconfirmed) record.Confirmation {
	c := record.Confirmation{Scenario: d.scenario, Rule: d.findings[0].Rule, Reason: d.reason}
	if d.played != d.scenario {
		c.Repeated, c.Rule = d.played, d.findings[len(d.findings)-1].Rule
	}
	for _, again := range r.repeated[d.played] {
		shown := r.showsAgain(d, again.findings)
		switch {
		case shown:
		case again.outcome == record.Skipped, again.outcome == record.Errored:
			c.Reason = again.reason // a store that is no longer empty, a limit, or a lost connection
			continue
		case r.isInconclusive(d, again):
			c.Reason = "repeated at once, what its list shows was observed only: the store holds more by then"
			continue
		case isTaken(d, again):
			c.Reason = "repeated, it was answered 409: what the first request created is in the way"
			continue
		case again.cutShort:
			c.Reason = "fewer resources than the first time could be created (--max-created)"
			continue
		}
		c.Tries++
		c.Exchanges = append(c.Exchanges, again.exchanges...)
		if shown {
			c.Shown++
		}
	}
	if c.Tries == 0 && c.Reason == "" {
		c.Reason = "the run ended before it was repeated"
	}
	return c
}

// isInconclusive reports whether a repetition only observed what was found in a list before others filled it.
func (r *engine) isInconclusive(d *unconfirmed, again repetition) bool {
	p := r.chosen.Run[d.played]
	return p != nil && p.Phase() == suite.PhaseFirst && p.Has(suite.Derived) &&
		slices.ContainsFunc(d.findings, func(f spec.Finding) bool { return slices.Contains(again.observed, f.Rule) })
}

// isTaken reports whether a repetition was answered 409 by an operation that had accepted what the findings are about: the target still has
// what the bug let in, and takes no second one.
func isTaken(d *unconfirmed, again repetition) bool {
	for operation := range again.conflicts {
		if d.accepted[operation] {
			return true
		}
	}
	return false
}

// onceMore is the suffix of the purpose of repeated preflight requests.
const onceMore = ", once more"

// repeatPreflight repeats the requests of a preflight that found something: there is no scenario to repeat.
func (r *engine) repeatPreflight(ctx context.Context, first *scenario.Scenario) {
	if len(first.Findings()) == 0 {
		return
	}
	for range r.cfg.Confirm {
		s := r.NewRepetition(&suite.Scenario{}, spec.Rule{})
		asked := map[string]bool{}
		var err error
		for _, ex := range first.Exchanges() {
			op, known := r.Contract.Operation(ex.Operation)
			if err != nil || !known || asked[ex.Operation] {
				continue
			}
			asked[ex.Operation] = true
			_, err = s.AskPlain(ctx, *op, "before the run"+onceMore)
		}
		if ctx.Err() != nil {
			return
		}
		again := s.Ended(err)
		again.ID = scenario.PreflightID
		r.keepRepetition(s, again)
	}
}
