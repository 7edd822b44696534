package doubt

import "github.com/hallmark-kit/hallmark/spec/schema"

// Settled divides the violations that a result holds: those beyond doubt, and as holes those of a oneOf that only say that a value keeps
// several of its alternatives. Documents write oneOf for alternatives that overlap, and without a discriminator nothing says which of
// them was meant, so nobody is accused by it.
func Settled(r schema.Result) (sure []schema.Violation, open []schema.Hole) {
	for _, v := range r.Violations {
		if kept, ok := v.Actual.([]int); ok && v.Keyword == "oneOf" && len(kept) > 1 {
			open = append(open, schema.Hole{
				Pointer: v.Constraint, Line: v.Line, Reason: "a value keeps several alternatives of oneOf, and no discriminator says which one is meant",
			})
			continue
		}
		sure = append(sure, v)
	}
	return sure, append(open, r.Unjudged...)
}
