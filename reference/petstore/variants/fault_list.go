package variants

import (
	"context"
	"slices"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// relisted changes the items of lists with at least least items.
func relisted(least int, f func(items []any) any) change {
	return answered(on(200, listPets), func(x *exchange) {
		x.editList(func(items []any) any {
			if len(items) < least {
				return items
			}
			return f(items)
		})
	})
}

// spoiltItem changes item i of every list that is long enough.
func spoiltItem(i int, f func(pet map[string]any)) change {
	return relisted(i+1, func(items []any) any {
		if pet, ok := items[i].(map[string]any); ok {
			f(pet)
		}
		return items
	})
}

// whenEmpty changes responses with an empty list.
func whenEmpty(f func(x *exchange)) change {
	return answered(func(x *exchange) bool { return on(200, listPets)(x) && string(x.Answer) == "[]" }, f)
}

// unlisted omits animals from all lists.
func unlisted(f func(p petstore.Pet) bool) change {
	return listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
		all, err := next.List(ctx, filter, 1<<30)
		return keptOf(all, limit, func(p petstore.Pet) bool { return !f(p) }), err
	})
}

func listFaults() []Fault {
	return []Fault{
		fault("list-null-when-empty", "list.empty", "An empty list is null.",
			whenEmpty(func(x *exchange) { x.Answer = []byte("null") })),
		fault("list-204-when-empty", "list.empty", "An empty list gets 204.",
			whenEmpty(func(x *exchange) { x.Status, x.Answer = 204, nil; x.Header.Del("Content-Type") })),
		fault("list-404-when-empty", "list.empty", "An empty list gets 404.",
			whenEmpty(func(x *exchange) { x.fail(404, petstore.CodeNotFound, "There is no such animal.") })),
		fault("list-object-when-empty", "list.empty", "An empty list is an empty object.",
			whenEmpty(func(x *exchange) { x.Answer = []byte("{}") })),
		fault("list-no-body-when-empty", "list.empty", "An empty list has no body.",
			whenEmpty(func(x *exchange) { x.Answer = nil })),
		fault("list-404-when-filter-empty", "list.empty", "A filter that matches nothing gets 404.",
			whenEmpty(func(x *exchange) {
				if x.Query().Has("status") {
					x.fail(404, petstore.CodeNotFound, "There is no such animal.")
				}
			})),
		fault("list-twice-first", "list.unique", "The first animal of a list is repeated.",
			relisted(2, func(items []any) any { return append(items[:len(items)-1:len(items)-1], items[0]) })),
		fault("list-twice-at-the-end", "list.unique", "In long lists the last animal is repeated.",
			relisted(60, func(items []any) any { items[len(items)-1] = items[len(items)-2]; return items })),
		fault("list-repeated-to-fill", "list.unique", "A list of a few animals is filled up by repeating them.",
			relisted(3, func(items []any) any {
				if len(items) < 20 {
					return append(items[:len(items)-1:len(items)-1], items[0])
				}
				return items
			})),
		fault("list-bad-name-deep", "pet.name", "In long lists the 57th animal has no name.",
			spoiltItem(56, func(pet map[string]any) { delete(pet, "name") })),
		fault("list-bad-id-deep", "pet.id", "In long lists the 80th animal has its id as text.",
			spoiltItem(79, func(pet map[string]any) { pet["id"] = "80" })),
		fault("list-bad-category-last", "pet.categoryId", "The hundredth animal of a list has a fraction for a categoryId.",
			spoiltItem(99, func(pet map[string]any) { pet["categoryId"] = rawNumber("1.5") })),
		fault("list-bad-status-deep", "pet.status", "In long lists the 33rd animal has a status of its own.",
			spoiltItem(32, func(pet map[string]any) { pet["status"] = "reserved" })),
		fault("list-null-item-deep", "pet.object", "In long lists the 41st item is null.",
			relisted(41, func(items []any) any { items[40] = nil; return items })),
		fault("list-null-at-the-end", "pet.object", "Long lists end in null.",
			relisted(21, func(items []any) any { items[len(items)-1] = nil; return items })),
		fault("list-array-of-one", "list.array", "A list of one animal is the animal itself.",
			answered(on(200, listPets), func(x *exchange) {
				x.editList(func(items []any) any {
					if len(items) == 1 {
						return items[0]
					}
					return items
				})
			})),
		fault("list-by-id", "list.array", "A list is an object with the animals by id.",
			relisted(0, func(items []any) any { return map[string]any{"1": items} })),
		fault("list-other-name", "pet.identity", "Lists show the names in capitals.",
			editShown(func(_ int, pet map[string]any) { capitalise(pet) }, listPets)),
		fault("list-category-0", "pet.identity", "Lists show the categoryId 0, since they do not load it.",
			editShown(func(_ int, pet map[string]any) { pet["categoryId"] = mutate.Number(0) }, listPets)),
		fault("list-shifted-names", "pet.identity", "Each animal of a list has the name of its neighbour.",
			relisted(2, func(items []any) any {
				first, _ := items[0].(map[string]any)
				name := first["name"]
				for i := range items {
					pet, ok := items[i].(map[string]any)
					if next, there := objectAt(items, i+1); ok && there {
						pet["name"] = next["name"]
					} else if ok {
						pet["name"] = name
					}
				}
				return items
			})),
		fault("list-lacks-newest", "list.complete", "The newest animal is not listed yet.",
			listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
				page, err := next.List(ctx, filter, limit+1)
				if filter.Status == "" && len(page) > 0 {
					return page[1:], err
				}
				return page[:min(limit, len(page))], err
			})),
		fault("list-lacks-every-4th", "list.complete", "Each fourth animal is missing from all lists.",
			unlisted(func(p petstore.Pet) bool { return every(p.ID, 4) })),
		fault("list-lacks-sold", "list.complete", "Sold animals are only listed by the filter sold.",
			listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
				all, err := next.List(ctx, filter, 1<<30)
				return keptOf(all, limit, func(p petstore.Pet) bool { return filter.Status != "" || p.Status != petstore.Sold }), err
			})),
		fault("list-frozen", "list.complete", "Lists never change.", fresh(func() change {
			var seen cache
			return listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
				return seen.get(filter, limit, func() ([]petstore.Pet, error) { return next.List(ctx, filter, limit) })
			})
		})),
		fault("list-oldest-10", "list.complete", "Only the ten oldest animals are ever listed.",
			unlisted(func(p petstore.Pet) bool { return p.ID > 10 })),
		fault("list-fails-beyond-60", "list.limit.accepted", "A list of more than sixty animals is a server error.",
			answered(on(200, listPets), func(x *exchange) {
				tree, _ := mutate.ReadJSON(x.Answer)
				if items, ok := tree.([]any); ok && len(items) > 60 {
					x.fail(500, petstore.CodeInternal, "This is too much.")
				}
			})),
		fault("list-206", "list.accepted", "A list that is not the whole store gets 206.",
			answered(on(200, listPets), func(x *exchange) {
				if tree, _ := mutate.ReadJSON(x.Answer); tree != nil {
					x.Status = 206
				}
			})),
	}
}

func objectAt(items []any, i int) (map[string]any, bool) {
	if i >= len(items) {
		return nil, false
	}
	pet, ok := items[i].(map[string]any)
	return pet, ok
}

// cache keeps lists forever.
type cache struct{ store memo[listKey, []petstore.Pet] }

type listKey struct {
	filter petstore.Filter
	limit  int
}

func (c *cache) get(filter petstore.Filter, limit int, make func() ([]petstore.Pet, error)) ([]petstore.Pet, error) {
	page, err := c.store.get(listKey{filter, limit}, make)
	return slices.Clone(page), err
}
