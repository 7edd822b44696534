package record

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hallmark/internal/text"
)

// Unjudged is a place of the contract by which values in responses could not be judged, and why.
type Unjudged struct {
	Remark
	// Values counts the responses with such a value.
	Values int `json:"values"`
	// Rules are the rules that this leaves open: they are not exercised.
	Rules []string `json:"rules,omitempty"`
}

// PlusUnjudged adds what could not be judged in another part of a run.
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

// union returns the elements of both lists, sorted.
func union(x, y []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(x, y))))
}

// Words say what was not judged, and where in the contract: "line 12: the schema cannot be judged by".
func (u *Unjudged) Words() string {
	where := u.Pointer
	if u.Line > 0 {
		where = "line " + strconv.Itoa(u.Line)
	}
	return strings.TrimPrefix(where+": "+text.Elide(u.Text, reasonShown), ": ")
}

// placesNamed is how many places a sentence names, reasonShown how much of each reason, in characters.
const placesNamed, reasonShown = 3, 100

// UnjudgedWords says in one line how many values could not be judged, and by which places of the contract, those
// met most often; empty for none.
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
