package generate

import (
	"math"
	"strconv"

	"pgregory.net/rapid"

	"hallmark/spec"
	_ "hallmark/steps/rapidenv" // rapid panics on variables of the environment that are no concern of a run
)

// Valid generates n valid bodies of an operation. plain holds the JSON texts of values that the target is known to take;
// seed is that of each body.
func Valid(op spec.Operation, plain map[string]string, n int, seed func(i int) int) []ValidBody {
	all := newDrafts(op, plain)
	out := make([]ValidBody, n)
	for i := range out {
		out[i] = all.generator(i).Example(seed(i))
	}
	return out
}

// drafts generates valid bodies by the schema of an operation's body.
type drafts struct {
	schema *spec.Schema
	// plain returns the JSON texts of values that the target is known to take.
	plain    map[string]string
	flavours []*rapid.Generator[affix]
}

func newDrafts(op spec.Operation, plain map[string]string) *drafts {
	return &drafts{schema: op.Body.Schema(), plain: plain, flavours: flavours()}
}

// generator makes the generator of the nth body. The alphabets take turns, so that each is tried; numbers are plain in
// every other body, since a service that refuses them never comes to the name. Every other time that the name is plain
// they are not: a service that refuses the unusual names would never come to them.
func (d *drafts) generator(n int) *rapid.Generator[ValidBody] {
	return rapid.Custom(func(t *rapid.T) ValidBody {
		out := ValidBody{escaped: rapid.Bool().Draw(t, "escaped"), reversed: rapid.Bool().Draw(t, "reversed")}
		for i := range d.schema.Properties {
			out.fields = append(out.fields, d.field(t, &d.schema.Properties[i], n))
		}
		return out
	})
}

func (d *drafts) field(t *rapid.T, p *spec.Property, n int) field {
	f := field{name: p.Name}
	s := p.Schema
	switch {
	case len(s.Enum) > 0:
		f.either = true
		f.plain = s.Enum[0]
		f.json = Evenly(s.Enum).Draw(t, p.Name)
	case s.Type == "string":
		f.text = true
		if s.MinLength == nil && s.MaxLength == nil {
			around := d.flavours[n%len(d.flavours)].Draw(t, p.Name)
			f.before, f.after = around.before, around.after
		}
	default:
		f.plain = d.plainValue(p)
		f.json = f.plain
		if s.Type == "integer" && (n%2 == 1 || len(d.flavours) > 0 && n%(2*len(d.flavours)) == 0) {
			f.json = strconv.FormatInt(integers(s, (n+1)/2).Draw(t, p.Name), 10)
		}
	}
	f.absent = !p.Required && rapid.Bool().Draw(t, p.Name+" is absent")
	return f
}

// plainValue is the JSON text of an inconspicuous value that is no text.
func (d *drafts) plainValue(p *spec.Property) string {
	return Plain(*p, d.plain, func() string { return sampleName })
}

// integers generates what a schema allows of int64. Services get different ranges wrong, so these take turns.
func integers(s *spec.Schema, turn int) *rapid.Generator[int64] {
	least, most := int64(math.MinInt64), int64(math.MaxInt64)
	if n, err := strconv.ParseInt(s.Minimum, 10, 64); err == nil {
		least = n
	}
	if n, err := strconv.ParseInt(s.Maximum, 10, 64); err == nil {
		most = n
	}
	ranges := []*rapid.Generator[int64]{
		// No float64 holds an odd number of this size.
		rapid.Map(rapid.Int64Range(1<<53, math.MaxInt64), func(n int64) int64 { return n | 1 }),
		rapid.Int64Range(1<<31, 1<<53),
		Evenly([]int64{math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, -1<<53 - 1}),
		Evenly([]int64{0, -1, 127, 128, 255, 256, 32767, 32768, 65535, 65536}),
		rapid.Int64Range(math.MinInt64, -1<<31-1),
		Evenly([]int64{1<<31 - 1, 1 << 31, -1 << 31, 1<<32 - 1, 1 << 32, 1<<53 - 1, 1<<53 + 1, 1 << 62}),
		rapid.Int64Range(least, most),
	}
	return rapid.Map(ranges[turn%len(ranges)], func(n int64) int64 { return min(max(n, least), most) })
}
