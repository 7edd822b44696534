package variants

import (
	"bytes"
	"context"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// byteFaults returns faults that mishandle text that is not Unicode, or that change characters that are often lost.
func byteFaults() []Fault {
	const echo, unusual = "create.echo.name", "create.name.unusual"
	replacement := string(utf8.RuneError)
	return []Fault{
		fault("bytes-kept", "answer.json", "Bytes that are not UTF-8 are shown as they were sent.", keepingBytes()),
		fault("name-halves-fail", "create.robust", "Half of a surrogate pair is a server error.",
			handling(func(x *exchange, next func()) {
				if next(); x.is(createPet) && x.Status == 400 && !bytes.Equal(x.Body, eachHalf(x.Body, func(string) string { return "" })) {
					restatus(x, 500)
				}
			})),
		fault("bytes-fail", "create.robust", "A byte that is not UTF-8 is a server error.",
			handling(func(x *exchange, next func()) {
				if next(); x.is(createPet) && x.Status == 400 && !utf8.Valid(x.Body) {
					restatus(x, 500)
				}
			})),
		fault("bytes-refused-bare", "error.body", "A creation with a byte that is not UTF-8 is refused without a body.",
			handling(func(x *exchange, next func()) {
				sent := x.Body
				if next(); x.is(createPet) && x.Status == 400 && !utf8.Valid(sent) {
					x.Answer = nil
				}
			})),
		fault("halves-refused-status", "error.status.same", "A creation with half of a surrogate pair is refused with an Error that says 422.",
			handling(func(x *exchange, next func()) {
				halved := hasHalf(x.Body)
				if next(); x.is(createPet) && x.Status == 400 && halved {
					x.editError(func(body map[string]any) { body["status"] = mutate.Number(422) })
				}
			})),
		fault("halves-as-bytes", "answer.json", "Half of a surrogate pair is shown as three bytes, which are no UTF-8.",
			handling(func(x *exchange, next func()) {
				next()
				x.Answer = halfKept.ReplaceAllFunc(x.Answer, func(half []byte) []byte {
					n, _ := strconv.ParseUint(string(half[len(halfMark):]), 16, 16)
					return []byte{0xe0 | byte(n>>12), 0x80 | byte(n>>6)&0x3f, 0x80 | byte(n)&0x3f} //nolint:gosec // the low bits are meant
				})
			}), keepingHalves()),
		fault("halves-break-lists", "list.accepted", "A list fails that holds a name with half of a surrogate pair.",
			handling(func(x *exchange, next func()) {
				if next(); x.is(listPets) && halfKept.Match(x.Answer) {
					x.fail(500, petstore.CodeInternal, "A name cannot be written.")
				}
			}), keepingHalves()),
		fault("halves-lose-category", "create.echo.categoryId", "An animal whose name contains half of a surrogate pair gets the category 0.",
			keepingHalves(), stored(func(p *petstore.NewPet) {
				if halfKept.MatchString(p.Name) {
					p.CategoryID = 0
				}
			})),
		fault("halves-lost", "get.kept", "An animal whose name contains half of a surrogate pair is created but not found.",
			keepingHalves(), getting(func(ctx context.Context, id int64, next petstore.Store) (petstore.Pet, error) {
				pet, err := next.Get(ctx, id)
				if err == nil && halfKept.MatchString(pet.Name) {
					return petstore.Pet{}, petstore.ErrNotFound
				}
				return pet, err
			})),
		fault("name-replacement-dropped", echo, "The replacement character is removed from names.",
			named(func(s string) string { return strings.ReplaceAll(s, replacement, "") })),
		fault("name-replacement-question", echo, "The replacement character becomes a question mark.",
			named(func(s string) string { return strings.ReplaceAll(s, replacement, "?") })),
		fault("name-replacement-fails", unusual, "A name with the replacement character is a server error.",
			handling(func(x *exchange, next func()) {
				if next(); x.is(createPet) && x.Status == 201 && strings.Contains(nameOfSent(x), replacement) {
					x.fail(500, petstore.CodeInternal, "The name is no text.")
				}
			})),
		fault("name-nul-trimmed", echo, "The null character is removed from both ends of a name.",
			named(func(s string) string { return strings.Trim(s, "\x00") })),
		fault("name-nul-cut-off", echo, "The null character at the end of a name is removed.",
			named(func(s string) string { return strings.TrimRight(s, "\x00") })),
	}
}

// edgeFaults returns faults at or just beyond one edge of the integers.
func edgeFaults() []Fault {
	const unusual, echo, beyond = "create.categoryId.unusual", "create.echo.categoryId", "create.categoryId.int64"
	failing := func(f func(n int64) bool) change {
		return disliking(500, func(_ string, sent map[string]any) bool { n, ok := numberIn(sent, "categoryId"); return ok && f(n) })
	}
	// accepting replaces integers outside int64 selected by f with another one.
	accepting := func(f func(n *big.Int) bool) change {
		return member("categoryId", func(v any, _ bool) (any, bool) {
			text, ok := v.(interface{ String() string })
			if !ok || len(text.String()) > 40 {
				return nil, false
			}
			n, ok := new(big.Int).SetString(text.String(), 10)
			return mutate.Number(1), ok && !n.IsInt64() && f(n)
		})
	}
	near := func(n *big.Int, to string) bool {
		edge, _ := new(big.Int).SetString(to, 10)
		d := new(big.Int).Sub(n, edge)
		return d.IsInt64() && d.Int64() >= -10 && d.Int64() <= 10
	}
	return []Fault{
		fault("category-at-2-31-fails", unusual, "The categoryId 2^31-1 is a server error.",
			failing(func(n int64) bool { return n == math.MaxInt32 })),
		fault("category-at-minus-2-31-fails", unusual, "The categoryId -2^31 is a server error.",
			failing(func(n int64) bool { return n == math.MinInt32 })),
		fault("category-at-2-53-fails", unusual, "The categoryId 2^53 is a server error.",
			failing(func(n int64) bool { return n == 1<<53 })),
		fault("category-below-minus-2-53-fails", unusual, "A categoryId of ten or more below -2^53 is a server error.",
			failing(func(n int64) bool { return n <= -(1<<53)-10 && n > math.MinInt64+10 })),
		fault("category-near-the-end-fails", unusual, "A categoryId from one to ten short of the greatest is a server error.",
			failing(func(n int64) bool { return n >= math.MaxInt64-10 && n < math.MaxInt64 })),
		fault("category-float-near-the-ends", echo, "A categoryId that is close to the ends of int64 goes through a float.",
			categorised(func(n int64) int64 {
				if n > math.MaxInt64-100 || n < math.MinInt64+100 {
					return float(n)
				}
				return n
			})),
		fault("category-odd-above-2-31", echo, "A categoryId that is just beyond 32 bits loses its last bit.",
			categorised(func(n int64) int64 {
				if n > math.MaxInt32+1 && n < 1<<32 {
					return n &^ 1
				}
				return n
			})),
		fault("accepts-category-above-2-63", beyond, "A categoryId that is one to ten above 2^63 is accepted.",
			accepting(func(n *big.Int) bool { return near(n, "9223372036854775813") && n.String() != "9223372036854775808" })),
		fault("accepts-category-below-minus-2-63", beyond, "A categoryId that is more than one below -2^63 is accepted.",
			accepting(func(n *big.Int) bool { return near(n, "-9223372036854775820") })),
		fault("accepts-category-2-64", beyond, "The categoryId 2^64 is accepted, as 0 is.",
			accepting(func(n *big.Int) bool { return n.String() == "18446744073709551616" })),
		fault("accepts-category-below-2-64", beyond, "A categoryId that is one below 2^64 is accepted, as -1 is.",
			accepting(func(n *big.Int) bool { return n.String() == "18446744073709551615" })),
		fault("accepts-category-minus-2-64", beyond, "A categoryId about -2^64 is accepted.",
			accepting(func(n *big.Int) bool { return near(n, "-18446744073709551616") })),
		fault("accepts-category-1e19", beyond, "A categoryId about 10^19 is accepted.",
			accepting(func(n *big.Int) bool { return near(n, "10000000000000000000") })),
		fault("accepts-category-minus-1e19", beyond, "A categoryId about -10^19 is accepted.",
			accepting(func(n *big.Int) bool { return near(n, "-10000000000000000000") })),
		fault("accepts-category-1e20", beyond, "A categoryId about 10^20 is accepted.",
			accepting(func(n *big.Int) bool { return near(n, "100000000000000000000") })),
		fault("accepts-category-minus-1e20", beyond, "A categoryId about -10^20 is accepted.",
			accepting(func(n *big.Int) bool { return near(n, "-100000000000000000000") })),
	}
}

// memberFaults take texts for a status that are nearly one.
func memberFaults() []Fault {
	const rule = "create.status.values"
	accepting := func(f func(text string, member petstore.Status) bool) change {
		return member("status", func(v any, _ bool) (any, bool) {
			text, ok := v.(string)
			if !ok || petstore.Status(text).Valid() {
				return nil, false
			}
			for _, one := range petstore.Statuses() {
				if f(text, one) {
					return string(one), true
				}
			}
			return nil, false
		})
	}
	differ := func(text string, member petstore.Status, at int) bool {
		return len(text) == len(member) && text[:at] == string(member[:at]) && text[at+1:] == string(member[at+1:])
	}
	all := []Fault{
		fault("accepts-status-after-sold", rule, "Whatever sorts after sold is taken for it.",
			accepting(func(text string, member petstore.Status) bool {
				return member == petstore.Sold && text > string(petstore.Sold)
			})),
		fault("accepts-status-in-between", rule, "What sorts between two statuses and is of the length of one is taken for it.",
			accepting(func(text string, member petstore.Status) bool {
				return len(text) == len(member) && text > string(petstore.Available) && text < string(petstore.Sold)
			})),
	}
	for _, one := range petstore.Statuses() {
		name, last := string(one), len(one)-1
		is := func(f func(text string) bool) change {
			return accepting(func(text string, member petstore.Status) bool { return member == one && f(text) })
		}
		all = append(all,
			fault("accepts-"+name+"-with-a-later-end", rule, "The status "+name+" may end in a letter that sorts after its last one.",
				is(func(text string) bool { return differ(text, one, last) && text > name })),
			fault("accepts-"+name+"-with-an-earlier-end", rule, "The status "+name+" may end in a letter that sorts before its last one.",
				is(func(text string) bool { return differ(text, one, last) && text < name })),
			fault("accepts-"+name+"-cut-short", rule, "The last letter of the status "+name+" may be missing.",
				is(func(text string) bool { return text == name[:last] })),
			fault("accepts-"+name+"-with-a-blank", rule, "A blank may follow the status "+name+".",
				is(func(text string) bool { return text == name+" " })),
			fault("accepts-"+name+"-after-a-blank", rule, "A blank may stand before the status "+name+".",
				is(func(text string) bool { return text == " "+name })),
			fault("accepts-"+name+"-in-capitals", rule, "The status "+name+" may be written in capitals.",
				is(func(text string) bool { return text == strings.ToUpper(name) })),
			fault("accepts-"+name+"-capitalised", rule, "The status "+name+" may begin with a capital.",
				is(func(text string) bool { return text == strings.ToUpper(name[:1])+name[1:] })),
		)
	}
	return all
}
