package sarif

import (
	"io"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// Format is SARIF 2.1.0.
func Format() reports.Format {
	return reports.Format{Name: "sarif", Says: "SARIF 2.1.0, for code scanning: each cause at the line of the contract that is broken", Write: write}
}

// sourceRoot is the base of relative file paths: the root of a repository.
const sourceRoot = "%SRCROOT%"

// write writes the causes of a run.
func write(w io.Writer, v *view.View) error {
	l := newLog(v)
	j := jsonout.New(w)
	j.Raw("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\n\"runs\":[{\"tool\":{\"driver\":{\"name\":\"hallmark\"")
	if version := v.Record.Suite.Version; version != "" {
		j.Raw(",\"version\":")
		j.Value(version)
	}
	j.Raw(",\"rules\":")
	rules := j.List()
	for _, r := range l.rules {
		rules.Add(describe(r))
	}
	rules.End()
	j.Raw("}},\n\"automationDetails\":")
	j.Value(map[string]string{"id": l.category()})
	j.Raw(",\n\"invocations\":[")
	j.Value(l.invocation())
	j.Raw("],\n\"originalUriBaseIds\":")
	j.Value(map[string]any{sourceRoot: map[string]any{"description": message{"The root of the repository that holds the contract."}}})
	j.Raw(",\n\"artifacts\":[")
	j.Value(l.contract())
	j.Raw("],\n\"columnKind\":\"unicodeCodePoints\",\"redactionTokens\":[\"$HALLMARK_API_KEY\"],\n\"properties\":")
	j.Value(l.properties())
	j.Raw(",\n\"results\":")
	results := j.List()
	for _, c := range v.Result.Causes {
		results.Add(l.cause(c))
	}
	for _, d := range v.Result.Deviations {
		if d.State == verdict.Deviating {
			results.Add(l.deviation(d))
		}
	}
	results.End()
	j.Raw("}]}\n")
	return j.Flush()
}

// log writes a run as SARIF.
type log struct {
	*view.View
	rules []spec.Rule
	index map[string]int // of a rule, in rules
	// seen counts the results by the ids of their examples.
	seen map[string]int
	// known are the first findings that known violations cover.
	known map[record.Deviation]spec.Finding
}

func newLog(v *view.View) *log {
	l := &log{View: v, index: map[string]int{}, seen: map[string]int{}}
	if v.Catalogue != nil {
		for _, r := range v.Catalogue.Rules {
			l.addRule(r)
		}
	}
	for _, c := range v.Result.Causes {
		l.addRule(v.Rule(c.Rule)) // the record may have been made with other rules
	}
	for _, d := range v.Result.Deviations {
		l.addRule(v.Rule(d.Rule))
	}
	l.known = covered(v)
	return l
}

func (l *log) addRule(r spec.Rule) {
	if _, there := l.index[r.ID]; !there {
		l.index[r.ID] = len(l.rules)
		l.rules = append(l.rules, r)
	}
}

// covered finds an example for each known violation.
func covered(v *view.View) map[record.Deviation]spec.Finding {
	first := map[record.Deviation]spec.Finding{}
	for i := range v.Record.Scenarios {
		if len(v.Record.Deviations) == 0 {
			break
		}
		for _, f := range v.Sort(&v.Record.Scenarios[i]).Known {
			for _, d := range v.Record.Deviations {
				if _, there := first[d]; !there && d.Covers(f) {
					first[d] = f
				}
			}
		}
	}
	return first
}

// describe returns the description of a rule.
func describe(r spec.Rule) descriptor {
	short := r.Says
	if short == "" {
		short = r.ID
	}
	full := short
	if r.Source != "" {
		full += " (" + r.Source + ")"
	}
	help := "Level: " + string(r.Level) + ". " + r.Section + "\nhallmark run --rule " + r.ID + " tests only this rule."
	severity := map[spec.Level]string{spec.Must: "error", spec.Inferred: "error", spec.Should: "warning"}[r.Level]
	if severity == "" {
		severity = "recommendation"
	}
	return descriptor{
		ID: r.ID, Short: message{plain(short)}, Full: message{plain(full)}, Help: message{plain(help)},
		Default: configuration{level(r.Level)},
		Properties: map[string]any{
			"tags": []string{"conformance", r.Area()}, "level": r.Level, "section": r.Section,
			"precision": "very-high", "problem.severity": severity, // read by GitHub
		},
	}
}

// level returns the SARIF level for violations of a rule; a rule of which only the id is known counts as open.
func level(of spec.Level) string {
	if of.Fails() {
		return "error"
	}
	if of == spec.Should {
		return "warning"
	}
	return "note"
}

// category distinguishes the results of different services: otherwise the newest report would replace all others.
func (l *log) category() string {
	project := strings.ReplaceAll(strings.TrimSpace(text.Visible(l.Record.Target.Implementation.Project)), "/", "-")
	if project == "" {
		return "hallmark/"
	}
	return "hallmark/" + project + "/"
}

func (l *log) contract() artifact {
	a := artifact{Location: l.file("")}
	if sum, ok := strings.CutPrefix(l.Record.Suite.Contract, "sha256:"); ok {
		a.Hashes = map[string]string{"sha-256": sum}
	}
	return a
}

func (l *log) properties() map[string]any {
	rec := l.Record
	return map[string]any{
		"target": rec.Target.BaseURL, "verdict": l.Result.Verdict, "because": l.Result.Because, "seed": l.Seed(), "complete": rec.Complete,
		"contract": rec.Suite.Contract, "catalogue": rec.Suite.Catalogue, "features": rec.Suite.Features,
	}
}

// invocation returns the outcome of the run.
func (l *log) invocation() invocation {
	rec, res := l.Record, &l.Result
	in := invocation{
		ExitCode: res.ExitCode, ExitBecause: plain(res.Because),
		Successful: rec.Complete && rec.Lost == "" && rec.Failure == "" && (res.ExitCode == verdict.ExitOK || res.ExitCode == verdict.ExitViolated),
	}
	if at := rec.Started.UTC(); !at.IsZero() {
		in.Started = &at
	}
	if at := rec.Ended.UTC(); !at.IsZero() {
		in.Ended = &at
	}
	note := func(level, text string) {
		in.Execution = append(in.Execution, notification{level, message{plain(text)}})
	}
	for _, failure := range res.Failures {
		note("error", "hallmark itself failed, and proved nothing: "+text.Short(failure))
	}
	if rec.Lost != "" {
		note("error", text.Short(verdict.LostPhrase(rec)))
	}
	if rec.Cut != "" {
		note("warning", text.Short(rec.Cut))
	} else if !rec.Complete {
		note("warning", "The run did not reach its end; what is missing here was not tested. "+text.Short(rec.Stopped))
	}
	if res.ExitCode == verdict.ExitIncomplete {
		note("error", "The run did not judge what it was to judge: "+text.Short(res.Because))
	}
	for _, u := range l.Unasked(verdict.NotExercised) {
		var must []string
		for _, r := range u.Rules {
			if r.Level == spec.Must {
				must = append(must, r.Rule)
			}
		}
		if len(must) > 0 {
			note("warning", "Must rules that were not exercised ("+u.Reason+"): "+strings.Join(must, ", "))
		}
	}
	for _, d := range res.Deviations {
		if d.Fails {
			in.Configuration = append(in.Configuration, notification{
				"error", message{plain("The known violation of " + text.Visible(d.Rule) + " no longer holds (" + string(d.State) + "): " + text.Short(d.Says))},
			})
		}
	}
	return in
}
