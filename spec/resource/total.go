package resource

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// Total is where a list shows how many items all of its pages have together.
type Total struct {
	// Header is the name of a response header; empty where a member of the body shows it.
	Header string
	// Path leads to the member of the body.
	Path []Step
	// Pointer is where the contract documents a header; empty for a member.
	Pointer string
}

var (
	totalHeaders = regexp.MustCompile(`(?i)^(x-)?(pagination-|page-|list-)?total(-(count|items|results|records|elements))?$`)
	totalMembers = regexp.MustCompile(`^(total(count|items|results|records|elements|entries|hits)?|totalnumberof(items|results|records|elements|entries)|(items|results|records)total)$`)
	// otherTotals matches descriptions of numbers that are no exact count of all items.
	otherTotals = regexp.MustCompile(`(?i)\b(this|current|each|per|returned|remaining|left|approximate(ly)?|approx|estimated?|at least|up to|capped|(number|count|total) of pages|total pages|price|cost|amount|sum)\b`)
)

// TotalOf returns where the list of an operation shows a total, by the names of headers and members; false if it shows none, or its
// description may speak of something else.
func TotalOf(op *spec.Operation) (Total, bool) {
	for _, answer := range op.Responses {
		if answer.Class() != 2 {
			continue
		}
		for _, h := range answer.Headers {
			if totalHeaders.MatchString(h.Name) && h.Schema != nil && h.Schema.Type == "integer" && !otherTotals.MatchString(h.Description+" "+h.Schema.Description) {
				return Total{Header: h.Name, Pointer: h.Pointer}, true
			}
		}
	}
	path := memberOf(op, func(p spec.Property) bool {
		return totalMembers.MatchString(plain(p.Name)) && p.Schema.Type == "integer" && !otherTotals.MatchString(p.Schema.Description)
	})
	return Total{Path: path}, path != nil
}

// Name is what the total is called.
func (t Total) Name() string {
	if t.Header != "" {
		return t.Header
	}
	return t.Path[len(t.Path)-1].Name
}

// Of returns the total that a response shows, 0 or more; false if it shows none.
func (t Total) Of(header http.Header, body any) (int64, bool) {
	if t.Header != "" {
		text := strings.TrimSpace(header.Get(t.Header))
		n, ok := spec.IntegerOf(text)
		return n, ok && text != "" && n >= 0
	}
	value, ok := alongPath(body, t.Path)
	number, is := value.(json.Number)
	if !ok || !is {
		return 0, false
	}
	text, whole := exactjson.CanonicalInt(number)
	n, fits := spec.IntegerOf(text)
	return n, whole && fits && n >= 0
}
