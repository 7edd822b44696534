package vocabulary

import (
	"regexp"
	"slices"
	"sync"

	"hallmark/spec"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// Unfit returns a function that says why a scenario, which was written for the interface's own contract, does not fit another one;
// nil where the interface leaves out none.
func Unfit(of scenario.Interface) func(*suite.Scenario, *spec.Contract) string {
	if of.Unfit == nil {
		return nil
	}
	read := newReader(of.Forms)
	return func(p *suite.Scenario, c *spec.Contract) string {
		var said []any
		for _, st := range p.Steps {
			said = append(said, read.said(st.Text)...)
		}
		return of.Unfit(said, c)
	}
}

// reader reads what steps say that a contract may not allow.
type reader struct {
	forms []sayingForm

	mu sync.Mutex
	// read is what steps say, by their texts: many scenarios have the same, and are selected more than once.
	read map[string][]any
}

// sayingForm is a form of a step that says something, see [scenario.Form].
type sayingForm struct {
	whole *regexp.Regexp
	says  func(groups []string) any
}

// newReader returns a reader of the generic forms and those of an interface.
func newReader(own []scenario.Form) *reader {
	r := &reader{read: map[string][]any{}}
	for _, f := range slices.Concat(Forms(), own) {
		if f.Says != nil {
			r.forms = append(r.forms, sayingForm{f.Compile(), f.Says})
		}
	}
	return r
}

// said returns what the text of a step says.
func (r *reader) said(text string) []any {
	r.mu.Lock()
	defer r.mu.Unlock()
	all, known := r.read[text]
	if known {
		return all
	}
	for _, f := range r.forms {
		if groups := f.whole.FindStringSubmatch(text); groups != nil {
			all = append(all, f.says(groups[1:]))
		}
	}
	r.read[text] = all
	return all
}
