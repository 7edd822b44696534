package instance

import "slices"

// Kind says what an instance is about.
type Kind string

// The kinds of valid instances. Kinds that package derive has too are named as there.
const (
	// Example: an example or a default of the document.
	Example Kind = "example"
	// Smallest: only the required members, everything as short as possible.
	Smallest Kind = "smallest"
	// Full: all optional members.
	Full Kind = "full"
	// Variant: one branch of oneOf or anyOf, one value of a discriminator, or a value that satisfies or violates if.
	Variant Kind = "variant"
	// Member: one value of an enum, or one of the booleans.
	Member Kind = "member"
	// Inside: a value, length or count at its bound.
	Inside Kind = "inside"
	// OptionalLeftOut and OptionalAdded: an optional member is missing, or present.
	OptionalLeftOut Kind = "optional-left-out"
	OptionalAdded   Kind = "optional-added"
	// Nullable: null where it is allowed.
	Nullable Kind = "nullable"
	// Int64Extreme: a value at the limits of the format.
	Int64Extreme Kind = "int64-extreme"
)

// The kinds of invalid instances.
const (
	// LeftOut: a required member is left out.
	LeftOut Kind = "left-out"
	// Type: a value of another JSON type.
	Type Kind = "type"
	// NotMember: a value outside an enum or a const.
	NotMember Kind = "not-member"
	// Excluded: a value that not excludes.
	Excluded Kind = "excluded"
	// Outside: a value, length or count just beyond its bound.
	Outside Kind = "outside"
	// Null: null where it is not allowed.
	Null Kind = "null"
	// Pattern: a text that the pattern does not match.
	Pattern Kind = "pattern"
	// Format: a text that is not of the format.
	Format Kind = "format"
	// Fraction: a fraction where an integer is documented.
	Fraction Kind = "fraction"
	// BeyondFormat: a number that the format cannot hold.
	BeyondFormat Kind = "beyond-format"
	// NotMultiple: a number that is no multiple.
	NotMultiple Kind = "not-multiple"
	// Duplicate: an item twice in an array of unique items.
	Duplicate Kind = "duplicate-item"
	// Unknown: a member that the schema does not allow.
	Unknown Kind = "unknown-member"
	// NoVariant: a value that no branch of oneOf or anyOf allows.
	NoVariant Kind = "no-variant"
	// Discriminator: a discriminator value without a schema.
	Discriminator Kind = "discriminator"
)

// validKinds returns the kinds of valid instances, the most valuable first: those most likely to be accepted, then
// those most likely to be refused by mistake.
func validKinds() []Kind {
	return []Kind{Example, Smallest, Full, Variant, Member, Inside, OptionalLeftOut, OptionalAdded, Nullable, Int64Extreme}
}

// invalidKinds returns the kinds of invalid instances, the most valuable first: what services check for most often.
func invalidKinds() []Kind {
	return []Kind{
		LeftOut, Type, NoVariant, Discriminator, NotMember, Excluded, Outside, Null, Pattern, Format, Fraction, BeyondFormat, NotMultiple, Duplicate,
		Unknown,
	}
}

// rank returns the position of a kind in validKinds or invalidKinds.
func (k Kind) rank() int {
	if i := slices.Index(validKinds(), k); i >= 0 {
		return i
	}
	return slices.Index(invalidKinds(), k)
}
