package traffic

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// What a judge keeps at most, however many exchanges it sees.
const (
	// keptOfAKind is how many findings of a kind are kept, keptKinds how many kinds.
	keptOfAKind, keptKinds = 3, 1000
	// keptBody is how much is kept of a body, in bytes, while all of them together take less than keptBodies; keptShort is kept of others.
	keptBody, keptBodies, keptShort = 256 << 10, 16 << 20, 4 << 10
	// keptAll is how many bytes all kept exchanges may take, with their addresses and headers.
	keptAll = 64 << 20
	// keptNames is how many paths and hosts are counted by name.
	keptNames = 50
)

// others is the name under which what exceeds keptNames is counted.
const others = "others"

// kept is what a judge keeps.
type kept struct {
	seen, judged int
	operations   map[string]bool
	exercised    map[string]int
	outside      map[string]int
	hosts        map[string]int
	reasons      map[Reason]int

	findings  []spec.Finding
	exchanges []spec.Exchange
	bodies    int
	// size is how many bytes the exchanges take.
	size int
	// seed is that of the hashes of causes.
	seed maphash.Seed
	// kinds counts the findings of each kind, more those that were not kept, by rule.
	kinds map[kind]int
	more  map[string]int
}

// kind is a kind of findings: those of a rule with a cause, of which the hash is enough.
type kind struct {
	rule  string
	cause uint64
}

func newKept() kept {
	return kept{
		operations: map[string]bool{}, exercised: map[string]int{}, outside: map[string]int{}, hosts: map[string]int{},
		reasons: map[Reason]int{}, kinds: map[kind]int{}, more: map[string]int{},
		seed: maphash.MakeSeed(),
	}
}

// increase counts a name, of which there may be any number.
func increase(counts map[string]int, name string) {
	name = strings.Clone(text.TruncateBytes(name, 120)) // the clone releases the rest
	if _, known := counts[name]; !known && len(counts) >= keptNames {
		name = others
	}
	counts[name]++
}

// addExchange adds what an exchange showed.
func (k *kept) addExchange(j *judging) {
	if j.reason != "" {
		k.reasons[j.reason]++
	}
	if !j.judged {
		return
	}
	k.judged++
	for _, rule := range j.exercised {
		k.exercised[rule]++
	}
	var wanted []spec.Finding
	for _, f := range j.findings {
		of := kind{f.Rule, maphash.String(k.seed, f.Cause)}
		n, known := k.kinds[of]
		if n >= keptOfAKind || k.size >= keptAll || !known && len(k.kinds) >= keptKinds {
			k.more[f.Rule]++
			continue
		}
		k.kinds[of]++
		wanted = append(wanted, f)
	}
	if len(wanted) == 0 {
		return
	}
	for i := range j.earlier {
		earlier := &j.earlier[i]
		shown := func(f spec.Finding) bool { return slices.Contains(f.Exchanges, earlier.ex.Seq) }
		if !slices.ContainsFunc(wanted, shown) {
			continue
		}
		var ex spec.Exchange
		ex, wanted = j.mask(earlier.x, earlier.op, earlier.ex, wanted)
		k.keep(ex)
	}
	ex, masked := j.mask(j.x, j.op, j.ex, wanted)
	k.keep(ex)
	k.findings = append(k.findings, masked...)
}

// keep keeps an exchange, once.
func (k *kept) keep(ex spec.Exchange) {
	if !slices.ContainsFunc(k.exchanges, func(known spec.Exchange) bool { return known.Seq == ex.Seq }) {
		ex = k.shorten(ex)
		k.exchanges = append(k.exchanges, ex)
		k.size += weight(&Exchange{Request: ex.Request, Response: *ex.Response})
	}
}

// shorten cuts the bodies of an exchange.
func (k *kept) shorten(ex spec.Exchange) spec.Exchange {
	cut := func(body spec.Bytes) spec.Bytes {
		most := keptBody
		if k.bodies+min(len(body), keptBody) > keptBodies {
			most = keptShort
		}
		body = slices.Clone(record.Shorten(body, most))
		k.bodies += len(body)
		return body
	}
	response := *ex.Response
	response.Size = max(response.Size, len(response.Body))
	response.Body = cut(response.Body)
	ex.Request.Body, ex.Response = cut(ex.Request.Body), &response
	return ex
}

// Fill adds to a record what the exchanges showed. The record has what is known of suite, target and options.
func (j *Judge) Fill(rec *record.Record, source string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	rec.Complete, rec.Ended, rec.Exercised, rec.NotApplicable, rec.Unjudged = true, time.Now().Round(0), j.exercised, j.notApplicable, j.holes.List()
	rec.Target.BaseURL = cmp.Or(rec.Target.BaseURL, j.options.Place.Base())
	rec.Exchanges = slices.SortedFunc(slices.Values(j.exchanges), func(a, b spec.Exchange) int { return cmp.Compare(a.Seq, b.Seq) })
	traffic := record.Traffic{
		Source: source, Seen: j.seen, Judged: j.judged, Outside: record.Counted(j.outside), Hosts: record.Counted(j.hosts),
		NotJudged: record.Counted(j.reasons), More: record.Counted(j.more), Forgotten: j.window.forgotten,
	}
	rec.Coverage = j.coverage.Coverage(j.basis.Contract)
	for i := range rec.Coverage.Operations {
		op := &rec.Coverage.Operations[i]
		switch {
		case !j.operations[op.Operation]:
			traffic.Unseen = append(traffic.Unseen, op.Operation)
			continue
		case op.Judgement().Judged(), op.Succeeded > 0 && !j.options.Tests:
			traffic.Succeeded = append(traffic.Succeeded, op.Operation)
		}
		sc := record.Scenario{ID: op.Operation, Feature: "traffic", Name: op.Operation, Operations: []string{op.Operation}, Outcome: record.Passed, Started: rec.Started}
		for _, f := range j.findings {
			if f.Operation == op.Operation {
				sc.Findings, sc.Outcome = append(sc.Findings, f), record.Failed
				sc.Exchanges = append(sc.Exchanges, f.Exchanges...)
			}
		}
		slices.Sort(sc.Exchanges)
		sc.Exchanges = slices.Compact(sc.Exchanges)
		rec.Scenarios = append(rec.Scenarios, sc)
	}
	rec.Traffic = &traffic
}
