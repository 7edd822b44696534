package scenario

import (
	"fmt"
	"slices"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/check"
	"hallmark/steps/truncate"
)

// Whether a rule was exercised follows from the results of judgements alone: Kept, Find and Observe count one each. A check
// that cannot tell calls none of them.

// bigTree is from how many bytes on bodies are judged one at a time.
const bigTree = 64 << 10

// Judge applies the rules that hold for every exchange: the contract's, and those of the interface that remember earlier
// exchanges.
func (s *Scenario) Judge(a *Answer) {
	r, ex := s.Run, a.Exchange
	if len(ex.Response.Body) > bigTree {
		r.bigJudge.Lock() // what a body decodes to may be fifty times as big
		defer r.bigJudge.Unlock()
	}
	value, findings, exercised := r.judge.Answer(ex)
	value.Tree = truncate.Value(value.Tree)
	defer func() {
		items, _ := value.Array()
		a.Items, a.Value = len(items), lightened(r, value)
	}()
	if value.Err != nil {
		s.unjudged(ex, value.Err)
		return
	}
	contract := check.Result{Findings: findings, Exercised: exercised}
	var seen []check.Result
	if ex.Operation != "" {
		seen = r.Extension.Judge(s, a, value, &contract)
	}
	s.conclude(ex, contract)
	if op, ok := r.Contract.Operation(ex.Operation); ok {
		s.conclude(ex, check.Error(ex, *op, value.Tree))
		s.conclude(ex, check.Deprecation(ex, *op))
	}
	for _, j := range seen {
		s.conclude(ex, j)
	}
}

// unjudged notes that a response came and could not be judged. One that is longer than what is read leaves the run without
// a verdict; anything else is a failure of ours.
func (s *Scenario) unjudged(ex *spec.Exchange, err error) {
	s.mu.Lock()
	s.failure = err.Error()
	s.mu.Unlock()
	if !exactjson.ExceedsLimit(err) {
		return
	}
	s.Run.noteLostText(fmt.Sprintf("%s could not be judged: %v", check.Place(ex), err))
}

// Kept counts, for each of the rules, that a response which could have broken it kept it. It takes no back: it is called once
// the result is known.
func (s *Scenario) Kept(rules ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Exercised = append(s.Exercised, rules...)
}

// Find adds findings, and counts that their rules were judged. A finding without exchanges is about the given one.
func (s *Scenario) Find(ex *spec.Exchange, findings ...spec.Finding) {
	for _, f := range findings {
		s.Kept(f.Rule)
	}
	s.Report(ex, findings...)
}

// conclude adds what a check found out.
func (s *Scenario) conclude(ex *spec.Exchange, j check.Result) {
	s.Report(ex, j.Findings...)
	s.Kept(j.Exercised...)
}

// Report adds findings whose judgements were counted already.
func (s *Scenario) Report(ex *spec.Exchange, findings ...spec.Finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range findings {
		if f.Operation == "" && ex != nil {
			f.Operation = ex.Operation
		}
		if len(f.Exchanges) == 0 && ex != nil {
			f.Exchanges = []int{ex.Seq}
		}
		if f.Where == "" && ex != nil {
			f.Where = check.Place(ex)
		}
		if f.Cause == "" {
			f.Cause = f.Rule + " " + f.Actual
		}
		for _, text := range []*string{&f.Detail, &f.Expected, &f.Actual, &f.Where, &f.Pointer, &f.Cause} {
			*text = s.Run.tellable(*text)
		}
		s.Findings = append(s.Findings, f)
	}
}

// Observe adds an observation, and counts that its rule was asked about.
func (s *Scenario) Observe(o spec.Observation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Exercised = append(s.Exercised, o.Rule)
	o.Asked, o.Answer, o.Reading = s.Run.tellable(o.Asked), s.Run.tellable(o.Answer), s.Run.tellable(o.Reading)
	s.Observations = append(s.Observations, o)
}

// Broken reports whether an exchange has shown a finding already, so that what follows from it is not told twice.
func (s *Scenario) Broken(ex *spec.Exchange) bool {
	return s.Found(func(f spec.Finding) bool { return slices.Contains(f.Exchanges, ex.Seq) && f.Rule != "auth.challenge" })
}

// Found reports whether any of the findings so far is of a kind.
func (s *Scenario) Found(kind func(spec.Finding) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.Findings, kind)
}

// Expect says which statuses keep the contract here, by which rule, and judges the response by it. A status that breaks another
// rule than the one that was asked about does not judge the latter.
func (s *Scenario) Expect(a *Answer, rule string, statuses ...int) bool {
	a.Exchange.Expect = spec.Expect{Statuses: statuses, Rule: rule}
	if slices.Contains(statuses, a.Status()) {
		s.Kept(rule)
		if rule != "answer.status" {
			s.Kept("answer.status")
		}
		if a.Right && !slices.Contains(statuses, 401) {
			s.Kept("auth.accepted")
		}
		return true
	}
	f := StatusFinding(s.Run, a, rule, statuses)
	if why := s.Run.Extension.After(a, f.Rule); why != f.Rule {
		f.After = why
	}
	s.follow(a.Exchange, f.Rule)
	s.Find(a.Exchange, f)
	s.Kept("answer.status") // the wider rule: what breaks it is told by the narrower one
	s.Run.doubt(s, a, f.Rule, statuses)
	return false
}

// follow puts the findings that a wrong status explains (a 204 has no body) behind the rule that the status broke, which
// was not known yet when the body was judged.
func (s *Scenario) follow(ex *spec.Exchange, rule string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.Findings {
		f := &s.Findings[i]
		if f.After == "answer.status" && len(f.Exchanges) == 1 && f.Exchanges[0] == ex.Seq {
			f.After = rule
		}
	}
}

// ComesFrom notes that what an exchange's request names was made from what an earlier exchange showed.
func (s *Scenario) ComesFrom(ex *spec.Exchange, origin int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.origins == nil {
		s.origins = map[int]int{}
	}
	s.origins[ex.Seq] = origin
}
