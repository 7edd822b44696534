package budget_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/steps/budget"
)

func TestAccountsCountWhatIsCreated(t *testing.T) {
	b := budget.New(2, false)
	a := b.Account("a")
	kept, ok := a.Reserve(false)
	if !ok || a.Left() != 1 {
		t.Fatalf("%v, %d of 2 are left", ok, a.Left())
	}
	kept.Settle(true, false)
	refused, _ := a.Reserve(false)
	refused.Settle(false, false)
	if a.Left() != 1 {
		t.Errorf("what a request did not create is not given back: %d are left", a.Left())
	}
	unsent, _ := a.Reserve(false)
	unsent.Cancel()
	if a.Left() != 1 {
		t.Errorf("what a request was not sent for is not given back: %d are left", a.Left())
	}
	lost, _ := a.Reserve(false)
	lost.Settle(false, true)
	if a.Left() != 0 {
		t.Error("what was lost on the way may have been created")
	}
	if a.IsCutShort() {
		t.Error("an account that got all it wanted says that it did not")
	}
	if _, ok := a.Reserve(false); ok || !a.IsCutShort() {
		t.Errorf("more is created than may be: %v, cut short %v", ok, a.IsCutShort())
	}
}

func TestAccountsPayForWhatShouldBeRefused(t *testing.T) {
	b := budget.New(2, false)
	a := b.Account("a")
	for range 5 {
		r, ok := a.Reserve(true)
		if !ok || a.Left() != 2 {
			t.Fatalf("a request that is refused takes something: %v, %d are left", ok, a.Left())
		}
		r.Settle(false, false)
	}
	for range 2 {
		r, _ := a.Reserve(true)
		r.Settle(true, false)
	}
	if b.Created() != 2 || a.Room(1) {
		t.Errorf("%d were created, and there is room for more: %v", b.Created(), a.Room(1))
	}
	if _, ok := a.Reserve(true); ok || !a.IsCutShort() {
		t.Error("a service that creates what it should refuse goes on being asked for it")
	}
}

func TestAccountsDrawFromTheirShare(t *testing.T) {
	b := budget.Divide(40, false, map[string]budget.Part{"a": {Needs: 5, Scenarios: 1}})
	a, spare := b.Account("a"), b.Account("")
	if a.Left() != 40 || spare.Left() != 35 {
		t.Fatalf("%d and %d are left", a.Left(), spare.Left())
	}
	for range 35 {
		spare.Reserve(false)
	}
	if _, ok := spare.Reserve(false); ok {
		t.Error("what is reserved for a scenario is given to another")
	}
	if a.Release(); !spare.Room(5) {
		t.Error("what a scenario did not need is not free")
	}
}
