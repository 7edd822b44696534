package scenario

import (
	"slices"
	"sync"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/coverage"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/check"
)

// Ledger collects what one scenario saw and found out. It is safe for concurrent use.
//
// Whether a rule was exercised follows from the results of judgements alone: Kept, Find and Observe count one
// each. A check without a result calls none of them.
type Ledger struct {
	catalogue *spec.Catalogue
	keeper    *keeper

	mu           sync.Mutex
	exchanges    []*spec.Exchange
	findings     []spec.Finding
	observations []spec.Observation
	exercised    []string
	// marks says what of the contract each exchange touches, by its number.
	marks map[int]*coverage.Marks
	// unjudged is why a response could not be judged, or empty.
	unjudged string
	// seriousReported is how many serious findings the steps so far have reported.
	seriousReported int
	// bodies is how many bytes of the run's room for bodies the exchanges take.
	bodies int64
}

// Kept counts, for each rule, that a response which could have broken it kept it. It cannot be undone, so call it
// once the result is known.
func (l *Ledger) Kept(rules ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, rule := range rules {
		rule = l.catalogue.Resolve(rule)
		if _, off := l.catalogue.Off(rule); !off {
			l.exercised = append(l.exercised, rule)
		}
	}
}

// Find adds findings, and counts their rules as exercised. A finding without exchanges is about ex.
func (l *Ledger) Find(ex *spec.Exchange, findings ...spec.Finding) {
	for _, f := range findings {
		l.Kept(l.catalogue.ResolveFinding(f))
	}
	l.Report(ex, findings...)
}

// conclude adds the judgement of an exchange.
func (l *Ledger) conclude(ex *spec.Exchange, j promise.Judged) {
	l.Report(ex, j.Findings...)
	l.Kept(j.Exercised...)
}

// Report adds findings whose rules were already counted as exercised.
func (l *Ledger) Report(ex *spec.Exchange, findings ...spec.Finding) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range findings {
		f.Rule = l.catalogue.ResolveFinding(f)
		if f.After != "" {
			f.After = l.catalogue.Resolve(f.After)
		}
		if _, off := l.catalogue.Off(f.Rule); off {
			continue
		}
		if f.Operation == "" && ex != nil {
			f.Operation = ex.Operation
		}
		if len(f.Exchanges) == 0 && ex != nil {
			f.Exchanges = []int{ex.Seq}
		}
		if f.Where.IsZero() && ex != nil {
			f.Where = check.Place(ex)
		}
		if f.Cause == "" {
			f.Cause = f.Rule + " " + f.Actual.String()
		}
		l.findings = append(l.findings, f.Map(l.shorten))
	}
}

// Observe adds an observation, and counts its rule as exercised.
func (l *Ledger) Observe(o spec.Observation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o.Rule = l.catalogue.Resolve(o.Rule)
	l.exercised = append(l.exercised, o.Rule)
	o.Asked, o.Answer, o.Reading = l.shorten(o.Asked), l.shorten(o.Answer), l.shorten(o.Reading)
	l.observations = append(l.observations, o)
}

// LongestTold is the maximum length of a text in a finding, in characters.
const LongestTold = 1000

// shorten cuts a text to LongestTold. It redacts it first, since a secret cannot be recognized by half of it.
func (l *Ledger) shorten(s string) string {
	if len(s) <= LongestTold {
		return s
	}
	return text.Elide(l.keeper.redactor.Text(s), LongestTold)
}

// leaveUnjudged records why a response could not be judged.
func (l *Ledger) leaveUnjudged(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unjudged = err.Error()
}

// recall adds findings from earlier attempts, except those that showed again.
func (l *Ledger) recall(findings []spec.Finding) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range findings {
		if !slices.ContainsFunc(l.findings, func(g spec.Finding) bool { return g.Rule == f.Rule && g.Cause == f.Cause }) {
			l.findings = append(l.findings, f)
		}
	}
}

// Discard removes the findings and the exercised rules. The exchanges stay.
func (l *Ledger) Discard() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.findings, l.exercised = nil, nil
}

// Findings returns the findings so far.
func (l *Ledger) Findings() []spec.Finding {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.findings)
}

// Observations returns the observations so far.
func (l *Ledger) Observations() []spec.Observation {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.observations)
}

// Exercised returns the exercised rules, once for each time.
func (l *Ledger) Exercised() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.exercised)
}

// Found reports whether a finding so far satisfies kind.
func (l *Ledger) Found(kind func(spec.Finding) bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.findings, kind)
}

// Broken reports whether an exchange already has a finding, so that its consequences are not reported as well.
func (l *Ledger) Broken(ex *spec.Exchange) bool {
	return l.Found(func(f spec.Finding) bool { return slices.Contains(f.Exchanges, ex.Seq) && f.Rule != "auth.challenge" })
}

// Breached reports whether a finding makes the run fail.
func (l *Ledger) Breached() bool {
	return l.Found(func(f spec.Finding) bool { return fails(l.catalogue, f) })
}

// NewFindings reports whether findings that make the run fail were added since the last call.
func (l *Ledger) NewFindings() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, f := range l.findings {
		if fails(l.catalogue, f) {
			n++
		}
	}
	more := n > l.seriousReported
	l.seriousReported = n
	return more
}

// fails reports whether a finding makes the run fail.
func fails(catalogue *spec.Catalogue, f spec.Finding) bool {
	rule, ok := catalogue.Rule(f.Rule)
	return ok && rule.Level.Fails()
}

// touched notes what of the contract an exchange touches, until the scenario ends: then it is known whether the exchange
// was right.
func (l *Ledger) touched(seq int, marks *coverage.Marks) {
	if marks == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.marks == nil {
		l.marks = map[int]*coverage.Marks{}
	}
	l.marks[seq] = marks
}

// cover counts what the exchanges touched.
func (l *Ledger) cover(tally *record.CoverageTally) {
	l.mu.Lock()
	defer l.mu.Unlock()
	broken := map[int]bool{}
	for _, f := range l.findings {
		if fails(l.catalogue, f) {
			for _, seq := range f.Exchanges {
				broken[seq] = true
			}
		}
	}
	for seq, marks := range l.marks {
		tally.Add(marks, broken[seq])
	}
	l.marks = nil
}
