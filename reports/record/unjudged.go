package record

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Unjudged is a place of the contract by which values in responses could not be judged, and the reason.
type Unjudged struct {
	Remark
	// Values is the number of responses with such a value.
	Values int `json:"values"`
	// Rules lists the rules that this leaves undecided: they are not exercised.
	Rules []string `json:"rules,omitempty"`
}

// PlusUnjudged adds the unjudged places of another part of a run.
func PlusUnjudged(all, more []Unjudged) []Unjudged {
	all = slices.Clone(all)
	for _, one := range more {
		i := slices.IndexFunc(all, func(known Unjudged) bool { return known.Pointer == one.Pointer && known.Text == one.Text })
		if i < 0 {
			all = append(all, one)
			continue
		}
		all[i].Values += one.Values
		all[i].Operations = union(all[i].Operations, one.Operations)
		all[i].Rules = union(all[i].Rules, one.Rules)
	}
	return all
}

// union returns the sorted elements of both lists.
func union(x, y []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(x, y))))
}

// Words says what was not judged, and where in the contract: "line 12: the schema cannot be judged by".
func (u *Unjudged) Words() string {
	where := u.Pointer
	if u.Line > 0 {
		where = "line " + strconv.Itoa(u.Line)
	}
	return strings.TrimPrefix(where+": "+text.Elide(u.Text, reasonShown), ": ")
}

// placesNamed is the maximum number of places named in a sentence, reasonShown the maximum length of each reason in characters.
const placesNamed, reasonShown = 3, 100

// UnjudgedWords says in one line how many values could not be judged, and by which places of the contract, the most frequent first. It is
// empty if there are none.
func (rec *Record) UnjudgedWords() string {
	if len(rec.Unjudged) == 0 {
		return ""
	}
	all, values := slices.Clone(rec.Unjudged), 0
	for _, one := range all {
		values += one.Values
	}
	slices.SortStableFunc(all, func(a, b Unjudged) int { return cmp.Compare(b.Values, a.Values) })
	var places []string
	for _, one := range all[:min(len(all), placesNamed)] {
		where := one.Pointer
		if one.Line > 0 {
			where = "line " + strconv.Itoa(one.Line)
		}
		places = append(places, strings.TrimSpace(where+" ("+text.Elide(one.Text, reasonShown)+")"))
	}
	if n := len(all) - placesNamed; n > 0 {
		places = append(places, text.Count(n, "more place"))
	}
	return text.Count(values, "value") + " in responses could not be judged, by the contract at " + strings.Join(places, "; ")
}
