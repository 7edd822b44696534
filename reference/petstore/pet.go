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

// Statuses are the three values of [Status], in the interface's order.
func Statuses() []Status { return []Status{Available, Pending, Sold} }

// Valid reports whether s is one of the three values, letter for letter.
func (s Status) Valid() bool {
	return s == Available || s == Pending || s == Sold
}

// MaxName is the longest name the service accepts, in bytes of UTF-8 after decoding: enough for 65,536 characters of
// any script.
const MaxName = 256 << 10

// NewPet is an animal that has no identifier yet.
type NewPet struct {
	Name       string
	CategoryID int64
	Status     Status // empty when the client gave none
}

// WithDefaults fills in what the client left out.
func (p NewPet) WithDefaults() NewPet {
	p.Status = cmp.Or(p.Status, Available)
	return p
}

// Pet is an animal of the catalogue.
type Pet struct {
	ID int64
	NewPet
}
