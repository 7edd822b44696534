package petstore_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"hallmark/steps/scenario"
	"hallmark/tests/rehearse"
)

func TestOnlyWhatIsMissingIsCreated(t *testing.T) {
	for name, test := range map[string]struct {
		stock    *rehearse.Shop
		step     string
		creates  int
		statuses string // of what is created, sorted by first letter
	}{
		"an empty store":               {rehearse.NewShop(), "the store holds more than 5 animals", 6, "aappss"},
		"a store that lacks two":       {rehearse.NewShop().Stock(4, "sold"), "the store holds more than 5 animals", 2, "ap"},
		"a store that has just enough": {rehearse.NewShop().Stock(6), "the store holds more than 5 animals", 0, ""},
		"a full store":                 {rehearse.NewShop().Stock(5000, "sold"), "the store holds more than 99 animals", 0, ""},
		"a hundred and one":            {rehearse.NewShop().Stock(200, "sold", "pending"), "the store holds more than 100 animals", 0, ""},
		"of a status":                  {rehearse.NewShop().Stock(30, "sold"), "the store holds more than 2 animals with status pending", 3, "ppp"},
		"enough of a status":           {rehearse.NewShop().Stock(30, "sold"), "the store holds more than 20 animals with status sold", 0, ""},
		"more of a status than others": {rehearse.NewShop().Stock(9, "available", "pending", "sold"), "the store holds more than 3 animals with status sold", 1, "s"},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, "list.limit.honoured", test.stock)
			st.Do(test.step)
			created := test.stock.Requests("POST")
			if len(created) != test.creates {
				t.Errorf("%d animals were created, want %d", len(created), test.creates)
			}
			count := map[string]int{}
			for _, a := range created {
				for _, status := range []string{"available", "pending", "sold"} {
					if strings.Contains(string(a.Body), `"`+status+`"`) {
						count[status[:1]]++
					}
				}
			}
			for letter, n := range count {
				if n != strings.Count(test.statuses, letter) {
					t.Errorf("created with statuses %v, want %s", count, test.statuses)
				}
			}
			before := len(test.stock.Asked)
			if st.Do(test.step); len(test.stock.Asked) != before {
				t.Error("what is known already is asked again")
			}
			st.Finds()
		})
	}
}

func TestAReadOnlyRunTakesTheStockAsItIs(t *testing.T) {
	readOnly := func(c *scenario.Options) { c.Target.ReadOnly = true }
	small := rehearse.NewShop().Stock(20, "sold")
	st := rehearse.New(t, "list.limit.honoured", small, readOnly)
	st.Do("the store holds more than 19 animals", "the store holds more than 19 animals with status sold")
	st.Stops("the store holds more than 20 animals", "the run is read-only, and the store is not known to hold more than 20 animals")
	st.Stops("the store holds more than 1 animals with status pending", "more than 1 animals with status pending")
	if n := len(small.Requests("POST")); n != 0 {
		t.Errorf("%d creations were sent", n)
	}
	// A list shows 100 at most, but the three statuses together show more.
	full := rehearse.New(t, "list.limit.honoured", rehearse.NewShop().Stock(5000, "sold", "pending", "available"), readOnly)
	full.Do("the store holds more than 100 animals")
	st.Finds()
	full.Finds()
}

func TestAStoreThatDoesNotGrow(t *testing.T) {
	refusing := rehearse.NewShop()
	refusing.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		if r.Method == http.MethodPost {
			return rehearse.ErrorReply(400)
		}
		return nil
	}
	st := rehearse.New(t, "list.limit.honoured", refusing)
	st.Stops("the store holds more than 5 animals", "did not answer with an animal")
	st.Finds("create.accepted")

	same := rehearse.NewShop()
	same.Change = func(r *http.Request, a *rehearse.Reply) {
		if r.Method == http.MethodPost {
			a.Body = rehearse.Altered(a.Body.(rehearse.Row), rehearse.Row{"id": 1})
		}
	}
	again := rehearse.New(t, "list.limit.honoured", same)
	again.Stops("the store holds more than 5 animals", "7 creations did not bring the store to more than 5 animals")
	again.Finds("create.id.unique")
}

// Scenarios that need the same stock at the same time create it once.
func TestStockIsCreatedOnce(t *testing.T) {
	service := rehearse.NewShop()
	st := rehearse.New(t, "list.limit.honoured", service)
	var group sync.WaitGroup
	for range 8 {
		other := rehearse.New(t, "list.limit.honoured", service)
		other.Next(st.Scenario.Run, "list.limit.honoured")
		group.Go(func() {
			if err := other.Play("the store holds more than 30 animals"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if len(service.Pets) != 31 {
		t.Errorf("%d animals were created, want 31", len(service.Pets))
	}
}
