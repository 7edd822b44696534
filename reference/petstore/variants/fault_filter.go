package variants

import (
	"context"
	"slices"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// filtering lets f see the filtered lists.
func filtering(f func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error)) change {
	return listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
		if filter.Status == "" {
			return next.List(ctx, filter, limit)
		}
		return f(ctx, filter.Status, limit, next)
	})
}

// ofAll is all animals, the newest first.
func ofAll(ctx context.Context, store petstore.Store) ([]petstore.Pet, error) {
	return store.List(ctx, petstore.Filter{}, 1<<30)
}

// keptOf keeps the animals that f tells, at most so many.
func keptOf(pets []petstore.Pet, limit int, f func(petstore.Pet) bool) []petstore.Pet {
	var page []petstore.Pet
	for _, p := range pets {
		if f(p) && len(page) < limit {
			page = append(page, p)
		}
	}
	return page
}

// unfiltered forgets the filter for some statuses.
func unfiltered(statuses ...petstore.Status) change {
	return filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
		if slices.Contains(statuses, status) {
			status = ""
		}
		return next.List(ctx, petstore.Filter{Status: status}, limit)
	})
}

// intruding puts another animal among those of a filtered list, at place i if it is that long.
func intruding(i int) change {
	return filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
		page, err := next.List(ctx, petstore.Filter{Status: status}, limit)
		if err != nil || len(page) <= i {
			return page, err
		}
		all, err := ofAll(ctx, next)
		at := slices.IndexFunc(all, func(p petstore.Pet) bool { return p.Status != status })
		if err == nil && at >= 0 {
			page = slices.Clone(page)
			page[i] = all[at]
		}
		return page, err
	})
}

func filterFaults() []Fault {
	swap := map[petstore.Status]petstore.Status{petstore.Pending: petstore.Sold, petstore.Sold: petstore.Pending, petstore.Available: petstore.Available}
	return []Fault{
		fault("filter-ignored", "list.status.honoured", "The filter is ignored.", unfiltered(petstore.Statuses()...)),
		fault("filter-ignored-for-available", "list.status.honoured", "The filter is ignored for available.", unfiltered(petstore.Available)),
		fault("filter-ignored-for-pending", "list.status.honoured", "The filter is ignored for pending.", unfiltered(petstore.Pending)),
		fault("filter-ignored-for-sold", "list.status.honoured", "The filter is ignored for sold.", unfiltered(petstore.Sold)),
		fault("filter-swapped", "list.status.honoured", "The filters pending and sold are swapped.",
			filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
				return next.List(ctx, petstore.Filter{Status: swap[status]}, limit)
			})),
		fault("filter-inverted", "list.status.honoured", "A filtered list holds what does not match.",
			filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
				all, err := ofAll(ctx, next)
				return keptOf(all, limit, func(p petstore.Pet) bool { return p.Status != status }), err
			})),
		fault("filter-also-pending", "list.status.honoured", "What is pending is listed as available too.",
			filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
				all, err := ofAll(ctx, next)
				return keptOf(all, limit, func(p petstore.Pet) bool {
					return p.Status == status || status == petstore.Available && p.Status == petstore.Pending
				}), err
			})),
		fault("filter-ignored-with-limit", "list.status.honoured", "The filter is forgotten when there is a limit.",
			filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
				if _, given := exchangeOf(ctx).limit(); given {
					status = ""
				}
				return next.List(ctx, petstore.Filter{Status: status}, limit)
			})),
		fault("filter-ignored-with-limit-100", "list.status.honoured", "The filter is forgotten in the longest lists.",
			filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
				if limit == 100 {
					status = ""
				}
				return next.List(ctx, petstore.Filter{Status: status}, limit)
			})),
		fault("filter-leaks-first", "list.status.honoured", "The first animal of a filtered list does not match.", intruding(0)),
		fault("filter-leaks-12th", "list.status.honoured", "The twelfth animal of a filtered list does not match.", intruding(11)),
		fault("filter-all-when-none", "list.empty", "Where nothing matches, all animals are listed.",
			filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
				page, err := next.List(ctx, petstore.Filter{Status: status}, limit)
				if err == nil && len(page) == 0 {
					return next.List(ctx, petstore.Filter{}, limit)
				}
				return page, err
			})),
		fault("filter-stamps", "list.status.honoured", "A filtered list holds any animals, shown as if they matched.",
			filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
				page, err := next.List(ctx, petstore.Filter{}, limit)
				page = slices.Clone(page)
				for i := range page {
					page[i].Status = status
				}
				return page, err
			})),
		fault("filter-refused-for-pending", "list.status.accepted", "The filter pending is rejected.",
			refusing(func(x *exchange) bool { return x.is(listPets) && x.Query().Get("status") == string(petstore.Pending) })),
		fault("filter-refused", "list.status.accepted", "Every filter is rejected.",
			refusing(func(x *exchange) bool { return x.is(listPets) && x.Query().Has("status") })),
		fault("filter-needed", "list.status.optional", "A list without a filter is rejected.",
			refusing(func(x *exchange) bool { return x.is(listPets) && !x.Query().Has("status") })),
		fault("filter-needed-with-limit", "list.status.optional", "A limit without a filter is rejected.",
			refusing(func(x *exchange) bool { return x.is(listPets) && !x.Query().Has("status") && x.Query().Has("limit") })),
		fault("filter-loses-newest", "list.status.complete", "A filtered list lacks the newest animal that matches.",
			filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
				page, err := next.List(ctx, petstore.Filter{Status: status}, limit+1)
				return page[min(1, len(page)):], err
			})),
		fault("filter-finds-none-sold", "list.status.complete", "Nothing is ever listed as sold.",
			filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
				if status == petstore.Sold {
					return nil, nil
				}
				return next.List(ctx, petstore.Filter{Status: status}, limit)
			})),
		fault("filter-lacks-defaults", "list.status.complete", "What was created without a status is missing from the filtered lists.", fresh(func() change {
			var without idSet
			return together(
				creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
					made, err := next.Create(ctx, pet)
					if err == nil && pet.Status == "" {
						without.addID(made.ID)
					}
					return made, err
				}),
				filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
					page, err := next.List(ctx, petstore.Filter{Status: status}, limit)
					return keptOf(page, limit, func(p petstore.Pet) bool { return !without.has(p.ID) }), err
				}))
		})),
	}
}
