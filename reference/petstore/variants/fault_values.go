package variants

import (
	"context"
	"html"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// stored changes animals before they are stored: the response, lists and reads show the change.
func stored(f func(p *petstore.NewPet)) change {
	return creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
		f(&pet)
		return next.Create(ctx, pet)
	})
}

func named(f func(string) string) change {
	return stored(func(p *petstore.NewPet) { p.Name = f(p.Name) })
}

func categorised(f func(int64) int64) change {
	return stored(func(p *petstore.NewPet) { p.CategoryID = f(p.CategoryID) })
}

// misread changes animals when they are read individually.
func misread(f func(p *petstore.Pet)) change {
	return getting(func(ctx context.Context, id int64, next petstore.Store) (petstore.Pet, error) {
		pet, err := next.Get(ctx, id)
		f(&pet)
		return pet, err
	})
}

func cutAt(n int) func(string) string {
	return func(s string) string {
		if r := []rune(s); len(r) > n {
			return string(r[:n])
		}
		return s
	}
}

func float(n int64) int64 {
	f := float64(n)
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

func mapping(keep func(rune) bool, other rune) func(string) string {
	return func(s string) string {
		return strings.Map(func(r rune) rune {
			if keep(r) {
				return r
			}
			return other
		}, s)
	}
}

func valueFaults() []Fault {
	return []Fault{
		fault("name-trimmed", "create.echo.name", "Blanks around a name are removed.", named(strings.TrimSpace)),
		fault("name-cut-at-16", "create.echo.name", "Names are cut at 16 characters.", named(cutAt(16))),
		fault("name-cut-at-39", "create.echo.name", "Names are cut at 39 characters.", named(cutAt(39))),
		fault("name-cut-at-64", "create.echo.name", "Names are cut at 64 characters.", named(cutAt(64))),
		fault("name-cut-at-255", "create.echo.name", "Names are cut at 255 characters.", named(cutAt(255))),
		fault("name-lower-case", "create.echo.name", "Names are stored in lower case.", named(strings.ToLower)),
		fault("name-capitalised", "create.echo.name", "Names are stored in capitals.", named(strings.ToUpper)),
		fault("name-blanks-joined", "create.echo.name", "Several blanks in a name become one.",
			named(func(s string) string {
				for strings.Contains(s, "  ") {
					s = strings.ReplaceAll(s, "  ", " ")
				}
				return s
			})),
		fault("name-ascii", "create.echo.name", "Letters outside ASCII become question marks.",
			named(mapping(func(r rune) bool { return r <= unicode.MaxASCII }, '?'))),
		fault("name-basic-plane", "create.echo.name", "Characters beyond the basic plane are lost.",
			named(mapping(func(r rune) bool { return r <= 0xFFFF }, -1))),
		fault("name-latin-1", "create.echo.name", "Letters outside Latin-1 become question marks.",
			named(mapping(func(r rune) bool { return r <= 0xFF }, '?'))),
		fault("name-escaped", "create.echo.name", "Names are escaped for HTML.", named(html.EscapeString)),
		fault("name-quotes-doubled", "create.echo.name", "Apostrophes are doubled, as for SQL.",
			named(func(s string) string { return strings.ReplaceAll(s, "'", "''") })),
		fault("name-no-controls", "create.echo.name", "Control characters are removed from names.",
			named(mapping(func(r rune) bool { return !unicode.IsControl(r) }, -1))),
		fault("name-no-invisible", "create.echo.name", "Invisible characters are removed from names.",
			named(mapping(func(r rune) bool { return !unicode.Is(unicode.Cf, r) }, -1))),
		fault("name-ends-at-nul", "create.echo.name", "A name ends at the null character.",
			named(func(s string) string { s, _, _ = strings.Cut(s, "\x00"); return s })),
		fault("name-composed", "create.echo.name", "Combining marks are removed from names.",
			named(mapping(func(r rune) bool { return !unicode.Is(unicode.Mn, r) }, -1))),
		fault("name-in-title-case", "create.echo.name", "The first letter of a name is made a capital.",
			named(func(s string) string {
				_, first := utf8.DecodeRuneInString(s)
				return strings.ToUpper(s[:first]) + s[first:]
			})),
		fault("name-padded-on-read", "get.created", "Names are padded with blanks when they are read.",
			misread(func(p *petstore.Pet) { p.Name += " " })),
		fault("name-cut-at-32-on-read", "get.created", "Names are cut at 32 characters when they are read.",
			misread(func(p *petstore.Pet) { p.Name = cutAt(32)(p.Name) })),
		fault("name-ascii-on-read", "get.created", "Letters outside ASCII become question marks when a name is read.",
			misread(func(p *petstore.Pet) {
				p.Name = mapping(func(r rune) bool { return r <= unicode.MaxASCII }, '?')(p.Name)
			})),
		fault("category-float", "create.echo.categoryId", "The categoryId goes through a float and loses digits.", categorised(float)),
		fault("category-int32", "create.echo.categoryId", "The categoryId is cut to 32 bits.",
			categorised(func(n int64) int64 { return int64(int32(n)) })), //nolint:gosec // the loss is the point
		fault("category-unsigned-32", "create.echo.categoryId", "The categoryId is cut to 32 bits without a sign.",
			categorised(func(n int64) int64 { return int64(uint32(n)) })), //nolint:gosec // the loss is the point
		fault("category-always-1", "create.echo.categoryId", "Every animal gets the category 1.",
			categorised(func(int64) int64 { return 1 })),
		fault("category-positive", "create.echo.categoryId", "A categoryId loses its sign.",
			categorised(func(n int64) int64 {
				if n < 0 && n > math.MinInt64 {
					return -n
				}
				return n
			})),
		fault("category-clamped", "create.echo.categoryId", "A categoryId beyond 2^53 becomes 2^53.",
			categorised(func(n int64) int64 { return min(n, 1<<53) })),
		fault("category-0-means-1", "create.echo.categoryId", "The categoryId 0 counts as missing and becomes 1.",
			categorised(func(n int64) int64 {
				if n == 0 {
					return 1
				}
				return n
			})),
		fault("category-float-on-read", "get.created", "The categoryId goes through a float when an animal is read.",
			misread(func(p *petstore.Pet) { p.CategoryID = float(p.CategoryID) })),
		fault("category-next-on-read", "get.created", "A read shows the next category.",
			misread(func(p *petstore.Pet) {
				if p.CategoryID < math.MaxInt64 {
					p.CategoryID++
				}
			})),
		fault("status-always-available", "create.echo.status", "Every animal is available.",
			stored(func(p *petstore.NewPet) { p.Status = petstore.Available })),
		fault("status-sold-is-pending", "create.echo.status", "Animals created as sold are pending first.",
			stored(func(p *petstore.NewPet) {
				if p.Status == petstore.Sold {
					p.Status = petstore.Pending
				}
			})),
		fault("status-not-echoed", "create.echo.status", "The response to a creation lacks the status.",
			editShown(func(_ int, pet map[string]any) { delete(pet, "status") }, createPet)),
		fault("status-empty", "pet.status", "The status of an animal that was created without one is empty.", fresh(func() change {
			var without idSet
			return together(
				creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
					made, err := next.Create(ctx, pet)
					if pet.Status == "" {
						without.addID(made.ID)
					}
					return made, err
				}),
				blankStatus(&without, ""))
		})),
		fault("status-null-when-omitted", "pet.status", "The status of an animal that was created without one is null.", fresh(func() change {
			var without idSet
			return together(
				creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
					made, err := next.Create(ctx, pet)
					if pet.Status == "" {
						without.addID(made.ID)
					}
					return made, err
				}),
				blankStatus(&without, nil))
		})),
		fault("status-missing-on-read", "get.created", "A read does not show the status.",
			editShown(func(_ int, pet map[string]any) { delete(pet, "status") }, getPet)),
		fault("status-other-on-read", "get.created", "A read shows sold animals as pending.",
			misread(func(p *petstore.Pet) {
				if p.Status == petstore.Sold {
					p.Status = petstore.Pending
				}
			})),
		fault("status-default-late", "get.created", "A default status shows only when the animal is read.",
			answered(on(201, createPet), func(x *exchange) {
				if _, there := x.Sent()["status"]; !there {
					x.editItems(func(_ int, pet map[string]any) { delete(pet, "status") })
				}
			})),
	}
}

// blankStatus shows a status for the animals in of.
func blankStatus(of *idSet, status any) change {
	return editShown(func(_ int, pet map[string]any) {
		if id, ok := idIn(pet); ok && of.has(id) {
			pet["status"] = status
		}
	}, listPets, createPet, getPet)
}
