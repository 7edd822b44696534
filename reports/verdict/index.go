package verdict

import "github.com/hallmark-kit/hallmark/spec"

// Index answers questions about the catalogue: a rule's text, its position, and the wider rules it is part of.
type Index struct {
	rules []spec.Rule
	at    map[string]int
}

// NewIndex indexes rules by id. The first of several rules with the same id counts.
func NewIndex(rules []spec.Rule) *Index {
	b := &Index{rules: rules, at: make(map[string]int, len(rules))}
	for i, r := range rules {
		if _, twice := b.at[r.ID]; !twice {
			b.at[r.ID] = i
		}
	}
	return b
}

// Rule returns the rule with that id, or a rule with only the id if the catalogue lacks it.
func (b *Index) Rule(id string) (spec.Rule, bool) {
	i, known := b.at[id]
	if !known {
		return spec.Rule{ID: id}, false
	}
	return b.rules[i], true
}

// Order returns the rule's position in the catalogue, from 0. Unknown rules come last.
func (b *Index) Order(id string) int {
	if i, known := b.at[id]; known {
		return i
	}
	return len(b.rules)
}

// Path returns a rule and the wider rules around it up to the widest: [auth.missing auth.required answer.status]. A cycle ends the path;
// the catalogue's own tests find cycles.
func (b *Index) Path(id string) []string {
	var path []string
	seen := map[string]bool{}
	for id != "" && !seen[id] {
		seen[id] = true
		path = append(path, id)
		r, known := b.Rule(id)
		if !known {
			break
		}
		id = r.Within
	}
	return path
}

// depth returns the number of wider rules around a rule.
func (b *Index) depth(id string) int { return len(b.Path(id)) - 1 }

// Common returns the narrowest rule that contains or is each of the given rules, or "".
func (b *Index) Common(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	shared := b.Path(ids[0])
	for _, id := range ids[1:] {
		on := map[string]bool{}
		for _, p := range b.Path(id) {
			on[p] = true
		}
		for len(shared) > 0 && !on[shared[0]] {
			shared = shared[1:]
		}
	}
	if len(shared) == 0 {
		return ""
	}
	return shared[0]
}

// children returns the rules directly within each rule, in catalogue order. The key "" holds the roots.
func (b *Index) children() map[string][]string {
	kids := map[string][]string{}
	for i, r := range b.rules {
		if b.at[r.ID] != i {
			continue
		}
		parent := r.Within
		if _, known := b.at[parent]; !known || parent == r.ID {
			parent = ""
		}
		kids[parent] = append(kids[parent], r.ID)
	}
	return kids
}
