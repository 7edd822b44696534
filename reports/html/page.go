package html

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// page is the overview, and what the pages of units and the lists of exchanges are made from, one by one.
type page struct {
	view *view.View
	// charges holds the findings by their decisive exchange.
	charges map[int][]spec.Finding
	// scenarios holds the existing anchors by scenario id, scenariosBy the scenarios by rule, words the findings by rule and wording.
	scenarios   map[string]string
	scenariosBy map[string]*home
	anchored    map[string]*record.Scenario // the scenario that has an anchor, by anchor
	words       map[string][]*ruleDetail
	observedBy  map[string][]view.Answered
	rules       map[string]verdict.Verdict
	// units have lines in the table of operations; the first operationCount of them are operations. unitOf finds them by operation, home by
	// rule, columns the column of the coverage matrix by kind of promise.
	units          []unit
	operationCount int
	unitOf, home   map[string]int
	columns        map[string]int
	// parts are the parts of the overview that are packed; see [part].
	parts []part
	// coverageOf holds the coverage of units.
	coverageOf map[int]*view.OperationCoverage

	Title   string
	Policy  string
	Style   template.CSS
	Script  template.JS
	Favicon template.URL

	Run              run
	Failing, Warning []cause
	Deviations       list[deviation]
	Errors           list[trouble]
	Unasked          list[unasked]
	Observed         list[observation]
	Coverage         coverage
	Kinds            []visible
	Ticks            []mark
	Slowest          []slowOperation
	Timeline         timeline
	Filter           []tick
	Levels           []spec.Level
	Suite            suite
	Exchanges, Rules int
}

// list is a list of which the overview shows the first items. More is the rest, which is packed.
type list[T any] struct {
	Items []T
	More  int
	Part  int // the place of the packed part
}

// shorten returns a list of all items, of which the rest is packed as a part with that name.
func shorten[T any](p *page, name string, all []T) list[T] {
	if len(all) <= mostItems {
		return list[T]{Items: all}
	}
	return list[T]{Items: all[:mostItems], More: len(all) - mostItems, Part: p.addPart(name, list[T]{Items: all[mostItems:]})}
}

// Count returns the number of all items.
func (l list[T]) Count() int { return len(l.Items) + l.More }

// part is a part of the overview that script.js shows on request: a template and its data.
type part struct {
	template string
	data     any
}

// addPart adds a packed part and returns its place.
func (p *page) addPart(template string, data any) int {
	p.parts = append(p.parts, part{template, data})
	return len(p.parts) - 1
}

// tick is a verdict by which rules can be filtered.
type tick struct {
	look
	Count int
}

func newPage(v *view.View) *page {
	rec, res := v.Record, &v.Result
	p := &page{
		view: v, charges: map[int][]spec.Finding{}, scenarios: map[string]string{}, rules: map[string]verdict.Verdict{},
		observedBy: v.Observed(), anchored: map[string]*record.Scenario{}, coverageOf: map[int]*view.OperationCoverage{},
		Policy: policy(), Style: template.CSS(style), Script: template.JS(script), //nolint:gosec // our own
		Exchanges: len(rec.Exchanges), Rules: len(res.Rules),
	}
	for _, r := range res.Rules {
		p.rules[r.Rule] = r.Verdict
	}
	for i := range rec.Scenarios {
		sc := &rec.Scenarios[i]
		// A scenario is shown with its first rule, or not at all if that is not in the catalogue.
		if len(sc.Rules) > 0 && p.rules[sc.Rules[0]] != "" {
			anchor := "scenario-" + slug(sc.ID)
			if p.scenarios[sc.ID] = anchor; p.anchored[anchor] == nil {
				p.anchored[anchor] = sc
			}
		}
		sorted := v.Sort(sc)
		for _, all := range [][]spec.Finding{sorted.Failing, sorted.Warning, sorted.Known} {
			for _, f := range all {
				if n := len(f.Exchanges); n > 0 {
					p.charges[f.Exchanges[n-1]] = append(p.charges[f.Exchanges[n-1]], f)
				}
			}
		}
	}
	p.Run = p.runOf()
	p.Title = fmt.Sprintf("%s: %s · hallmark", p.Run.Word, text.Visible(rec.Target.BaseURL))
	p.Favicon = favicon(p.Run.Class)
	p.collectUnits()
	p.judgeUnits()
	p.scenariosBy, p.words = p.scenariosOf(), p.findings()
	failing, warning := v.Causes()
	p.linkCauses(failing, 0)
	p.linkCauses(warning, len(failing))
	p.Failing, p.Warning = p.causes(failing, 0), p.causes(warning, len(failing))
	p.Deviations = shorten(p, "deviation-list", p.deviations())
	p.Errors = shorten(p, "error-list", p.errors())
	p.Unasked = shorten(p, "unasked-list", p.unasked())
	p.Observed = shorten(p, "observed-list", p.observed())
	p.collectCoverage()
	p.Timeline = timelineOf(p)
	p.Levels, p.Filter = p.levels(), tallyOf(res.Rules)
	p.Suite = suiteOf(p)
	return p
}

// Units returns the units, and OperationCount the number of operations among them.
func (p *page) Units() []unit       { return p.units }
func (p *page) OperationCount() int { return p.operationCount }

