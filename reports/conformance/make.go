package conformance

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

const (
	// answersKept is the maximum number of answers to an open question, askedKept the maximum number of requests per answer.
	answersKept = 8
	askedKept   = 6
)

// New returns the report for a view.
func New(v *view.View) *Report {
	rec := v.Record
	r := &Report{
		APIVersion: apiVersion, Kind: kindName,
		Date:           date(rec),
		Implementation: rec.Target.Implementation,
		Target:         Target{BaseURL: rec.Target.BaseURL, Way: rec.Target.Words()},
		Suite: Suite{
			Version: rec.Suite.Version, Foreign: foreign(rec.Suite),
			Contract: digest(rec.Suite.Contract), Catalogue: digest(rec.Suite.Catalogue), Features: digest(rec.Suite.Features),
		},
		Mode: mode(v),
		Run: Run{
			ID: rec.ID, Verdict: v.Result.Verdict, Because: v.Result.Because,
			Complete: rec.Complete, Lost: rec.Lost, Stopped: rec.Stopped, Failures: v.Result.Failures,
		},
		Areas:        areas(v),
		Observations: observations(v),
		Deviations:   deviations(v),
		Proof:        proof(v),
		Reproduce:    Reproduce{Command: command(rec), Seeds: seeds(rec)},
	}
	if v.Contract != nil {
		r.Interface = Interface{Title: v.Contract.Title(), Version: v.Contract.Version()}
	}
	r.Summary = r.sum()
	r.Summary.Exchanges, r.Summary.Created = len(rec.Exchanges), len(rec.Created)
	r.Result, r.Because = r.conclude()
	r.Caveats = r.caveats()
	return r
}

// date returns the end of the run to the second, so that it is the same in every format.
func date(rec *record.Record) time.Time {
	when := rec.Ended
	if when.IsZero() {
		when = rec.Started
	}
	return when.UTC().Truncate(time.Second)
}

// digest returns a digest, or unknown if it is empty.
func digest(text string) string {
	if hexadecimal, is := strings.CutPrefix(text, "sha256:"); is && len(hexadecimal) == 64 && strings.Trim(hexadecimal, "0123456789abcdef") == "" {
		return text
	}
	return unknown
}

// unknown replaces a missing digest.
const unknown = "unknown"

// foreign names the parts of the suite that do not belong to the hallmark version that judged, or are unknown.
func foreign(s record.Suite) []string {
	var all []string
	for _, part := range []struct{ name, digest string }{{"contract", s.Contract}, {"catalogue", s.Catalogue}, {"features", s.Features}} {
		if slices.Contains(s.Foreign, part.name) || digest(part.digest) == unknown {
			all = append(all, part.name)
		}
	}
	return all
}

func mode(v *view.View) Mode {
	rec, o := v.Record, v.Record.Options
	return Mode{
		Whole: v.Whole(), ReadOnly: rec.Target.ReadOnly, Strict: o.Strict, Insecure: rec.Target.Insecure,
		Concurrency: rec.AtOnce(), MaxCreated: o.MaxCreated, Shards: len(rec.Shards),
		Now: o.Now, Tags: o.Tags, Rules: o.Rules, Operations: o.Operations, Shard: o.Shard, Again: o.Again != "", Quick: o.Quick,
	}
}

func observations(v *view.View) []Observation {
	all := v.Observed()
	var out []Observation
	for _, judged := range v.Result.Rules { // in the catalogue's order
		answers := all[judged.Rule]
		if judged.Verdict != verdict.Observed || len(answers) == 0 {
			continue
		}
		rule := v.Rule(judged.Rule)
		o := Observation{Rule: rule.ID, Asks: rule.Asks, More: max(0, len(answers)-answersKept)}
		if o.Asks == "" {
			o.Asks = rule.Says
		}
		for _, a := range answers[:len(answers)-o.More] {
			more := max(0, len(a.Asked)-askedKept)
			answer := Observed{Answer: text.Short(a.Answer), More: more}
			for _, asked := range a.Asked[:len(a.Asked)-more] {
				answer.Asked = append(answer.Asked, text.Short(asked))
			}
			o.Answers = append(o.Answers, answer)
		}
		out = append(out, o)
	}
	return out
}

func deviations(v *view.View) []Deviation {
	var all []Deviation
	for _, d := range v.Result.Deviations {
		all = append(all, Deviation{Deviation: d.Deviation, State: d.State, Findings: d.Findings, Fails: d.Fails})
	}
	return all
}

func proof(v *view.View) *ProofSummary {
	p, standing := v.Record.Proof, v.Result.Proof
	if p == nil || standing == nil {
		return nil
	}
	return &ProofSummary{
		Holds: standing.Holds, Because: standing.Because,
		Faults: p.Faults, Killed: p.Killed, Diagnosed: p.Diagnosed, Freedoms: p.Freedoms, Accepted: p.Accepted,
		MustRules: p.MustRules, WithFault: p.WithFault,
	}
}

// command returns the command line for repeating the run. It contains the address but no files of the user, and omits what does not affect the
// questions (the source of the key, certificates).
func command(rec *record.Record) string {
	o, line := rec.Options, "hallmark run --base-url "+text.ShellQuote(rec.Target.BaseURL)
	add := func(flag string, values ...string) {
		for _, value := range values {
			if value != "" {
				line += " " + flag + " " + text.ShellQuote(value)
			}
		}
	}
	set := func(is bool, flag string) {
		if is {
			line += " " + flag
		}
	}
	set(o.Strict, "--strict")
	set(o.Quick, "--quick")
	set(rec.Target.ReadOnly, "--read-only")
	set(o.Intermittent != "", "--intermittent "+o.Intermittent)
	set(rec.Target.Insecure, "--insecure")
	add("--now", o.Now)
	add("--tags", o.Tags)
	add("--operation", o.Operations...)
	add("--rule", o.Rules...)
	add("--shard", o.Shard)
	if p := rec.Proof; p != nil {
		// It was proven with the defaults.
		set(o.MaxCreated > 0 && o.MaxCreated-o.Reserved != p.MaxCreated, "--max-created "+strconv.Itoa(o.MaxCreated))
	}
	if all := seeds(rec); len(all) == 1 {
		add("--seed", all[0])
	}
	return line
}

// seeds returns the seeds of the run, or of its shards if they differ.
func seeds(rec *record.Record) []string {
	if rec.Options.Seed != 0 || len(rec.Shards) == 0 {
		return []string{strconv.FormatInt(rec.Options.Seed, 10)}
	}
	var all []string
	for _, p := range rec.Shards {
		all = append(all, strconv.FormatInt(p.Seed, 10))
	}
	return all
}
