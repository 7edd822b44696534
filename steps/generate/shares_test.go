package generate_test

import (
	"testing"

	"hallmark/spec/derive"
	"hallmark/steps/generate"
	"hallmark/steps/scenario"
	"hallmark/tests/petstoretest"
)

// TestEveryKindInAPlainRun holds the shares of the kinds to what a plain run tries.
func TestEveryKindInAPlainRun(t *testing.T) {
	contract := petstoretest.Contract(t)
	op, ok := contract.Operation("createPet")
	if !ok {
		t.Fatal("the contract has no createPet")
	}
	shares := generate.Shares(*op, func(derive.Kind, ...string) string { return "" })
	if most := generate.InvalidEach * scenario.DefaultExamples; shares > most {
		t.Errorf("the kinds of invalid bodies have %d shares, more than the %d bodies of a plain run", shares, most)
	}
	if n := generate.Alphabets(); n > scenario.DefaultExamples {
		t.Errorf("there are %d alphabets for names, more than the %d bodies of a plain run", n, scenario.DefaultExamples)
	}
}
