package steps

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cucumber/godog"

	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/steps/vocabulary"
)

// Compiled holds the features of a suite with the function of each step. All runs of the suite may share it.
type Compiled struct {
	suite *suite.Suite
	forms *formSet
}

// Compile finds the function of each step of a suite, and
// returns an error if a step matches no form, or more than one.
func Compile(loaded *suite.Suite) (*Compiled, error) {
	forms := newFormSet()
	return &Compiled{loaded, forms}, forms.check(loaded)
}

// Register registers all steps with a godog suite.
func Register(sc *godog.ScenarioContext) {
	newFormSet().register(sc, func(*stepForm) bool { return true })
}

// formSet holds all step forms that features may use.
type formSet struct {
	steps []*stepForm
	// calls holds the forms of the steps of the checked features, by text.
	calls map[string]*stepForm
}

// stepForm is one form of a step, with a pattern that matches the whole text. Its function takes a context and a
// string for each group of the pattern, and returns an error.
type stepForm struct {
	scenario.Form

	whole *regexp.Regexp
}

// newFormSet returns all forms.
func newFormSet() *formSet { return &formSet{allForms(), map[string]*stepForm{}} }

// allForms returns the forms of all steps. Their patterns are compiled once; as texts, godog would compile them for each
// suite.
var allForms = sync.OnceValue(func() []*stepForm { return compiled(vocabulary.Forms()) })

func compiled(forms []scenario.Form) []*stepForm {
	all := make([]*stepForm, len(forms))
	for i, f := range forms {
		all[i] = &stepForm{f, f.Compile()}
	}
	return all
}

// register registers forms with a godog suite. godog tries each form for every step, so fewer are faster.
func (v *formSet) register(sc *godog.ScenarioContext, needed func(*stepForm) bool) {
	for _, form := range v.steps {
		if needed(form) {
			sc.Step(form.whole, form.Do)
		}
	}
}

// described returns the forms with their examples.
var described = sync.OnceValue(vocabulary.Described)

// nearest suggests the example of a form in place of a step that no form matches, by the words that they
// share. It returns "" if none is near.
func nearest(text string) string {
	said, best, most := wordsOf(text), "", 0.5
	for _, f := range described() {
		known := wordsOf(f.Example)
		common := 0
		for word := range said {
			if known[word] {
				common++
			}
		}
		if near := 2 * float64(common) / float64(len(said)+len(known)); near > most {
			best, most = f.Example, near
		}
	}
	if best == "" {
		return `; "hallmark steps" lists them`
	}
	return "; the nearest is: " + best
}

// values matches what differs between two steps of one form.
var values = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\{.*\}|\[.*\]|\d+`)

// wordsOf returns the words of a step without its values.
func wordsOf(text string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(strings.ToLower(values.ReplaceAllString(text, " … "))) {
		out[strings.Trim(word, ",.")] = true
	}
	return out
}

// check returns an error for steps of the features that match no form, or more than one: such a scenario would
// judge nothing.
func (v *formSet) check(suite *suite.Suite) error {
	written := distinct(suite)
	found, faults := make([]*stepForm, len(written)), make([]string, len(written))
	var next atomic.Int64
	var matching sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		matching.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(written); i = int(next.Add(1)) - 1 {
				found[i], faults[i] = v.match(written[i])
			}
		})
	}
	matching.Wait()
	for i, w := range written {
		v.calls[w.Text] = found[i]
	}
	faults = slices.DeleteFunc(faults, func(fault string) bool { return fault == "" })
	if len(faults) > 0 {
		const most = 10
		more := ""
		if len(faults) > most {
			more = fmt.Sprintf("\n… and %d more", len(faults)-most)
			faults = faults[:most]
		}
		return fmt.Errorf("the features hold steps that cannot be run:\n%s%s", strings.Join(faults, "\n"), more)
	}
	return nil
}

// writtenStep is a step in the file where it occurs first.
type writtenStep struct {
	suite.Step

	uri string
}

// distinct returns the steps of a suite, the first one of each text.
func distinct(of *suite.Suite) []writtenStep {
	var all []writtenStep
	seen := map[string]bool{}
	for _, f := range of.Features {
		for _, p := range f.Scenarios {
			for _, st := range p.Steps {
				if !seen[st.Text] {
					seen[st.Text] = true
					all = append(all, writtenStep{st, p.URI})
				}
			}
		}
	}
	return all
}

// match returns the form of a step, or what is wrong with it.
func (v *formSet) match(w writtenStep) (found *stepForm, fault string) {
	n := 0
	for _, form := range v.steps {
		if form.whole.MatchString(w.Text) {
			found = form
			n++
		}
	}
	switch n {
	case 0:
		return nil, fmt.Sprintf("%s:%d: no step reads %q%s", w.uri, w.Line, w.Text, nearest(w.Text))
	case 1:
		return found, ""
	}
	return nil, fmt.Sprintf("%s:%d: %d steps could mean %q", w.uri, w.Line, n, w.Text)
}
