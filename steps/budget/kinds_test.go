package budget_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/steps/budget"
)

func TestKinds(t *testing.T) {
	k := budget.NewKinds(3, map[string]int{"user": 2})
	take := func(name string, need budget.Need, want bool) budget.OfKind {
		t.Helper()
		took, _, ok := k.Reserve(name, true, need)
		if ok != want {
			t.Errorf("%s, %v: may be created: %v", name, need, ok)
		}
		return took
	}
	take("user", budget.ForItself, true)
	take("user", budget.ForItself, false) // the others are kept
	take("token", budget.ForItself, true) // of another kind
	refused := take("user", budget.ForOthers, true)
	refused.Settle(false)
	take("user", budget.ForOthers, true)
	take("user", budget.ToBeRefused, true).Settle(false)
	take("user", budget.ForOthers, true)
	take("user", budget.ForOthers, false)
	wrong := take("user", budget.ToBeRefused, true) // it costs nothing while the service refuses
	wrong.Settle(true)
	take("user", budget.ToBeRefused, false)
	for range 9 {
		if _, _, ok := k.Reserve("/notes/{}", false, budget.ForItself); !ok {
			t.Fatal("what is not limited is limited")
		}
	}
	k.Stop("/notes/{}", "it cannot be removed")
	if _, reason, ok := k.Reserve("/notes/{}", false, budget.ForOthers); ok || reason != "it cannot be removed" {
		t.Errorf("what was stopped is created: %v, %q", ok, reason)
	}
	if _, _, ok := k.Reserve("/notes/{}", false, budget.ToBeRefused); !ok {
		t.Error("what has to be refused is not asked for")
	}
}
