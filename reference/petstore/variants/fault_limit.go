package variants

import (
	"context"
	"strconv"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// relimited gives lists another limit than the one that was asked for. given reports whether one was.
func relimited(f func(x *exchange, limit int, given bool) int) change {
	return listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
		if x := exchangeOf(ctx); x != nil {
			_, given := x.limit()
			limit = f(x, limit, given)
		}
		return next.List(ctx, filter, limit)
	})
}

// given changes a limit that was asked for, byDefault the one of requests without any.
func given(f func(limit int) int) change {
	return relimited(func(_ *exchange, limit int, given bool) int {
		if given {
			return f(limit)
		}
		return limit
	})
}

func byDefault(n int) change {
	return relimited(func(_ *exchange, limit int, given bool) int {
		if given {
			return limit
		}
		return n
	})
}

// refusing answers 400 to the lists that f tells.
func refusing(f func(x *exchange) bool) change {
	return handling(func(x *exchange, next func()) {
		if x.Authorised() && f(x) {
			x.fail(400, petstore.CodeInvalidRequest, "This request is not to our liking.")
			return
		}
		next()
	})
}

func isLimit(from, to int) func(*exchange) bool {
	return func(x *exchange) bool {
		n, ok := x.limit()
		return x.is(listPets) && ok && n >= from && n <= to
	}
}

// wide takes limits that the interface does not allow: f tells how many animals the text stands for.
func wide(f func(text string) (limit int, ok bool)) change {
	asked := func(x *exchange) (limit int, ok bool) {
		if _, ok := x.limit(); ok || !x.is(listPets) || !x.Query().Has("limit") {
			return 0, false
		}
		return f(x.Query().Get("limit"))
	}
	return together(
		listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
			if x := exchangeOf(ctx); x != nil && x.limitTaken > 0 {
				limit = x.limitTaken
			}
			return next.List(ctx, filter, limit)
		}),
		handling(func(x *exchange, next func()) {
			if n, ok := asked(x); ok {
				q := x.Query()
				q.Set("limit", "100")
				x.SetQuery(q)
				x.limitTaken = n
			}
			next()
		}))
}

// everything is a limit that no store reaches.
const everything = 1 << 30

// numbersThat takes numbers that f allows, as they are, or without a limit.
func numbersThat(f func(n int) bool, limited bool) func(string) (int, bool) {
	return func(text string) (int, bool) {
		n, err := strconv.Atoi(text)
		if !limited {
			return everything, err == nil && f(n)
		}
		return n, err == nil && f(n)
	}
}

