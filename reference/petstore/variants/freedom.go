package variants

import (
	"context"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// Freedom is a legal variation of the service. It uses a choice that the interface leaves open, or something in which implementations
// differ in practice. A judge that reports it is unfair.
type Freedom struct {
	// Name consists of words joined by hyphens. Family is its group.
	Name, Family string
	// Rule is the id of the open rule that it uses, or of the rule that it comes closest to breaking.
	Rule string
	// Says describes the freedom in a sentence.
	Says string
	// Now is the day (2006-01-02) for which the service is to be judged, or empty for any.
	Now string
	// Network marks what shows only over a network; TLS requires https.
	Network, TLS bool
	// Places lists what it changes: of freedoms that share a place, one would hide the other. Nil means more than a place.
	Places []string
	// Variant is the service with the freedom.
	Variant Variant
}

// Freedoms returns the legal variations.
func Freedoms() []Freedom {
	var all []Freedom
	for _, f := range []struct {
		family   string
		freedoms []Freedom
	}{
		{"ids", idFreedoms()},
		{"stores", storeFreedoms()},
		{"requests", requestFreedoms()},
		{"values", valueFreedoms()},
		{"unicode", unicodeFreedoms()},
		{"answers", answerFreedoms()},
		{"others", otherFreedoms()},
		{"transport", transportFreedoms()},
		{"removal", removalFreedoms()},
	} {
		for _, one := range f.freedoms {
			one.Family, one.Places = f.family, placesOf(one.Name)
			all = append(all, one)
		}
	}
	return all
}

func freedom(name, rule, says string, changes ...change) Freedom {
	return Freedom{Name: name, Rule: rule, Says: says, Variant: with(changes...)}
}

// wired returns a freedom that shows only over a network.
func wired(name, rule, says string, changes ...change) Freedom {
	f := freedom(name, rule, says, changes...)
	f.Network = true
	return f
}

// onDay sets the day for which the service is judged.
func onDay(day string, f Freedom) Freedom {
	f.Now = day
	return f
}

// many fills a store with more animals than a list may show.
func many(ctx context.Context, s petstore.Store) error { return petstore.Preload(ctx, s, 130) }

// ordered lists animals in the order of compare.
func ordered(compare func(a, b petstore.Pet) int) change {
	return listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
		all, err := next.List(ctx, filter, 1<<30)
		return sorted(all, compare)[:min(limit, len(all))], err
	})
}

func oldestFirst() change {
	return ordered(func(a, b petstore.Pet) int { return int(a.ID - b.ID) })
}
