package written

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// state is what the steps of one scenario leave to each other.
type state struct {
	// remembered are values by their names.
	remembered map[string]any
	// shown are the numbers of the exchanges that showed them, by their names; 0 for none.
	shown map[string]int
	// things are the resources that the scenario created, in their order.
	things []*thing
	// unmade says why the last call of an operation that creates left nothing that steps could mean, by the noun for it.
	unmade map[string]string
	// before is the last response of each request without a body, by what was asked; now the last of all.
	before map[string]*scenario.Answer
	// words name the credential of the next call, role the role whose credential it carries; both are empty for the run's own.
	words, role string
	// headers are those of the next call, by name; nil for one that it is not to have.
	headers map[string]*string
}

// thing is a resource that a scenario created.
type thing struct {
	// name is what steps call it, noun the word for one of its collection.
	name, noun string
	resource   *scenario.Resource
	created    *scenario.Answer
	// read reports whether it was read with success, awaited whether the run has waited for it to show, and listed whether it was found in the
	// list of its collection when it could not be read.
	read, awaited, listed bool
}

// names reports whether the path of a request names the resource.
func (t *thing) names(r request.Request) bool {
	named := t.resource.Named(r.Operation)
	return len(named) > 0 && t.resource.In(r).Equal(r)
}

// letsIn reports whether the next call carries the run's own credential.
func (st *state) letsIn() bool { return st.role == "" && (st.words == "" || st.words == "right") }

func stateOf(s *scenario.Scenario) *state {
	if st, ok := s.Written.(*state); ok {
		return st
	}
	st := &state{remembered: map[string]any{}, shown: map[string]int{}, unmade: map[string]string{}, before: map[string]*scenario.Answer{}}
	s.Written = st
	return st
}

// value returns what a name stands for: a value that was remembered, or the identifier of what was created last under that name.
func (st *state) value(name string) (any, bool) {
	if v, ok := st.remembered[name]; ok {
		return v, true
	}
	if t := st.thing(name); t != nil {
		return t.resource.Identifier(), true
	}
	return nil, false
}

// thing returns what was created last under a name; nil for nothing.
func (st *state) thing(name string) *thing {
	for _, t := range slices.Backward(st.things) {
		if name == "it" || t.name == name || t.noun == name {
			return t
		}
	}
	return nil
}

// whyUnmade returns why a call that should have created what a name means did not; empty if the scenario made no such call.
func (st *state) whyUnmade(name string) string {
	if name != "it" {
		return st.unmade[name]
	}
	return strings.Join(slices.Sorted(maps.Values(st.unmade)), "; ")
}

// names are those that stand for something, and "new".
func (st *state) names() []string {
	all := append(slices.Sorted(maps.Keys(st.remembered)), "new")
	for _, t := range st.things {
		all = append(all, t.name)
	}
	return all
}

// Value reads the JSON text of a step. A string that is {name} is what was remembered under that name, and {name} within a string
// stands for its text; {new} is a name that nothing else has.
func Value(s *scenario.Scenario, source string) (any, error) {
	d, err := exactjson.Decode([]byte(source))
	if err != nil {
		return nil, fmt.Errorf("%s is no JSON: %w", text.Short(source), err)
	}
	if s.Derived() {
		return d.Tree, nil // a value of the contract, whatever it looks like
	}
	return filled(s, d.Tree)
}

// cited returns the numbers of the exchanges that the names in the text of a step come from: those that showed a value, and those that created
// what an identifier names or what was sent with the value.
func cited(s *scenario.Scenario, source string) []int {
	if s.Derived() {
		return nil
	}
	st := stateOf(s)
	var all []int
	add := func(seq int) {
		if seq != 0 && !slices.Contains(all, seq) {
			all = append(all, seq)
		}
	}
	for _, hole := range placeholder.FindAllString(source, -1) {
		name := hole[1 : len(hole)-1]
		value, known := st.remembered[name]
		if !known {
			if t := st.thing(name); t != nil {
				add(t.created.Exchange.Seq)
			}
			continue
		}
		add(st.shown[name])
		for _, t := range st.things {
			for _, sent := range sentIn(t.created) {
				if st.shown[name] == 0 && exactjson.Equal(sent, value) {
					add(t.created.Exchange.Seq)
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// placeholder is a name in braces.
var placeholder = regexp.MustCompile(`\{[A-Za-z][\w-]*\}`)

// filled returns a value with what its names in braces stand for.
func filled(s *scenario.Scenario, v any) (any, error) {
	switch v := v.(type) {
	case string:
		return filledText(s, v)
	case []any:
		for i := range v {
			one, err := filled(s, v[i])
			if err != nil {
				return nil, err
			}
			v[i] = one
		}
	case map[string]any:
		for name := range v {
			one, err := filled(s, v[name])
			if err != nil {
				return nil, err
			}
			v[name] = one
		}
	}
	return v, nil
}

func filledText(s *scenario.Scenario, v string) (any, error) {
	st, fresh := stateOf(s), ""
	known := func(name string) (any, bool) {
		if name != "new" {
			return st.value(name)
		}
		if fresh == "" {
			fresh = s.Run.FreshName()
		}
		return fresh, true
	}
	if placeholder.FindString(v) == v && v != "" {
		name := v[1 : len(v)-1]
		if value, ok := known(name); ok {
			return value, nil
		}
		if why := st.whyUnmade(name); why != "" {
			return nil, scenario.Stopf("%s", why)
		}
		return nil, fmt.Errorf("nothing is remembered as %q%s", name, meant(name, st.names()))
	}
	return placeholder.ReplaceAllStringFunc(v, func(hole string) string {
		value, ok := known(hole[1 : len(hole)-1])
		if !ok {
			return hole
		}
		return plain(value)
	}), nil
}

// plain returns a value as it stands in a text.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return exactjson.Value{Tree: v, Valid: true}.String()
}

// meant proposes a word in place of one that is not known; nothing where none is near.
func meant(word string, known []string) string {
	if near := text.Similar(word, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// pointerOf returns the JSON pointer of a member as steps name it: by its name, or by a pointer.
func pointerOf(member string) string {
	if member = unquoted(member); strings.HasPrefix(member, "/") {
		return member
	}
	return jsonpointer.Join("", member)
}

// unquoted reads a name as steps write it.
func unquoted(name string) string {
	if strings.HasPrefix(name, `"`) {
		if t, err := strconv.Unquote(name); err == nil {
			return t
		}
	}
	return name
}