func limitFaults() []Fault {
	return []Fault{
		fault("limit-ignored", "list.limit.honoured", "Lists hold a hundred animals, whatever limit was asked for.",
			given(func(int) int { return 100 })),
		fault("limit-means-20", "list.limit.honoured", "A limit below 20 gives a list of 20.",
			given(func(n int) int { return max(n, 20) })),
		fault("limit-one-more", "list.limit.honoured", "Lists hold one animal more than was asked for.",
			given(func(n int) int { return min(n+1, 100) })),
		fault("limit-1-means-2", "list.limit.honoured", "A limit of 1 gives two animals, as a page cannot be that short.",
			given(func(n int) int { return max(n, 2) })),
		fault("limit-doubled", "list.limit.honoured", "The limit counts pairs.",
			given(func(n int) int { return min(2*n, 100) })),
		fault("limit-in-tens", "list.limit.honoured", "The limit is rounded up to a multiple of ten.",
			given(func(n int) int { return min((n+9)/10*10, 100) })),
		fault("limit-free-beyond-50", "list.limit.honoured", "A limit above 50 counts as 100.",
			given(func(n int) int {
				if n > 50 {
					return 100
				}
				return n
			})),
		fault("limit-99-means-100", "list.limit.honoured", "A limit of 99 gives a hundred animals.",
			given(func(n int) int {
				if n == 99 {
					return 100
				}
				return n
			})),
		fault("limit-free-with-filter", "list.limit.honoured", "The limit is forgotten when there is a filter.",
			relimited(func(x *exchange, limit int, given bool) int {
				if given && x.Query().Has("status") {
					return 100
				}
				return limit
			})),
		fault("limit-free-for-sold", "list.limit.honoured", "The limit is forgotten in the list of what is sold.",
			relimited(func(x *exchange, limit int, given bool) int {
				if given && x.Query().Get("status") == string(petstore.Sold) {
					return 100
				}
				return limit
			})),
		fault("limit-100-means-101", "list.limit.honoured", "A limit of 100 gives 101 animals.",
			given(func(n int) int {
				if n == 100 {
					return 101
				}
				return n
			})),
		fault("limit-1000-means-1000", "list.maximum", "A limit above 100 is taken at its word.",
			wide(numbersThat(func(n int) bool { return n > 0 }, true))),
		fault("limit-0-means-all", "list.maximum", "A limit of 0 gives all animals.",
			wide(numbersThat(func(n int) bool { return n == 0 }, false))),
		fault("limit-negative-means-all", "list.maximum", "A negative limit gives all animals.",
			wide(numbersThat(func(n int) bool { return n < 0 }, false))),
		fault("limit-word-means-all", "list.maximum", "A limit that is no number is none.",
			wide(func(text string) (int, bool) { _, err := strconv.Atoi(text); return everything, err != nil })),
		fault("limit-1-refused", "list.limit.accepted", "A limit of 1 is rejected.", refusing(isLimit(1, 1))),
		fault("limit-100-refused", "list.limit.accepted", "A limit of 100 is rejected.", refusing(isLimit(100, 100))),
		fault("limit-50-refused", "list.limit.accepted", "Limits above 50 are rejected.", refusing(isLimit(51, 100))),
		fault("limit-odd-refused", "list.limit.accepted", "Odd limits are rejected.",
			refusing(func(x *exchange) bool { n, ok := x.limit(); return ok && x.is(listPets) && n%2 == 1 })),
		fault("limit-refused-with-filter", "list.limit.accepted", "A limit beside a status is rejected.",
			refusing(func(x *exchange) bool { return isLimit(1, 100)(x) && x.Query().Has("status") })),
		fault("limit-needed", "list.limit.optional", "A list without a limit is rejected.",
			refusing(func(x *exchange) bool { return x.is(listPets) && !x.Query().Has("limit") })),
		fault("limit-needed-with-filter", "list.limit.optional", "A filtered list without a limit is rejected.",
			refusing(func(x *exchange) bool { return x.is(listPets) && x.Query().Has("status") && !x.Query().Has("limit") })),
		fault("default-21", "list.limit.default", "A list without a limit holds 21 animals.", byDefault(21)),
		fault("default-50", "list.limit.default", "A list without a limit holds 50 animals.", byDefault(50)),
		fault("default-100", "list.limit.default", "A list without a limit holds a hundred animals.", byDefault(100)),
		fault("default-all", "list.limit.default", "A list without a limit holds all animals.", byDefault(everything)),
		fault("default-free-with-filter", "list.limit.default", "A filtered list without a limit holds a hundred animals.",
			relimited(func(x *exchange, limit int, given bool) int {
				if !given && x.Query().Has("status") {
					return 100
				}
				return limit
			})),
		fault("default-10", "list.limit.default.same", "A list without a limit holds 10 animals.", byDefault(10)),
		fault("default-19", "list.limit.default.same", "A list without a limit holds 19 animals.", byDefault(19)),
		fault("default-1", "list.limit.default.same", "A list without a limit holds one animal.", byDefault(1)),
		fault("default-10-with-filter", "list.limit.default.same", "A filtered list without a limit holds 10 animals.",
			relimited(func(x *exchange, limit int, given bool) int {
				if !given && x.Query().Has("status") {
					return 10
				}
				return limit
			})),
	}
}
