package compare

import (
	"cmp"
	"net/url"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// Run is what is compared of a record. Text from outside is stored as [reports.Visible] writes it, except BaseURL, Implementation, Suite
// and File.
type Run struct {
	// Name is unique in a comparison. File is the file that the record was read from.
	Name string
	File string

	Suite          record.Suite
	BaseURL        string
	Implementation record.Implementation
	Started        time.Time
	Strict         bool
	// Scope lists what is special about the run, as its own report does: read-only, partial, known violations.
	Scope []string

	Verdict  verdict.Verdict
	Because  string
	Counts   string
	ExitCode int
	// Void says why none of the run's verdicts count. It is usually empty.
	Void string

	// Rules holds the verdicts by rule id.
	Rules map[string]verdict.RuleVerdict
	// Causes holds the defects found, the most important first.
	Causes []Cause
	// Answers holds the answers to open rules, by rule and by request.
	Answers map[string]map[string][]OpenAnswer
	// Empty reports whether all counts in Answers are zero, as with an empty store.
	Empty bool
	// Scenarios holds the outcomes by scenario id.
	Scenarios map[string]record.Outcome
	Latency   map[string]Latency
}

// OpenAnswer is one answer to an open rule.
type OpenAnswer struct {
	Text string
	// Reading is the answer without what services choose freely. Count is the number of resources in it, or -1 if nothing was counted.
	Reading string
	Count   int64
}

// Cause is a defect that a run found.
type Cause struct {
	Rule     string
	Expected string
	Actual   string
	Where    string
	Message  string
	// Key is the key of the finding that shows it.
	Key spec.Key
	// Repeated is the result of the repetitions if some did not show it.
	Repeated string
	// Also lists the other rules that it breaks.
	Also []string
	// Curl holds the shell commands that repeat it.
	Curl  string
	Rerun string
}

// Take returns what is compared of a view, which is not needed afterwards.
func Take(file string, v *view.View) *Run {
	r := take(file, v.Record, &v.Result)
	r.Counts = v.Counts()
	return r
}

// countsNothing reports whether all counts in the answers to open rules are zero.
func (r *Run) countsNothing() bool {
	for _, by := range r.Answers {
		for _, answers := range by {
			for _, answer := range answers {
				if answer.Count > 0 {
					return false
				}
			}
		}
	}
	return true
}

// TakeJudged returns what is compared of a record made with other rules than the present ones. Its verdicts are those of that time.
func TakeJudged(file string, rec *record.Record, res *verdict.Result) *Run {
	r := take(file, rec, res)
	r.Scope = append(r.Scope, "judged by hallmark "+text.Short(rec.Suite.Version))
	return r
}

func take(file string, rec *record.Record, res *verdict.Result) *Run {
	r := &Run{
		File: file, Suite: rec.Suite, BaseURL: rec.Target.BaseURL, Implementation: rec.Target.Implementation,
		Started: rec.Started, Strict: rec.Options.Strict,
		Scope:   (&view.View{Record: rec}).Scope()[2:], // the version and the address are shown separately
		Verdict: ofRun(res.Verdict), Because: text.Short(res.Because), ExitCode: res.ExitCode,
		Rules: make(map[string]verdict.RuleVerdict, len(res.Rules)), Answers: map[string]map[string][]OpenAnswer{},
		Scenarios: make(map[string]record.Outcome, len(rec.Scenarios)), Latency: latencies(rec),
	}
	if res.ExitCode == verdict.ExitHarness {
		r.Void = "hallmark itself failed, so this run proves nothing"
	}
	for _, v := range res.Rules {
		v.Rule, v.Verdict, v.Level, v.Reason = text.Visible(v.Rule), ofRule(v.Verdict), ofLevel(v.Level), text.Short(v.Reason)
		r.Rules[v.Rule] = v
	}
	for _, c := range res.Causes {
		kept := Cause{
			Rule: text.Visible(c.Rule), Expected: text.Short(c.Lead.Expected.String()), Actual: text.Short(c.Lead.Actual.String()),
			Where: text.Short(c.Lead.Where.String()), Message: record.Message(c.Lead), Key: c.Lead.Key(), Curl: text.VisibleLines(c.Curl), Rerun: text.Visible(c.Rerun),
		}
		if c.Mark() == record.IntermittentMark {
			kept.Repeated = c.Confirmation.Sentence()
		}
		for _, also := range c.Also {
			kept.Also = append(kept.Also, text.Visible(also.Rule))
		}
		r.Causes = append(r.Causes, kept)
	}
	for i := range rec.Scenarios {
		s := &rec.Scenarios[i]
		if s.ID != "" {
			r.Scenarios[text.Visible(s.ID)] = s.Outcome
		}
		for _, o := range s.Observations {
			r.answer(o)
		}
	}
	for _, by := range r.Answers {
		for _, answers := range by {
			slices.SortFunc(answers, func(x, y OpenAnswer) int { return cmp.Compare(x.Text, y.Text) })
		}
	}
	r.Empty = r.countsNothing()
	return r
}

// answer adds an answer to an open rule, unless it is a duplicate.
func (r *Run) answer(o spec.Observation) {
	rule, asked := text.Visible(o.Rule), text.Short(o.Asked)
	answer := OpenAnswer{Text: text.Short(o.Answer), Reading: text.Short(cmp.Or(o.Reading, o.Answer)), Count: -1}
	if o.Count != nil {
		answer.Count = *o.Count
	}
	if r.Answers[rule] == nil {
		r.Answers[rule] = map[string][]OpenAnswer{}
	}
	if !slices.ContainsFunc(r.Answers[rule][asked], func(a OpenAnswer) bool { return a.Text == answer.Text }) {
		r.Answers[rule][asked] = append(r.Answers[rule][asked], answer)
	}
}

// ofRun, ofRule and ofLevel reject words that a record made up: an unknown word proves nothing.
func ofRun(v verdict.Verdict) verdict.Verdict {
	switch v {
	case verdict.Conformant, verdict.Excepted, verdict.Outdated, verdict.Violated, verdict.Partial:
		return v
	default:
		return verdict.Inconclusive
	}
}

func ofRule(v verdict.Verdict) verdict.Verdict {
	switch v {
	case verdict.Conforms, verdict.Violated, verdict.Warned, verdict.Observed, verdict.Deviates, verdict.Doubtful, verdict.Intermittent, verdict.NotExercised, verdict.NotApplicable, verdict.Untestable:
		return v
	default:
		return ""
	}
}

func ofLevel(l spec.Level) spec.Level {
	switch l {
	case spec.Must, spec.Should, spec.Inferred, spec.Open:
		return l
	}
	return ""
}

// verdict returns the verdict on a rule, or "" if the run's suite does not have the rule or none of the run's verdicts count.
func (r *Run) verdict(rule string) verdict.Verdict {
	if r.Void != "" {
		return ""
	}
	return r.Rules[rule].Verdict
}

// cause returns the cause that a rule leads, else one that also breaks it, or nil.
func (r *Run) cause(rule string) *Cause {
	var beside *Cause
	for i := range r.Causes {
		switch c := &r.Causes[i]; {
		case c.Rule == rule:
			return c
		case beside == nil && slices.Contains(c.Also, rule):
			beside = c
		}
	}
	return beside
}

// Nominate gives a distinct name to each run that has none: the implementation and its version, else the host; if that is ambiguous, the
// host and then the file is added.
func Nominate(runs []*Run) {
	given := map[*Run]bool{}
	for _, r := range runs {
		given[r] = r.Name != ""
		if !given[r] {
			r.Name = own(r)
		}
	}
	for _, more := range []func(*Run) string{(*Run).host, func(r *Run) string { return r.File }} {
		count := map[string]int{}
		for _, r := range runs {
			count[r.Name]++
		}
		for _, r := range runs {
			if extra := more(r); count[r.Name] > 1 && !given[r] && extra != "" && extra != r.Name {
				r.Name += " (" + text.Short(extra) + ")"
			}
		}
	}
	seen := map[string]int{}
	for _, r := range runs {
		if seen[r.Name]++; seen[r.Name] > 1 {
			r.Name += " #" + text.Number(seen[r.Name])
		}
	}
}

func own(r *Run) string {
	name := r.Implementation.Project
	if name != "" && r.Implementation.Version != "" {
		name += " " + r.Implementation.Version
	}
	return text.Elide(text.Visible(cmp.Or(name, r.host(), "unnamed")), 40)
}

// host returns the host of the run's address.
func (r *Run) host() string {
	if u, err := url.Parse(r.BaseURL); err == nil && u.Host != "" {
		return u.Host
	}
	return r.BaseURL
}

// Latency holds the response times of an operation.
type Latency struct {
	Answers int
	Median  time.Duration
}

func latencies(rec *record.Record) map[string]Latency {
	by := map[string][]time.Duration{}
	for i := range rec.Exchanges {
		if ex := &rec.Exchanges[i]; ex.Response != nil && ex.Operation != "" {
			by[ex.Operation] = append(by[ex.Operation], ex.Elapsed)
		}
	}
	all := make(map[string]Latency, len(by))
	for op, took := range by {
		slices.Sort(took)
		all[op] = Latency{Answers: len(took), Median: took[len(took)/2]}
	}
	return all
}

// started returns the start of the run to the minute, since a version may have been judged more than once.
func (r *Run) started() string {
	if r.Started.IsZero() {
		return "started at an unknown time"
	}
	return r.Started.UTC().Format("2006-01-02 15:04")
}
