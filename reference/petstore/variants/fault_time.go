package variants

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// failing responds with an error status to every request selected by f.
func failing(status int, f func(x *exchange) bool) change {
	return handling(func(x *exchange, next func()) {
		if x.operation != "" && f(x) {
			x.fail(status, petstore.CodeInternal, "This did not work.")
			return
		}
		next()
	})
}

// forgetting loses animals once there are after newer ones.
func forgetting(after int64, lists bool) change {
	return fresh(func() change {
		var newest atomic.Int64
		changes := []change{
			creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
				made, err := next.Create(ctx, pet)
				newest.Store(max(newest.Load(), made.ID))
				return made, err
			}),
			unread(func(p petstore.Pet) bool { return p.ID < newest.Load()-after }),
		}
		if lists {
			changes = append(changes, unlisted(func(p petstore.Pet) bool { return p.ID < newest.Load()-after }))
		}
		return together(changes...)
	})
}

// arrivals numbers the animals that clients create from 1, whatever the store contained before.
type arrivals struct {
	mu  sync.Mutex
	nth map[int64]int
}

// counting counts creations.
func (n *arrivals) counting() change {
	return creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
		made, err := next.Create(ctx, pet)
		if err == nil {
			n.mu.Lock()
			defer n.mu.Unlock()
			if n.nth == nil {
				n.nth = map[int64]int{}
			}
			n.nth[made.ID] = len(n.nth) + 1
		}
		return made, err
	})
}

// numberOf returns an animal's number, or 0 if no client created it, and the number of animals.
func (n *arrivals) numberOf(p petstore.Pet) (nth, all int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.nth[p.ID], len(n.nth)
}

func timeFaults() []Fault {
	return []Fault{
		fault("every-13th-fails", "answer.status", "Each thirteenth request is a server error.",
			failing(500, func(x *exchange) bool { return every(x.Nth, 13) })),
		chancy("every-97th-fails", "answer.status", "Each ninety-seventh request is a server error.",
			failing(500, func(x *exchange) bool { return every(x.Nth, 97) })),
		// Which twenty these are depends on what was asked at once, and so does the rule that names them.
		chancy("fails-for-a-while", "answer.status", "From the three hundredth request on, twenty are server errors.",
			failing(500, func(x *exchange) bool { return x.Nth >= 300 && x.Nth < 320 })),
		fault("fails-after-400", "answer.status", "After four hundred requests there are only server errors.",
			failing(500, func(x *exchange) bool { return x.Nth > 400 })),
		fault("busy-after-400", "answer.status", "After four hundred requests there is only 503, without Retry-After.",
			failing(503, func(x *exchange) bool { return x.Nth > 400 })),
		fault("teapot", "answer.status", "Each thirtieth request gets 418.",
			failing(418, func(x *exchange) bool { return every(x.Nth, 30) })),
		fault("forgets-after-60", "get.kept", "Only the sixty newest animals can be read.", forgetting(60, false)),
		fault("forgets-after-100", "get.kept", "Only the hundred newest animals are kept.", forgetting(100, true)),
		fault("forgets-first", "get.kept", "The first animals are gone once there are a hundred.", fresh(func() change {
			var made arrivals
			return together(made.counting(), unread(func(p petstore.Pet) bool {
				nth, all := made.numberOf(p)
				return all > 100 && nth >= 1 && nth <= 3
			}))
		})),
		fault("renames-later", "get.kept", "Animals lose the end of their name once there are a hundred.", fresh(func() change {
			var made arrivals
			return together(made.counting(), misread(func(p *petstore.Pet) {
				if nth, all := made.numberOf(*p); all > 110 && nth >= 1 && nth <= 20 {
					p.Name = cutAt(6)(p.Name)
				}
			}))
		})),
		fault("listed-late", "list.complete", "An animal is listed only once there are two newer ones.", fresh(func() change {
			var newest atomic.Int64
			return together(
				creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
					made, err := next.Create(ctx, pet)
					newest.Store(max(newest.Load(), made.ID))
					return made, err
				}),
				unlisted(func(p petstore.Pet) bool { return p.ID > newest.Load()-2 }))
		})),
		chancy("found-late", "get.created", "An animal is found two milliseconds after its creation.", fresh(func() change {
			var mu sync.Mutex
			born := map[int64]time.Time{}
			return together(
				creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
					made, err := next.Create(ctx, pet)
					mu.Lock()
					born[made.ID] = time.Now()
					mu.Unlock()
					return made, err
				}),
				unread(func(p petstore.Pet) bool {
					mu.Lock()
					defer mu.Unlock()
					return time.Since(born[p.ID]) < 2*time.Millisecond
				}))
		})),
	}
}

// robustFaults returns faults of should rules, which are warnings.
func robustFaults() []Fault {
	refused := func(m match) change { return answered(m, func(x *exchange) { restatus(x, 500) }) }
	return []Fault{
		fault("odd-query-fails", "list.robust", "An invalid limit is a server error.", refused(hasQuery("limit"))),
		fault("odd-status-fails", "list.robust", "An unknown status in the query is a server error.", refused(hasQuery("status"))),
		fault("unknown-parameter-fails", "list.robust", "An undefined query parameter is a server error.",
			answered(on(200, listPets), func(x *exchange) {
				for name := range x.Query() {
					if name != "limit" && name != "status" {
						x.fail(500, petstore.CodeInternal, "This parameter is unexpected.")
					}
				}
			})),
		fault("unknown-field-fails", "create.robust", "An undefined field is a server error.",
			disliking(500, func(_ string, sent map[string]any) bool { _, there := sent["colour"]; return there })),
		fault("other-media-type-fails", "create.robust", "A creation with another Content-Type is a server error.",
			handling(func(x *exchange, next func()) {
				if x.is(createPet) && x.Authorised() && len(x.Body) > 0 && x.Request.Header.Get("Content-Type") != "application/json" {
					x.fail(500, petstore.CodeInternal, "This media type is unexpected.")
					return
				}
				next()
			})),
		fault("get-odd-id-fails", "get.petId.refused", "An id that is not a number is a server error.", refused(on(400, getPet))),
		fault("get-odd-id-found", "get.petId.refused", "An id that is not a number returns an animal.",
			answered(on(400, getPet), func(x *exchange) {
				x.Header = x.Header.Clone()
				x.Status = 200
				x.SetJSON(map[string]any{"id": mutate.Number(-4242), "name": "Nobody", "categoryId": mutate.Number(1)})
			})),
		fault("get-no-deprecation", "get.deprecation", "Nothing says that getPet is deprecated.",
			answered(on(0, getPet), func(x *exchange) { x.Header.Del("Deprecation") })),
		fault("get-no-sunset", "get.sunset", "Nothing says when getPet will be removed.",
			answered(on(0, getPet), func(x *exchange) { x.Header.Del("Sunset") })),
		fault("category-twice", "answer.names", "An animal that is read has its categoryId twice.",
			rewritten(on(200, getPet), func(body []byte) []byte {
				return bytes.Replace(body, []byte(`"categoryId":`), []byte(`"categoryId":0,"categoryId":`), 1)
			})),
		fault("unknown-route-fails", "other.robust", "An unknown path is a server error.",
			answered(func(x *exchange) bool { return x.operation == "" && x.Status == 404 }, func(x *exchange) { restatus(x, 500) })),
	}
}
