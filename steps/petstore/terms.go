package petstore

import (
	"fmt"
	"slices"
	"strconv"

	"hallmark/internal/text"
	"hallmark/spec"
)

// propertyOf returns the schema of a property; nil when there is none.
func propertyOf(s *spec.Schema, name string) *spec.Schema {
	if s == nil {
		return nil
	}
	if p := s.Property(name); p != nil {
		return p.Schema
	}
	return nil
}

// Terms is what the contract says of the numbers and words that the steps about animals ask and judge by.
type Terms struct {
	// Limit and status are the parameters of listPets; nil when the contract has none of that name.
	limit, status *spec.Parameter
	// created is the schema of a new animal's status, shown that of a listed one's; nil when the contract has none.
	created, shown *spec.Schema
	// pets is the schema of a list; nil when the contract has none.
	pets *spec.Schema
	// Listed, added and found are the statuses by which listPets, createPet and getPet succeed.
	Listed, Added, Found int
}

// maxWhole bounds the limit by which lists of the whole store are asked for, where the contract allows more.
const maxWhole = 1000

// TermsOf reads the terms of a contract.
func TermsOf(c *spec.Contract) Terms {
	t := Terms{Listed: 200, Added: 201, Found: 200}
	if op, ok := c.Operation("listPets"); ok {
		for i := range op.Parameters {
			p := &op.Parameters[i]
			switch {
			case p.In != "query" || p.Schema == nil:
			case p.Name == "limit":
				t.limit = p
			case p.Name == "status":
				t.status = p
			}
		}
		t.Listed = op.Success(t.Listed)
		if a := op.ResponseFor(t.Listed); a != nil && a.Schema() != nil {
			t.pets = a.Schema()
			t.shown = propertyOf(t.pets.Item(), "status")
		}
	}
	if op, ok := c.Operation("createPet"); ok {
		t.Added = op.Success(t.Added)
		if op.Body != nil {
			t.created = propertyOf(op.Body.Schema(), "status")
		}
	}
	if op, ok := c.Operation("getPet"); ok {
		t.Found = op.Success(t.Found)
	}
	return t
}

// IsFilter reports whether lists may be filtered by a status.
func (t Terms) IsFilter(status string) bool {
	return t.status != nil && t.status.Allows(status)
}

// Filters returns the statuses that lists can be filtered by; none when the contract does not enumerate them.
func (t Terms) Filters() []string {
	if t.status == nil {
		return nil
	}
	return t.status.Schema.Members()
}

// Statuses returns those that an animal can be created with, in the order of the contract.
func (t Terms) Statuses() []string {
	if t.created == nil {
		return nil
	}
	return t.created.Members()
}

// PlainStatus returns the first of them; empty when there is none.
func (t Terms) PlainStatus() string {
	if all := t.Statuses(); len(all) > 0 {
		return all[0]
	}
	return ""
}

// IsStatus reports whether an animal may be shown with a status.
func (t Terms) IsStatus(text string) bool {
	return t.shown != nil && (len(t.shown.Enum) == 0 || slices.Contains(t.shown.Members(), text))
}

// Standard returns the limit that stands for a missing one; false when the contract says none.
func (t Terms) Standard() (int64, bool) {
	if t.limit == nil {
		return 0, false
	}
	return spec.IntegerOf(t.limit.Schema.Default)
}

// least returns the smallest limit that can be asked for.
func (t Terms) least() int64 {
	if t.limit == nil {
		return 1
	}
	n, ok := spec.IntegerOf(t.limit.Schema.Minimum)
	if !ok || n < 1 {
		return 1
	}
	return n
}

// greatest returns the largest limit that can be asked for; false when the contract sets no bound.
func (t Terms) greatest() (int64, bool) {
	if t.limit == nil {
		return 0, false
	}
	return spec.IntegerOf(t.limit.Schema.Maximum)
}

// longest returns how many animals a list may hold at most; false when the contract sets no bound.
func (t Terms) longest() (int64, bool) {
	if t.pets == nil || t.pets.MaxItems == nil {
		return 0, false
	}
	return *t.pets.MaxItems, true
}

// Whole returns the limit by which lists of the whole store are asked for: the text of the parameter, empty to leave it
// out, and the length below which such a list proves that it holds everything. A length of 0 proves nothing.
func (t Terms) Whole() (limit string, below int) {
	n := int64(maxWhole)
	if most, ok := t.longest(); ok {
		n = min(n, most)
	}
	if t.limit == nil {
		if _, ok := t.longest(); !ok {
			return "", 0 // nobody knows how long a page is
		}
		return "", int(n)
	}
	if most, ok := t.greatest(); ok {
		n = min(n, most)
	}
	n = max(n, t.least())
	return strconv.FormatInt(n, 10), int(n)
}

// Number returns what the features call "the greatest limit", "the default limit" and what "a list may hold"; false when the contract does not say.
func (t Terms) Number(words string) (n int64, ok bool) {
	switch words {
	case "the greatest limit":
		n, ok = t.greatest()
	case "the default limit":
		n, ok = t.Standard()
	case "a list may hold":
		n, ok = t.longest()
	}
	return n, ok
}

// Shortest is the query of the shortest list.
func (t Terms) Shortest() string {
	if t.limit == nil {
		return ""
	}
	return "limit=" + strconv.FormatInt(t.least(), 10)
}

// Refuses reports whether a status says that a creation was refused and has stored nothing.
func Refuses(status int) bool { return status == 400 || status == 401 }

// AllLists returns the statuses of the lists that an animal could show in: none, and each that lists can be filtered by.
func (t Terms) AllLists() []string { return append([]string{""}, t.Filters()...) }

// NotWhole says why no list holds the whole store; when is added to the number of animals.
func (t Terms) NotWhole(when string) string {
	if _, below := t.Whole(); below > 0 {
		return fmt.Sprintf("the store holds %s or more%s, so that a list proves no absence", text.Count(below, "animal"), when)
	}
	return "the contract does not say how long a list may be, so that a list proves no absence"
}
