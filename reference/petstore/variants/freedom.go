package variants

import (
	"context"

	"hallmark/reference/petstore"
)

// Freedom is a legal variation of the service: it uses what the interface leaves open, or one thing in which
// implementations really differ. A judge that holds it against a service is unfair.
type Freedom struct {
	// Name is made of words joined by hyphens; Family is the group that it belongs to.
	Name, Family string
	// Rule is the id of the open rule that it uses, or of the rule that it comes nearest to without breaking it.
	Rule string
	// Says describes it in one sentence.
	Says string
	// Now is the day (2006-01-02) on which the service is to be judged; empty for any.
	Now string
	// Network marks what can only be seen over a network; TLS asks for https.
	Network, TLS bool
	// Places are what it changes: of freedoms that share a place one would hide the other. Nil stands for more than that.
	Places []string
	// Variant is the service that has it.
	Variant Variant
}

// Freedoms are the legal variations.
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

// wired is a freedom that shows over a network only.
func wired(name, rule, says string, changes ...change) Freedom {
	f := freedom(name, rule, says, changes...)
	f.Network = true
	return f
}

// on the day that is given the service is judged.
func onDay(day string, f Freedom) Freedom {
	f.Now = day
	return f
}

// many fills a store with more animals than a list may hold.
func many(ctx context.Context, s petstore.Store) error { return petstore.Preload(ctx, s, 130) }

// ordered lists animals in another order: less tells which comes first.
func ordered(compare func(a, b petstore.Pet) int) change {
	return listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
		all, err := next.List(ctx, filter, 1<<30)
		return sorted(all, compare)[:min(limit, len(all))], err
	})
}

func oldestFirst() change {
	return ordered(func(a, b petstore.Pet) int { return int(a.ID - b.ID) })
}
