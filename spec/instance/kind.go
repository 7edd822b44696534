package instance

import "slices"

// Variation says what an instance is about.
type Variation string

// The kinds of valid instances. Kinds that package derive has too are named as there.
const (
	// Example: an example or a default of the document.
	Example Variation = "example"
	// Smallest: only the required members, everything as short as possible.
	Smallest Variation = "smallest"
	// Full: all optional members.
	Full Variation = "full"
	// Variant: one branch of oneOf or anyOf, one value of a discriminator, or a value that satisfies or violates if.
	Variant Variation = "variant"
	// Member: one value of an enum, or one of the booleans.
	Member Variation = "member"
	// Inside: a value, length or count at its bound.
	Inside Variation = "inside"
	// OptionalLeftOut and OptionalAdded: an optional member is missing, or present.
	OptionalLeftOut Variation = "optional-left-out"
	OptionalAdded   Variation = "optional-added"
	// Nullable: null where it is allowed.
	Nullable Variation = "nullable"
	// Int64Extreme: a value at the limits of the format.
	Int64Extreme Variation = "int64-extreme"
)

// The kinds of invalid instances.
const (
	// LeftOut: a required member is left out.
	LeftOut Variation = "left-out"
	// Type: a value of another JSON type.
	Type Variation = "type"
	// NotMember: a value outside an enum or a const.
	NotMember Variation = "not-member"
	// Excluded: a value that not excludes.
	Excluded Variation = "excluded"
	// Outside: a value, length or count just beyond its bound.
	Outside Variation = "outside"
	// Null: null where it is not allowed.
	Null Variation = "null"
	// Pattern: a text that the pattern does not match.
	Pattern Variation = "pattern"
	// Format: a text that is not of the format.
	Format Variation = "format"
	// Fraction: a fraction where an integer is documented.
	Fraction Variation = "fraction"
	// BeyondFormat: a number that the format cannot hold.
	BeyondFormat Variation = "beyond-format"
	// NotMultiple: a number that is no multiple.
	NotMultiple Variation = "not-multiple"
	// Duplicate: an item twice in an array of unique items.
	Duplicate Variation = "duplicate-item"
	// Unknown: a member that the schema does not allow.
	Unknown Variation = "unknown-member"
	// NoVariant: a value that no branch of oneOf or anyOf allows.
	NoVariant Variation = "no-variant"
	// Discriminator: a discriminator value without a schema.
	Discriminator Variation = "discriminator"
)

// validKinds returns the kinds of valid instances, the most valuable first: those most likely to be accepted, then
// those most likely to be refused by mistake.
func validKinds() []Variation {
	return []Variation{Example, Smallest, Full, Variant, Member, Inside, OptionalLeftOut, OptionalAdded, Nullable, Int64Extreme}
}

// invalidKinds returns the kinds of invalid instances, the most valuable first: what services check for most often.
func invalidKinds() []Variation {
	return []Variation{
		LeftOut, Type, NoVariant, Discriminator, NotMember, Excluded, Outside, Null, Pattern, Format, Fraction, BeyondFormat, NotMultiple, Duplicate,
		Unknown,
	}
}

// rank returns the position of a kind in validKinds or invalidKinds.
func (k Variation) rank() int {
	if i := slices.Index(validKinds(), k); i >= 0 {
		return i
	}
	return slices.Index(invalidKinds(), k)
}
