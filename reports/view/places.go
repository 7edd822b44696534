package view

import (
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// Place is a line of the contract.
type Place struct {
	Pointer string
	// File is the path of a referenced file from the folder of the contract, or its address; it is empty for the contract itself.
	File string
	Line int
}

// Places returns the lines of the contract that a finding of a rule violates, the most exact one first: the violated constraint, what
// encodes the rule, and the operation. It returns nil if the contract is not available.
func (v *View) Places(r spec.Rule, f spec.Finding) []Place {
	if v.Contract == nil {
		return nil
	}
	pointers := append([]string{f.Contract}, r.Contract...)
	ids := r.Operations
	if cited := v.Cited(f); len(cited) > 0 {
		ids = append([]string{cited[len(cited)-1].Operation}, ids...)
	}
	for _, id := range ids {
		if op, ok := v.Contract.Operation(id); ok {
			pointers = append(pointers, op.Pointer)
			break // one suffices; it is less exact than the constraints before it
		}
	}
	var places []Place
	for _, pointer := range pointers {
		if p, ok := v.PlaceOf(pointer); ok {
			places = append(places, p)
		}
	}
	return places
}

// PlaceOf returns the place of a pointer into the contract; ok is false if there is none.
func (v *View) PlaceOf(pointer string) (p Place, ok bool) {
	if v.Contract == nil || pointer == "" {
		return Place{}, false
	}
	p = Place{Pointer: pointer, Line: v.Contract.Line(pointer)}
	if file, _, beside := strings.Cut(pointer, "#"); beside {
		p.File = file
	}
	return p, p.Line > 0
}
