package petstore

import "cmp"

// Status is an animal's availability.
type Status string

// The three values of Status.
const (
	Available Status = "available"
	Pending   Status = "pending"
	Sold      Status = "sold"
)

// Statuses returns the three values of [Status], in the interface's order.
func Statuses() []Status { return []Status{Available, Pending, Sold} }

// Valid reports whether s is exactly one of the three values.
func (s Status) Valid() bool {
	return s == Available || s == Pending || s == Sold
}

// MaxName is the maximum length of a name, in bytes of UTF-8 after decoding: enough for 65,536 characters of any script.
const MaxName = 256 << 10

// NewPet is an animal without an identifier.
type NewPet struct {
	Name       string
	CategoryID int64
	Status     Status // empty if the client sent none
}

// WithDefaults returns p with defaults for what the client left out.
func (p NewPet) WithDefaults() NewPet {
	p.Status = cmp.Or(p.Status, Available)
	return p
}

// Pet is an animal of the catalogue.
type Pet struct {
	ID int64
	NewPet
}
