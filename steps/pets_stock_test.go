package steps

import (
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestOnlyWhatIsMissingIsCreated(t *testing.T) {
	for name, test := range map[string]struct {
		stock    *shop
		step     string
		creates  int
		statuses string // of what is created, sorted by first letter
	}{
		"an empty store":               {newShop(), "the store holds more than 5 animals", 6, "aappss"},
		"a store that lacks two":       {newShop().stock(4, "sold"), "the store holds more than 5 animals", 2, "ap"},
		"a store that has just enough": {newShop().stock(6), "the store holds more than 5 animals", 0, ""},
		"a full store":                 {newShop().stock(5000, "sold"), "the store holds more than 99 animals", 0, ""},
		"a hundred and one":            {newShop().stock(200, "sold", "pending"), "the store holds more than 100 animals", 0, ""},
		"of a status":                  {newShop().stock(30, "sold"), "the store holds more than 2 animals with status pending", 3, "ppp"},
		"enough of a status":           {newShop().stock(30, "sold"), "the store holds more than 20 animals with status sold", 0, ""},
		"more of a status than others": {newShop().stock(9, "available", "pending", "sold"), "the store holds more than 3 animals with status sold", 1, "s"},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse(t, "list.limit.honoured", test.stock)
			st.do(test.step)
			created := test.stock.requests("POST")
			if len(created) != test.creates {
				t.Errorf("%d animals were created, want %d", len(created), test.creates)
			}
			count := map[string]int{}
			for _, a := range created {
				for _, status := range []string{"available", "pending", "sold"} {
					if strings.Contains(string(a.body), `"`+status+`"`) {
						count[status[:1]]++
					}
				}
			}
			for letter, n := range count {
				if n != strings.Count(test.statuses, letter) {
					t.Errorf("created with statuses %v, want %s", count, test.statuses)
				}
			}
			before := len(test.stock.asked)
			if st.do(test.step); len(test.stock.asked) != before {
				t.Error("what is known already is asked again")
			}
			st.finds()
		})
	}
}

func TestAReadOnlyRunTakesTheStockAsItIs(t *testing.T) {
	readOnly := func(c *Config) { c.Target.ReadOnly = true }
	small := newShop().stock(20, "sold")
	st := rehearse(t, "list.limit.honoured", small, readOnly)
	st.do("the store holds more than 19 animals", "the store holds more than 19 animals with status sold")
	st.stops("the store holds more than 20 animals", "the run is read-only, and the store is not known to hold more than 20 animals")
	st.stops("the store holds more than 1 animals with status pending", "more than 1 animals with status pending")
	if n := len(small.requests("POST")); n != 0 {
		t.Errorf("%d creations were sent", n)
	}
	// A list shows 100 at most, but the three statuses together show more.
	full := rehearse(t, "list.limit.honoured", newShop().stock(5000, "sold", "pending", "available"), readOnly)
	full.do("the store holds more than 100 animals")
	st.finds()
	full.finds()
}

func TestAStoreThatDoesNotGrow(t *testing.T) {
	refusing := newShop()
	refusing.instead = func(r *http.Request, _ []byte) *reply {
		if r.Method == http.MethodPost {
			return errorReply(400)
		}
		return nil
	}
	st := rehearse(t, "list.limit.honoured", refusing)
	st.stops("the store holds more than 5 animals", "did not answer with an animal")
	st.finds("create.accepted")

	same := newShop()
	same.change = func(r *http.Request, a *reply) {
		if r.Method == http.MethodPost {
			a.body = altered(a.body.(row), row{"id": 1})
		}
	}
	again := rehearse(t, "list.limit.honoured", same)
	again.stops("the store holds more than 5 animals", "7 creations did not bring the store to more than 5 animals")
	again.finds("create.id.unique")
}

// Scenarios that need the same stock at the same time create it once.
func TestStockIsCreatedOnce(t *testing.T) {
	service := newShop()
	st := rehearse(t, "list.limit.honoured", service)
	var group sync.WaitGroup
	for range 8 {
		other := rehearse(t, "list.limit.honoured", service)
		other.next(st.s.run, "list.limit.honoured")
		group.Go(func() {
			if err := other.play("the store holds more than 30 animals"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if len(service.pets) != 31 {
		t.Errorf("%d animals were created, want 31", len(service.pets))
	}
}
