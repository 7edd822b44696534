package petstore

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hallmark/spec"
	"hallmark/steps/vocabulary"
)

// Written features hold numbers and words of the built-in contract. Where a run judges by another one, a scenario whose
// expectation does not follow from it is left out, with the reason.

// What the steps about animals say.
type (
	// created is said by a step that creates an animal with a status, stocked by one for which the store must hold animals with a
	// status; either is empty where the step names none.
	created struct{ status string }
	stocked struct{ status string }
	// listed is said by a step that expects a list.
	listed struct{}
)

func saysCreated(groups []string) any {
	status, _ := strings.CutPrefix(groups[0], "with status ")
	if status == groups[0] {
		status = ""
	}
	return created{status}
}

func saysNew(groups []string) any { return created{groups[0]} }

func saysStocked(groups []string) any { return stocked{groups[1]} }

func saysListed([]string) any { return listed{} }

// expected is what a scenario expects of its call.
type expected struct {
	statuses []int
	// accepted reports whether only success will do, refused whether only 400 will.
	accepted, refused bool
}

// expectedOf returns what a scenario expects.
func expectedOf(said []any) expected {
	var e expected
	for _, one := range said {
		switch one := one.(type) {
		case vocabulary.Answered:
			e.statuses = append(e.statuses, one.Statuses...)
		case listed:
			e.accepted = true
		}
	}
	if len(e.statuses) > 0 {
		e.accepted = e.accepted || !slices.ContainsFunc(e.statuses, func(n int) bool { return n/100 != 2 })
		e.refused = !slices.ContainsFunc(e.statuses, func(n int) bool { return n != 400 })
	}
	return e
}

// unfit says why a scenario expects what does not follow from the contract; it is empty when everything does.
func unfit(said []any, c *spec.Contract) string {
	e, terms := expectedOf(said), TermsOf(c)
	for _, one := range said {
		why := ""
		switch one := one.(type) {
		case vocabulary.Called:
			why = unfitCall(c, e, one)
		case vocabulary.Sent:
			why = unfitBody(c, e, one.Property, one.JSON)
		case created:
			if one.status != "" && !slices.Contains(terms.Statuses(), one.status) {
				why = "no animal can be created with the status " + one.status
			}
		case stocked:
			if one.status != "" && (!slices.Contains(terms.Statuses(), one.status) || !terms.IsFilter(one.status)) {
				why = "there is no status " + one.status
			}
		}
		if why != "" {
			return "the scenario is written for another contract: " + why
		}
	}
	return ""
}

// unfitCall says why a call expects what does not follow from the contract.
func unfitCall(c *spec.Contract, e expected, call vocabulary.Called) string {
	op, ok := c.Operation(call.Operation)
	if !ok {
		return "it has no operation " + call.Operation
	}
	for _, n := range e.statuses {
		if n/100 != 2 && op.Answer(n) == nil {
			return fmt.Sprintf("%s documents no response %d", op.ID, n)
		}
	}
	if !e.accepted {
		return ""
	}
	for _, a := range call.Arguments {
		for _, p := range op.Parameters {
			if p.Name == a.Name && !p.Allows(a.Value) {
				return fmt.Sprintf("it does not allow the %s %s", a.Name, a.Value)
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
