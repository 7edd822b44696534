package steps

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"hallmark/steps/matcher"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
	"hallmark/steps/vocabulary"
)

// Compiled are the features of a suite with what each of their steps calls. All runs of the suite may share it.
type Compiled struct {
	suite *suite.Suite
	forms *formSet
}

// Compile finds what each step of a suite calls, by the generic forms and those of an interface. It fails when there are steps that no
// form matches, or more than one.
func Compile(loaded *suite.Suite, of scenario.Interface) (*Compiled, error) {
	forms := newFormSet(of.Forms)
	return &Compiled{loaded, forms}, forms.check(loaded)
}

// formSet is all steps that features may use, each in one form.
type formSet struct {
	steps []stepForm
	// calls are the steps of the features that were checked, by their texts.
	calls map[string]call
}

// stepForm is one form of a step, with what matches its pattern. Its function takes a context and a string for each group of the
// pattern, and returns an error.
type stepForm struct {
	scenario.Form
	matcher.Matcher
}

// call is the form of a step, and what the groups of its pattern are.
type call struct {
	form   *stepForm
	groups []string
}

// newFormSet returns the generic forms and those of an interface.
func newFormSet(own []scenario.Form) *formSet {
	v := &formSet{calls: map[string]call{}}
	v.add(vocabulary.Forms())
	v.add(own)
	return v
}

func (v *formSet) add(forms []scenario.Form) {
	for _, f := range forms {
		v.steps = append(v.steps, stepForm{f, matcher.New(f.Pattern)})
	}
}

// play calls the function of a step.
func (v *formSet) play(ctx context.Context, text string) error {
	c, known := v.calls[text]
	if !known {
		return fmt.Errorf("no step reads %q", text)
	}
	in := []reflect.Value{reflect.ValueOf(ctx)}
	for _, group := range c.groups {
		in = append(in, reflect.ValueOf(group))
	}
	err, _ := reflect.TypeAssert[error](reflect.ValueOf(c.form.Do).Call(in)[0])
	return err
}

// creations is how many resources are reserved for a step.
func (v *formSet) creations(r *scenario.Run, text string) int {
	if c, known := v.calls[text]; known && c.form.Creates != nil {
		return c.form.Creates(r)
	}
	return 0
}

// described are the generic forms with their examples.
var described = sync.OnceValue(vocabulary.Described)

// nearest proposes a step in place of one that no form reads, by the words that they share: the example of a generic
// form. It returns nothing where none is near.
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

// values are what differs between two steps of one form.
var values = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\{.*\}|\[.*\]|\d+`)

// wordsOf returns the words of a step without its values.
func wordsOf(text string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(strings.ToLower(values.ReplaceAllString(text, " … "))) {
		out[strings.Trim(word, ",.")] = true
	}
	return out
}

// check finds steps of the features that no form matches, or more than one: such a scenario would judge nothing.
func (v *formSet) check(suite *suite.Suite) error {
	written := distinct(suite)
	found, faults := make([]call, len(written)), make([]string, len(written))
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

// writtenStep is a step in the file where it is read first.
type writtenStep struct {
	suite.Step

	uri string
}

// distinct returns the steps of a suite, of those that read alike the first.
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

// match returns what a step calls, or what is wrong with it.
func (v *formSet) match(w writtenStep) (found call, fault string) {
	n := 0
	for i := range v.steps {
		s := &v.steps[i]
		if groups, ok := s.Match(w.Text); ok {
			found = call{s, groups}
			n++
		}
	}
	switch n {
	case 0:
		return found, fmt.Sprintf("%s:%d: no step reads %q%s", w.uri, w.Line, w.Text, nearest(w.Text))
	case 1:
		return found, ""
	}
	return found, fmt.Sprintf("%s:%d: %d steps could mean %q", w.uri, w.Line, n, w.Text)
}
