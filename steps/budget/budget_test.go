package budget

import (
	"testing"
)

func TestBudgetKeepsShares(t *testing.T) {
	b := New(20, true, map[string]int{"a": 3, "b": 1})
	if b.reserved[Confirming] != 4 || b.reserved["a"] != 3 || b.reserved["b"] != 1 {
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
	for share, n := range map[string]int{"a": 3, "b": 1, Confirming: 2} {
		if !b.Room(share, n) || b.Room(share, n+1) || b.left(share) != n {
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
	if !b.Room("a", 1) || b.Room("b", 1) {
		t.Error("what a took and gave back is not a's")
	}
	b.release("a")
	if !b.Room("b", 1) {
		t.Error("what a did not need is not free")
	}
}

func TestBudgetDividesWhatIsShort(t *testing.T) {
	b := New(40, false, map[string]int{"a": 90, "b": 10})
	if b.reserved["a"] != 9 || b.reserved["b"] != 1 || b.reserved[Confirming] != 0 {
		t.Errorf("%v is reserved of 40", b.reserved)
	}
}

func TestBudgetWithoutLimit(t *testing.T) {
	b := New(0, true, map[string]int{"a": 1})
	for range 1000 {
		if _, ok := b.take("plain"); !ok {
			t.Fatal("there is no limit, and one was met")
		}
	}
	if !b.Room("a", 1<<20) || b.spent() {
		t.Error("there is no limit, and one was met")
	}
}
