package budget

import (
	"testing"
)

func TestBudgetKeepsShares(t *testing.T) {
	b := New(20, true)
	b.reserved["a"], b.reserved["b"] = 3, 1
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
	// 20 but for 4 of the parts, and half of what repetitions may need.
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

func TestBudgetWithoutLimit(t *testing.T) {
	b := New(0, true)
	for range 1000 {
		if _, ok := b.take("plain"); !ok {
			t.Fatal("there is no limit, and one was met")
		}
	}
	if !b.Room("a", 1<<20) || b.spent() {
		t.Error("there is no limit, and one was met")
	}
}

func TestPartsStarveNobody(t *testing.T) {
	b := Divide(50, true, map[string]Part{"greedy": {Needs: 300, Scenarios: 300}, "small": {Needs: 1, Scenarios: 2}})
	if b.reserved[Confirming] != 10 || b.reserved["small"] != 1 {
		t.Fatalf("%v is reserved", b.reserved)
	}
	greedy, created := b.Account("greedy"), 0
	for range 300 {
		taken, ok := greedy.Reserve(true)
		if !ok {
			break
		}
		taken.Settle(true, false)
		created++
	}
	// 39 but for the share of the other, and half of what repetitions may need.
	if created != 44 || greedy.Room(1) {
		t.Errorf("one part created %d of 50", created)
	}
	small := b.Account("small")
	small.Release() // of two scenarios one has ended
	if !small.Room(1) || greedy.Room(1) {
		t.Error("the share of a part ends with its first scenario")
	}
	small.Release()
	if !greedy.Room(1) {
		t.Error("what the last scenario of a part left is not free")
	}
	if all := Divide(1000, false, map[string]Part{"a": {Needs: 10, Scenarios: 1}}); all.reserved["a"] != 10 || all.free() != 990 {
		t.Errorf("%v is reserved of plenty", all.reserved)
	}
	if none := Divide(0, true, map[string]Part{"a": {Needs: 1, Scenarios: 1}}); !none.Room("a", 1<<20) || none.spent() {
		t.Error("there is no limit, and one was met")
	}
}