// Unexercised reports whether rules were not exercised.
func (p *page) Unexercised() bool { return p.view.Result.Count(verdict.NotExercised, "") > 0 }

// mostItems is the number of items that the overview shows of a list.
const mostItems = 20

// favicon is a disc in the verdict's colour, with a sign for readers who cannot see the colour.
func favicon(class string) template.URL {
	sign := `<path d="M16 8v10M16 23v1"/>`
	switch class {
	case "conforms":
		sign = `<path d="M9 17l5 5 9-11"/>`
	case "violated":
		sign = `<path d="M11 11l10 10M21 11L11 21"/>`
	}
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="` + colour(class) +
		`"/><g fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round">` + sign + `</g></svg>`
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg))) //nolint:gosec // our own
}

// run holds the verdict and the reasons for it.
type run struct {
	look
	Because    visible
	Exit       int
	Target     visible
	Product    visible
	ProductURL string
	Contact    visible
	Began      moment
	Work       visible
	Mind       []visible
	Suspects   []suspect
	Standings  []standing
	Proof      visible
	Version    visible
}

// suspect is a request on which the target may have crashed.
type suspect struct {
	Seq               int
	Request, Evidence visible
}

func (p *page) runOf() run {
	rec, res := p.view.Record, &p.view.Result
	r := run{
		look: lookOfRun(res.Verdict), Because: visible(sentence(res.Because)), Exit: res.ExitCode, Target: visible(rec.Target.BaseURL),
		Began: momentOf(rec.Started), Work: visible(p.view.Work()), Standings: standings(res), Version: visible(rec.Suite.Version),
	}
	if failing, _ := p.view.Causes(); len(failing) > 0 && res.Verdict == verdict.Violated {
		r.Because = visible(sentence(res.Because + " (" + text.Count(len(failing), "cause") + ")"))
	}
	made := rec.Target.Implementation
	r.Product = visible(strings.TrimSpace(strings.TrimSpace(made.Organization+" "+made.Project) + " " + made.Version))
	r.ProductURL, r.Contact = web(made.URL), visible(made.Contact)
	if scope := p.view.Scope(); len(scope) > 2 {
		r.Mind = append(r.Mind, visible("This run: "+strings.Join(scope[2:], " · ")+"."))
	}
	for _, failure := range res.Failures {
		r.Mind = append(r.Mind, visible("hallmark itself failed, so this run proves nothing: "+failure))
	}
	if rec.Lost != "" {
		r.Mind = append(r.Mind, visible(sentence(verdict.LostPhrase(rec))))
		for _, s := range verdict.Suspects(rec) {
			r.Suspects = append(r.Suspects, suspect{s.Exchange.Seq, visible(s.Request), visible(s.Evidence)})
		}
	}
	if rec.Stopped != "" {
		r.Mind = append(r.Mind, visible(sentence(rec.Stopped)))
	}
	if rec.Cut != "" {
		r.Mind = append(r.Mind, visible(sentence(rec.Cut)))
	}
	if !rec.Complete && rec.Lost == "" && rec.Stopped == "" && rec.Cut == "" {
		r.Mind = append(r.Mind, "The run had not ended when this was written.")
	}
	if left := p.view.Left(); left != "" {
		r.Mind = append(r.Mind, visible(sentence(left)))
	}
	if summary, sentences := p.view.Traffic(false); summary != "" {
		r.Mind = append(r.Mind, visible(sentence(summary)))
		r.Mind = append(r.Mind, allVisible(sentences)...)
	}
	r.Mind = append(r.Mind, allVisible(p.view.Waited())...)
	if unjudged := p.view.Unjudged(); unjudged != "" {
		r.Mind = append(r.Mind, visible(sentence(unjudged)))
	}
	for _, says := range p.view.Bodies() {
		r.Mind = append(r.Mind, visible(says+"."))
	}
	if summary, unjudged := p.view.Sentences(sentencesShown); summary != "" {
		r.Mind = append(r.Mind, visible("Sentences of the document: "+summary+"."))
		r.Mind = append(r.Mind, allVisible(unjudged)...)
	}
	if res.Proof != nil {
		r.Proof = visible(res.Proof.Says)
	}
	return r
}

// sentencesShown is how many sentences are named that were not judged.
const sentencesShown = 10

// sentence turns a phrase into a sentence.
func sentence(phrase string) string {
	if phrase == "" {
		return ""
	}
	first := phrase[:1]
	phrase = strings.ToUpper(first) + phrase[1:]
	if strings.HasSuffix(phrase, ".") {
		return phrase
	}
	return phrase + "."
}

// trouble says why scenarios could not be judged.
type trouble struct {
	Reason    visible
	Scenarios []scenarioRef
	More      int
}

// mostNamed is the maximum length of lists of names.
const mostNamed = 12

func (p *page) errors() []trouble {
	by := p.view.Errored()
	var all []trouble
	for _, reason := range sortedKeys(by) {
		t := trouble{Reason: visible(reason)}
		for i, id := range by[reason] {
			if i == mostNamed {
				t.More = len(by[reason]) - i
				break
			}
			t.Scenarios = append(t.Scenarios, p.scenarioRef(id))
		}
		all = append(all, t)
	}
	return all
}
