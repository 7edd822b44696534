package record

import (
	"cmp"
	"maps"
	"slices"
)

// Traffic says what was judged of exchanges that others made, if the record is of those rather than of a run.
type Traffic struct {
	// Source names the recording, or the service behind the proxy.
	Source string `json:"source"`
	// Seen is the number of exchanges, Judged that of those that were judged, at least by their status.
	Seen   int `json:"seen"`
	Judged int `json:"judged"`
	// Outside counts exchanges for no operation of the contract, by method and path, Hosts those with other hosts, and NotJudged those that
	// could not be judged, or only in part, by reason. The most frequent come first.
	Outside   []Tallied `json:"outside,omitempty"`
	Hosts     []Tallied `json:"hosts,omitempty"`
	NotJudged []Tallied `json:"notJudged,omitempty"`
	// Unseen lists the operations of the contract without an exchange, Succeeded those with a success, in the order of the contract.
	Unseen    []string `json:"unseen,omitempty"`
	Succeeded []string `json:"succeeded,omitempty"`
	// More counts the findings that are not in the record, by rule: it keeps a few of each kind.
	More []Tallied `json:"more,omitempty"`
	// Forgotten is the number of exchanges that later ones were not compared with any more: only so many are remembered.
	Forgotten int `json:"forgotten,omitempty"`
}

// Tallied is a number of exchanges.
type Tallied struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Total returns the sum of the counts.
func Total(all []Tallied) int {
	n := 0
	for _, one := range all {
		n += one.Count
	}
	return n
}

// Counted returns counts by name, the largest first.
func Counted[Name ~string](by map[Name]int) []Tallied {
	var all []Tallied
	for name, n := range maps.All(by) {
		all = append(all, Tallied{string(name), n})
	}
	slices.SortFunc(all, func(a, b Tallied) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	return all
}
