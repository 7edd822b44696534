package petstore

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
	"hallmark/steps/suite"
)

// Written features hold numbers and words of the built-in contract. Where a run judges by another one, a scenario whose
// expectation does not follow from it is left out, with the reason.

// The steps that name values which a contract may or may not allow.
var (
	callStep   = regexp.MustCompile(`^(\w+) is called(?: \d+ times)?(?: with (.+))?$`)
	createStep = regexp.MustCompile(`^an animal is created with status (\w+)$`)
	stockStep  = regexp.MustCompile(`^the store holds more .+ with status (\w+)$`)
	whereStep  = regexp.MustCompile(`^a plain body where (\S+) is ((?:\{|\[|").*|-?[\d.eE+-]+|true|false|null)$`)
	statusStep = regexp.MustCompile(`^(?:the|each) response is (\d{3}(?: or \d{3})*)$`)
	listStep   = regexp.MustCompile(`^(?:it is an empty array where nothing matches|each animal has the status \w+)$`)
)

// expected is what a scenario expects of its call.
type expected struct {
	statuses []int
	// accepted reports whether only success will do, refused whether only 400 will.
	accepted, refused bool
}

// expectedOf returns what a scenario expects.
func expectedOf(p *suite.Scenario) expected {
	var e expected
	for _, st := range p.Steps {
		if m := statusStep.FindStringSubmatch(st.Text); m != nil {
			for w := range strings.SplitSeq(m[1], " or ") {
				n, _ := strconv.Atoi(w)
				e.statuses = append(e.statuses, n)
			}
		}
		e.accepted = e.accepted || listStep.MatchString(st.Text)
	}
	if len(e.statuses) > 0 {
		e.accepted = e.accepted || !slices.ContainsFunc(e.statuses, func(n int) bool { return n/100 != 2 })
		e.refused = !slices.ContainsFunc(e.statuses, func(n int) bool { return n != 400 })
	}
	return e
}

// Unfit says why a scenario expects what does not follow from the contract; it is empty when everything does.
func Unfit(p *suite.Scenario, c *spec.Contract) string {
	e, terms := expectedOf(p), TermsOf(c)
	for _, st := range p.Steps {
		why := ""
		if m := callStep.FindStringSubmatch(st.Text); m != nil {
			why = unfitCall(c, e, m[1], m[2])
		} else if m := createStep.FindStringSubmatch(st.Text); m != nil && !slices.Contains(terms.Statuses(), m[1]) {
			why = "no animal can be created with the status " + m[1]
		} else if m := stockStep.FindStringSubmatch(st.Text); m != nil && (!slices.Contains(terms.Statuses(), m[1]) || !terms.IsFilter(m[1])) {
			why = "there is no status " + m[1]
		} else if m := whereStep.FindStringSubmatch(st.Text); m != nil {
			why = unfitBody(c, e, m[1], m[2])
		}
		if why != "" {
			return "the scenario is written for another contract: " + why
		}
	}
	return ""
}

// unfitCall says why a call expects what does not follow from the contract.
func unfitCall(c *spec.Contract, e expected, operation, with string) string {
	op, ok := c.Operation(operation)
	if !ok {
		return "it has no operation " + operation
	}
	for _, n := range e.statuses {
		if n/100 != 2 && op.Answer(n) == nil {
			return fmt.Sprintf("%s documents no response %d", op.ID, n)
		}
	}
	if with == "" || !e.accepted {
		return ""
	}
	for _, part := range suite.SplitArguments(with) {
		name, value, _ := strings.Cut(part, " ")
		if text, err := strconv.Unquote(value); err == nil {
			value = text
		}
		for _, p := range op.Parameters {
			if p.Name == name && !p.Allows(value) {
				return fmt.Sprintf("it does not allow the %s %s", name, value)
			}
		}
	}
	return ""
}

// unfitBody says why a value of a property expects what does not follow from the contract.
func unfitBody(c *spec.Contract, e expected, property, literal string) string {
	op, ok := c.Operation("createPet")
	if !ok || op.Body == nil || !json.Valid([]byte(literal)) {
		return ""
	}
	s := propertyOf(op.Body.Schema(), property)
	if s == nil || len(s.Enum) == 0 {
		return ""
	}
	member := slices.Contains(s.Enum, literal)
	switch {
	case e.accepted && !member:
		return fmt.Sprintf("%s is no %s", literal, property)
	case e.refused && member:
		return fmt.Sprintf("%s is a %s", literal, property)
	}
	return ""
}

// nameLength is how many characters the plain names of a run may have.
const nameLength = 40

// Playable says why the scenarios cannot be run against services that keep the contract: they need names of their own, by
// which animals are recognised.
func Playable(c *spec.Contract) error {
	op, ok := c.Operation("createPet")
	if !ok || op.Body == nil {
		return nil
	}
	s := propertyOf(op.Body.Schema(), "name")
	switch {
	case s == nil:
		return nil
	case len(s.Enum) > 0, s.Format != "":
		return fmt.Errorf("the contract allows only certain names (%s), so that a run cannot recognise the animals that it creates", s.Pointer)
	case s.MaxLength != nil && *s.MaxLength < nameLength, s.MinLength != nil && *s.MinLength > 2:
		return fmt.Errorf("the contract does not allow every name of 2 to %d characters (%s), which a run needs to recognise the animals that it creates",
			nameLength, s.Pointer)
	}
	return nil
}
