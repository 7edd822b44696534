package impostor

import (
	"math"
	"math/rand/v2"
)

// legalIDs differ in the identifiers they assign, which are their own affair
// as long as each is an int64 and names one animal.
func legalIDs() []Variant {
	return []Variant{
		legal("ids-snowflake", "Ids are neighbours far beyond 2^53.", bigIDs()),
		legal("ids-beyond-2-53", "Ids begin at 2^53 and go up one by one.",
			assignIDs(func(n int64) int64 { return 1<<53 + n })),
		legal("ids-negative", "Ids go down from -1.", assignIDs(func(n int64) int64 { return -1 - n })),
		legal("ids-from-zero", "The first animal has id 0.", assignIDs(func(n int64) int64 { return n })),
		legal("ids-across-zero", "Ids go up from -3, through 0.", assignIDs(func(n int64) int64 { return n - 3 })),
		legal("ids-falling", "Ids go down from a million.", assignIDs(func(n int64) int64 { return 1_000_000 - n })),
		legal("ids-from-the-top", "Ids go down from the greatest int64.",
			assignIDs(func(n int64) int64 { return math.MaxInt64 - n })),
		legal("ids-from-the-bottom", "Ids go up from the least int64.",
			assignIDs(func(n int64) int64 { return math.MinInt64 + n })),
		legal("ids-random", "Ids are random, of 63 bits.", randomIDs(rand.Int64)),
		legal("ids-random-signed", "Ids are random, of either sign.",
			randomIDs(func() int64 { return int64(rand.Uint64()) })),
		legal("ids-sparse", "Ids have random gaps between them.", gappedIDs()),
		legal("ids-apart-by-2-32", "Ids are 2^32 apart, so that all share their low half.",
			assignIDs(func(n int64) int64 { return 7 + n<<32 })),
		legal("ids-mirrored", "For most ids the same number with the other sign is an id too.",
			assignIDs(func(n int64) int64 { return (n/2 + 1) * (1 - n%2*2) })),
		legal("ids-both-ends", "Ids come from both ends of int64 in turn, the very ends among them.",
			assignIDs(func(n int64) int64 {
				if n%2 == 0 {
					return math.MaxInt64 - n/2
				}
				return math.MinInt64 + n/2
			})),
		legal("ids-by-tens", "Ids are multiples of ten.", assignIDs(func(n int64) int64 { return 10 * (n + 1) })),
		legal("ids-scrambled", "Ids are small but come in no order.",
			assignIDs(func(n int64) int64 { return (n*7919+13)%10007 + 1 })),
	}
}

// randomIDs draws until an id is new.
func randomIDs(draw func() int64) change {
	return func(s *service) {
		s.assignID = func(draft) int64 {
			for {
				id := draw()
				if _, taken := s.store.get(id); !taken {
					return id
				}
			}
		}
	}
}

func gappedIDs() change {
	return assignIDs(func(n int64) int64 { return 1000*n + rand.Int64N(1000) })
}
