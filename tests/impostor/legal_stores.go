package impostor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// legalStores differ in what else is in the store, in its order, and in what
// others do with it meanwhile.
func legalStores() []Variant {
	return append(legalOrders(), append(legalStocks(), legalCompany()...)...)
}

func legalOrders() []Variant {
	return []Variant{
		legal("order-newest-first", "Lists begin with the newest animal.", ordered(slices.Reverse[[]animal])),
		legal("order-random", "Lists come in a new random order each time.", ordered(shuffle)),
		legal("order-by-name", "Lists are sorted by name.", ordered(func(rows []animal) {
			slices.SortStableFunc(rows, func(a, b animal) int { return strings.Compare(a.name, b.name) })
		})),
		legal("order-by-status", "Lists are sorted by status, those without one last.", ordered(func(rows []animal) {
			slices.SortStableFunc(rows, func(a, b animal) int { return -strings.Compare(a.status, b.status) })
		})),
		legal("order-differs-by-filter", "Filtered lists begin with the newest animal, others with the oldest.",
			func(s *service) {
				s.rows = func(c *call) []animal {
					rows := s.store.all()
					if c.req.URL.Query().Has("status") {
						slices.Reverse(rows)
					}
					return rows
				}
			}),
		legal("page-limited-before-filter", "The limit counts animals before the filter, so filtered pages are short.",
			limitBeforeFilter()),
		legal("page-limited-before-filter-newest", "The limit counts animals before the filter, from the newest on.",
			ordered(slices.Reverse[[]animal]), limitBeforeFilter()),
		legal("page-limited-before-filter-stocked", "Fifty animals of others, and the limit counts before the filter.",
			limitBeforeFilter(), seeded(50, plainAnimal)),
		legal("page-half-full", "A page asked for with less than 100 holds about half of what it may.",
			func(s *service) {
				s.cut = func(_ *call, rows []animal, limit int) []animal {
					if limit < 100 {
						limit = (limit + 1) / 2
					}
					return rows[:min(limit, len(rows))]
				}
			}),
		legal("page-one-short-sometimes", "A page below the greatest limit is sometimes one animal short.",
			func(s *service) {
				s.cut = func(_ *call, rows []animal, limit int) []animal {
					if limit > 1 && limit < 100 {
						limit -= rand.IntN(2)
					}
					return rows[:min(limit, len(rows))]
				}
			}),
	}
}

func ordered(arrange func([]animal)) change {
	return func(s *service) {
		s.rows = func(*call) []animal {
			rows := s.store.all()
			arrange(rows)
			return rows
		}
	}
}

func shuffle(rows []animal) {
	rand.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
}

func limitBeforeFilter() change {
	return func(s *service) {
		s.page = func(c *call, limit int, status string) []animal {
			rows := s.cut(c, s.rows(c), limit)
			return slices.DeleteFunc(rows, func(a animal) bool { return !s.matches(c, a, status) })
		}
	}
}

func legalStocks() []Variant {
	variants := []Variant{
		legal("stock-5000-newest-first", "5000 animals of others, the newest first in lists.",
			ordered(slices.Reverse[[]animal]), seeded(5000, mixedOther)),
		legal("stock-5000-random", "5000 animals of others, in a random order each time.",
			ordered(shuffle), seeded(5000, mixedOther)),
		legal("stock-all-sold", "Thirty animals of others, all sold.", seeded(30, func(i int) animal {
			a := plainAnimal(i)
			a.status = "sold"
			return a
		})),
		legal("stock-no-status", "Thirty animals of others, none with a status.", seeded(30, func(i int) animal {
			a := plainAnimal(i)
			a.status = ""
			return a
		})),
		legal("stock-common-names", "Animals of others bear the names that come to mind first.", seeded(60, commonAnimal)),
		legal("stock-odd-names", "Animals of others bear rare but valid names, one of 64 KiB.", seeded(50, func(i int) animal {
			a := unusualAnimal(i)
			if i == 7 {
				a.name = strings.Repeat("long", 16<<10)
			}
			return a
		})),
		legal("stock-random-ids", "Ninety animals of others, with random ids of either sign.",
			randomIDs(func() int64 { return int64(rand.Uint64()) }), seeded(90, mixedOther)),
	}
	for _, n := range []int{1, 5, 19, 20, 21, 50, 98, 99, 100, 101, 5000} {
		variants = append(variants, legal(fmt.Sprintf("stock-%d", n),
			fmt.Sprintf("Animals of others are there from the beginning: %d.", n), seeded(n, mixedOther)))
	}
	return variants
}

