package steps

import (
	"net/http"
	"testing"
)

func TestBudgetKeepsShares(t *testing.T) {
	b := newBudget(20, true, map[string]int{"a": 3, "b": 1})
	if b.reserved[confirming] != 4 || b.reserved["a"] != 3 || b.reserved["b"] != 1 {
		t.Fatalf("%v is reserved", b.reserved)
	}
	took := 0
	for {
		if _, ok := b.take("plain"); !ok {
			break
		}
		took++
	}
	// 20 but for 4 of the generated parts, and half of what repetitions may need.
	if took != 14 {
		t.Errorf("scenarios without a share took %d", took)
	}
	for share, n := range map[string]int{"a": 3, "b": 1, confirming: 2} {
		if !b.room(share, n) || b.room(share, n+1) || b.left(share) != n {
			t.Errorf("%s has room for %d", share, b.left(share))
		}
		for range n {
			from, ok := b.take(share)
			if !ok || from != share {
				t.Fatalf("%s was refused what is reserved for it", share)
			}
		}
		if _, ok := b.take(share); ok {
			t.Errorf("%s took more than there is", share)
		}
	}
	if b.used != 20 {
		t.Errorf("%d of 20 are used", b.used)
	}
	b.giveBack("a")
	if !b.room("a", 1) || b.room("b", 1) {
		t.Error("what a took and gave back is not a's")
	}
	b.release("a")
	if !b.room("b", 1) {
		t.Error("what a did not need is not free")
	}
}

func TestBudgetDividesWhatIsShort(t *testing.T) {
	b := newBudget(40, false, map[string]int{"a": 90, "b": 10})
	if b.reserved["a"] != 9 || b.reserved["b"] != 1 || b.reserved[confirming] != 0 {
		t.Errorf("%v is reserved of 40", b.reserved)
	}
}

func TestBudgetWithoutLimit(t *testing.T) {
	b := newBudget(0, true, map[string]int{"a": 1})
	for range 1000 {
		if _, ok := b.take("plain"); !ok {
			t.Fatal("there is no limit, and one was met")
		}
	}
	if !b.room("a", 1<<20) || b.spent() {
		t.Error("there is no limit, and one was met")
	}
}

// What a service stores of what it should refuse counts, and ends such requests when nothing is left.
func TestBudgetCountsWhatShouldHaveBeenRefused(t *testing.T) {
	service := admits(newShop(), func(_ *http.Request, _ string) bool { return true })
	st := rehearse(t, "auth.steady", service, func(c *Config) { c.Target.MaxAnimals = 5 })
	st.stops("60 creations are tried with bad credentials", "no more than 5 animals")
	if n := len(service.requests("POST")); n != 5 {
		t.Errorf("%d creations were sent, and 5 animals were allowed", n)
	}
}

// Where everybody is let in, a few creations show it.
func TestHammeringEndsWhereNobodyIsRefused(t *testing.T) {
	service := admits(newShop(), func(_ *http.Request, _ string) bool { return true })
	st := rehearse(t, "auth.steady", service)
	st.do("60 creations are tried with bad credentials")
	if n := len(service.requests("POST")); n != enoughLetIn {
		t.Errorf("%d creations were tried", n)
	}
}
