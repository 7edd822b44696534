package prove

import (
	"fmt"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/reference"
	"github.com/hallmark-kit/hallmark/spec"
)

// CaseKind is the kind of a case.
type CaseKind string

// The kinds of cases.
const (
	Clean   CaseKind = "clean"
	Fault   CaseKind = "fault"
	Freedom CaseKind = "freedom"
)

// Case is one service to judge, and the expected result.
type Case struct {
	Kind CaseKind `json:"kind"`
	// Name is unique among all cases; Family groups them. Faults that are derived from the contract are in the family
	// "derived".
	Name   string `json:"name"`
	Family string `json:"family"`
	// Rule is the rule that a fault breaks or a freedom uses; Level is its level.
	Rule  string     `json:"rule"`
	Level spec.Level `json:"level"`
	Says  string     `json:"says"`
	// Chance marks a fault that one run may miss.
	Chance bool `json:"chance,omitempty"`
	// Now is the day for which the service is judged, or empty for today.
	Now string `json:"now,omitempty"`

	network, tls bool
	// places lists what a freedom changes: see [reference.Freedom].
	places  []string
	variant reference.Variant
}

// derivedFamily is the family of the faults that follow from the contract.
const derivedFamily = "derived"

// Cases returns all cases of an interface: the clean service, the faults (written, then derived), the
// freedoms. It fails if one names a rule that the catalogue does not have, or if a name occurs twice.
func Cases(of bundled.Interface, contract *spec.Contract, catalogue *spec.Catalogue) ([]Case, error) {
	all := []Case{{Kind: Clean, Name: "clean", Family: "clean", Says: "The reference service as it is."}}
	for _, f := range of.Reference.Faults() {
		all = append(all, Case{
			Kind: Fault, Name: f.Name, Family: f.Family, Rule: f.Rule, Says: f.Says, Chance: f.Chance, variant: f.Variant,
		})
	}
	seeded, err := fault.SeededOf(contract, catalogue)
	if err != nil {
		return nil, err
	}
	for _, f := range seeded {
		v, err := of.Reference.Mutated(f.Mutation)
		if err != nil {
			return nil, fmt.Errorf("the derived fault %s cannot be applied: %w", f.Name, err)
		}
		all = append(all, Case{Kind: Fault, Name: f.Name, Family: derivedFamily, Rule: f.Rule, Says: f.Says, variant: v})
	}
	for _, f := range of.Reference.Freedoms() {
		all = append(all, Case{
			Kind: Freedom, Name: f.Name, Family: f.Family, Rule: f.Rule, Says: f.Says, Now: f.Now,
			network: f.Network, tls: f.TLS, places: f.Places, variant: f.Variant,
		})
	}
	names := map[string]bool{}
	for i := range all {
		c := &all[i]
		if names[c.Name] {
			return nil, fmt.Errorf("two cases are called %s; each needs a name of its own", c.Name)
		}
		names[c.Name] = true
		if c.Kind == Clean {
			continue
		}
		rule, ok := catalogue.Rule(c.Rule)
		if !ok {
			return nil, fmt.Errorf("the %s %s names the rule %q, which the catalogue does not have", c.Kind, c.Name, c.Rule)
		}
		if c.Level = rule.Level; c.Kind == Fault && c.Level == spec.Open {
			return nil, fmt.Errorf("the fault %s names %s, an open rule; what is left open cannot be broken", c.Name, c.Rule)
		}
	}
	return all, nil
}

// Find returns the cases that the words select: a case's name, a family, a rule's id, or a pattern of these with "*". It fails if a word
// selects nothing.
func Find(all []Case, words []string) ([]Case, error) {
	if len(words) == 0 {
		return all, nil
	}
	used := make([]bool, len(words))
	var found []Case
	for _, c := range all {
		wanted := false
		for i, w := range words {
			if matches(w, c.Name) || matches(w, c.Family) || matches(w, c.Rule) || matches(w, string(c.Kind)) {
				used[i], wanted = true, true
			}
		}
		if wanted {
			found = append(found, c)
		}
	}
	for i, u := range used {
		if !u {
			return nil, fmt.Errorf("there is no case, family, kind or rule %q", words[i])
		}
	}
	return found, nil
}

// matches compares a text with a pattern, in which "*" matches any text.
func matches(pattern, text string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, head)
	if !ok {
		return false
	}
	for i := 0; i <= len(text); i++ {
		if matches(tail, text[i:]) {
			return true
		}
	}
	return false
}

// Secure reports whether the case's service speaks https.
func (c Case) Secure() bool { return c.tls }

// Variant returns the variant of the reference service for the case.
func (c Case) Variant() reference.Variant { return c.variant }