func mixedOther(i int) animal {
	if i%3 == 1 {
		return unusualAnimal(i / 3)
	}
	return plainAnimal(i)
}

func legalCompany() []Variant {
	return []Variant{
		legal("others-create", "With every third request another client adds an animal.", otherClients(3, addOther)),
		legal("others-create-much", "With every request other clients add two animals.", otherClients(1, addOther), otherClients(1, addOther)),
		legal("others-create-common-names", "Others keep adding animals with the names that come to mind first.",
			otherClients(4, func(s *service, n int) { s.seed(commonAnimal(n)) })),
		legal("others-create-newest-first", "Others keep adding animals, and lists begin with the newest.",
			ordered(slices.Reverse[[]animal]), otherClients(2, addOther)),
		legal("others-change-status", "With every request an animal of others takes its next status.",
			seeded(25, plainAnimal), otherClients(1, turnOther)),
		legal("others-change-many", "With every request all animals of others take their next status.",
			seeded(40, plainAnimal), otherClients(1, func(s *service, n int) {
				for i := range 40 {
					turnOther(s, n+i)
				}
			})),
		legal("others-remove", "With every second request an animal of others is gone for good.",
			seeded(95, plainAnimal), otherClients(2, dropOther)),
		legal("others-come-and-go", "Others add an animal with every request and remove one.",
			seeded(30, plainAnimal), otherClients(1, addOther), otherClients(1, dropOther)),
		legal("others-in-the-background", "Others add animals and change theirs all the time, between requests too.",
			seeded(10, plainAnimal), func(s *service) {
				s.chores = append(s.chores, func(done <-chan struct{}) {
					tick := time.NewTicker(3 * time.Millisecond)
					defer tick.Stop()
					for n := 0; ; n++ {
						select {
						case <-done:
							return
						case <-tick.C:
						}
						if n%4 == 0 && n < 2000 {
							addOther(s, n)
						}
						turnOther(s, n)
					}
				})
			}),
		legal("others-fill-the-store", "Another client adds 200 animals at once when the tenth request comes.",
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				if c.nth == 10 {
					for i := range 200 {
						s.seed(plainAnimal(i))
					}
				}
				return next(c)
			})),
	}
}

// otherClients lets others act before every nth request.
func otherClients(nth int64, act func(s *service, n int)) change {
	return wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
		if everyNth(c, nth) {
			act(s, int(c.nth))
		}
		return next(c)
	})
}

func addOther(s *service, n int) { s.seed(mixedOther(n)) }

// turnOther returns the nth animal of others the status after its own.
func turnOther(s *service, n int) {
	after := map[string]string{"": "available", "available": "pending", "pending": "sold", "sold": "available"}
	s.store.change(func(animals []animal) []animal {
		if i := foreignAt(animals, n); i >= 0 {
			animals[i].status = after[animals[i].status]
		}
		return animals
	})
}

func dropOther(s *service, n int) {
	s.store.change(func(animals []animal) []animal {
		if i := foreignAt(animals, n); i >= 0 {
			return slices.Delete(animals, i, i+1)
		}
		return animals
	})
}

// foreignAt is the index of the nth animal of others, counted around.
func foreignAt(animals []animal, n int) int {
	var places []int
	for i, a := range animals {
		if a.foreign {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return -1
	}
	return places[n%len(places)]
}
