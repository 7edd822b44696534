package verdict

import "slices"

// enoughGroup is how many parts of a wider rule must be broken in the same way before the wider rule counts as the
// cause. Two may be a coincidence.
const enoughGroup = 3

// unit is something broken in the tree of rules: one rule, or a family already found to have one cause.
type unit struct {
	lead    string
	defects []*defect
	family  bool
}

// families looks for families among the rules that got one kind of response.
type families struct {
	kind   string
	broken map[string][]*defect // rule → its defects of that kind
	kids   map[string][]string
	index  *Index
	// foreign reports whether no operation that gave this response is ever allowed to: such a response has nothing to
	// do with the request.
	foreign bool
}

// joinGroups makes one defect of the parts of a wider rule that are broken in the same way: every kind of bad
// credential gets 403, every refusal is a 422, every 17th response is a 500 whatever the request. The nearest
// wider rule leads.
func joinGroups(defects []*defect, b *Index) []*defect {
	kids := b.children()
	var kinds []string
	by := map[string]*families{}
	for _, d := range defects {
		for _, it := range d.items {
			kind := answeredStatus(it)
			if kind == "" {
				continue
			}
			k := by[kind]
			if k == nil {
				k = &families{kind: kind, broken: map[string][]*defect{}, kids: kids, index: b, foreign: true}
				by[kind] = k
				kinds = append(kinds, kind)
			}
			k.foreign = k.foreign && it.foreign
			if list := k.broken[it.Finding.Rule]; len(list) == 0 || list[len(list)-1] != d {
				k.broken[it.Finding.Rule] = append(list, d)
			}
		}
	}
	var families []unit
	for _, kind := range kinds {
		for _, root := range kids[""] {
			for _, u := range by[kind].climb(root) {
				if u.family {
					families = append(families, by[kind].withOutsiders(u, root, defects))
				}
			}
		}
	}
	return merge(defects, families, b)
}

// climb looks for families at a rule and below, the narrowest first, so that a family found deep in the tree stays
// that narrow. It returns what is broken there, with each family as one unit.
func (k *families) climb(id string) []unit {
	var below []unit
	branches := 0
	for _, kid := range k.kids[id] {
		units := k.climb(kid)
		if len(units) > 0 {
			branches++
		}
		below = append(below, units...)
	}
	own := k.broken[id]
	all := below
	if len(own) > 0 {
		all = append([]unit{{lead: id, defects: own}}, below...)
	}
	wider, _ := k.index.Rule(id)
	switch {
	case len(own) > 0 && len(below) > 0 && k.foreign && wider.Always && !k.oneOperation(all):
		// A rule that holds for every response is broken itself: the same requests got right responses at another time.
		// So the requests were not the reason, unless one operation fails now and then.
		return []unit{{lead: id, defects: gather(all), family: true}}
	case len(own) > 0 && len(below) == 1 && k.general(own, below[0]):
		return []unit{{lead: id, defects: gather(all), family: true}}
	case len(own) > 0 && len(below) == 1:
		// The wider rule and just one part of it: the part says it more precisely.
		return []unit{{lead: below[0].lead, defects: gather(all), family: true}}
	case len(all) > 1 && k.foreign && !isServerError(k.kind) && k.oneOperation(all):
		// An operation answers with a status that it never should: that is one defect, however few rules show it.
		return []unit{{lead: k.mostDefinite(all, id), defects: gather(all), family: true}}
	case len(all) < enoughGroup:
		return all
	case anyFamily(below) && !isServerError(k.kind) && !k.foreign && branches*2 < len(k.kids[id]):
		// A family explains itself. Other parts beside it that got the same status are more likely a second defect,
		// unless most of the wider rule is broken: a service that answers 200 to everything. This caution does not apply
		// to statuses that are never right: a server that fails now and then fails on any request.
		return all
	}
	lead := id
	if k.foreign && k.oneOperation(all) {
		lead = k.mostDefinite(all, id)
	}
	return []unit{{lead: lead, defects: gather(all), family: true}}
}

// general reports whether a wider rule is broken for reasons of its own, and it is chance which of its parts shows
// it: it is broken much more often than its only broken part, and in more than one of the part's cases.
func (k *families) general(own []*defect, part unit) bool {
	const muchMore = 10
	n, parts, scenarios := 0, 0, map[int]bool{}
	for _, d := range slices.Concat(own, part.defects) {
		for _, it := range d.items {
			switch {
			case answeredStatus(it) != k.kind:
			case it.rule.ID == part.lead:
				parts++
				scenarios[it.scenario] = true
			default:
				n++
			}
		}
	}
	return len(scenarios) > 1 && n > muchMore*parts
}

// oneOperation reports whether all responses of this kind in some units came from one operation.
func (k *families) oneOperation(units []unit) bool {
	operation, first := "", true
	for _, d := range gather(units) {
		for _, it := range d.items {
			if answeredStatus(it) != k.kind {
				continue
			}
			if !first && it.operation != operation {
				return false
			}
			operation, first = it.operation, false
		}
	}
	return operation != ""
}

// mostDefinite picks the unit to lead when one operation answers with a status that it never should: of the units
// that allow the fewest other statuses, the one with most of the findings; the wider rule if there is none.
func (k *families) mostDefinite(units []unit, wider string) string {
	fewest, total := 0, 0
	counts := make([]int, len(units))
	for i, u := range units {
		allowed, n := 0, 0
		for _, d := range u.defects {
			for _, it := range d.items {
				if answeredStatus(it) == k.kind {
					n++
					if it.allowed > 0 && (allowed == 0 || it.allowed < allowed) {
						allowed = it.allowed
					}
				}
			}
		}
		switch {
		case fewest == 0 || allowed < fewest:
			clear(counts)
			fewest, total = allowed, n
		case allowed > fewest:
			continue
		default:
			total += n
		}
		counts[i] = n
	}
	var leads []string
	for i, n := range counts {
		if n > 0 {
			leads = append(leads, units[i].lead)
		}
	}
	if common := k.index.Common(leads); len(leads) >= enoughGroup && (common != wider && common != "" || slices.Contains(leads, wider)) {
		return common // how often each of them shows says nothing
	}
	best := -1
	for i, n := range counts {
		if n*2 > total {
			best = i
		}
	}
	if best < 0 {
		return wider
	}
	// Where other requests under a rule got right responses, the cause lies in what the failing ones asked for, and
	// that rule says so.
	for i, u := range units {
		if k.absent(units[best]) && partly(u.lead, u.defects...) && !partly(units[best].lead, units[best].defects...) {
			best = i
		}
	}
	return units[best].lead
}

// absent reports whether everything that a unit's responses of this kind were asked for might not exist.
func (k *families) absent(u unit) bool {
	for _, d := range u.defects {
		for _, it := range d.items {
			if answeredStatus(it) == k.kind && !it.absent {
				return false
			}
		}
	}
	return true
}

// partly reports whether one of the defects has the rule, and it held for other requests for something that does not exist.
func partly(rule string, defects ...*defect) bool {
	return slices.ContainsFunc(defects, func(d *defect) bool {
		return slices.ContainsFunc(d.items, func(it *item) bool { return it.rule.ID == rule && it.partly && it.absent })
	})
}

func gather(units []unit) []*defect {
	var all []*defect
	for _, u := range units {
		all = append(all, u.defects...)
	}
	return all
}

func anyFamily(units []unit) bool {
	for _, u := range units {
		if u.family {
			return true
		}
	}
	return false
}

// withOutsiders adds to a family at the root of a tree (a server error that any request may get) the rules outside
// the tree that the same error broke: the reason is not a rule of their own.
func (k *families) withOutsiders(u unit, root string, all []*defect) unit {
	if u.lead != root || !isServerError(k.kind) && !k.foreign {
		return u
	}
	for _, d := range all {
		if k.wholly(d) {
			u.defects = append(u.defects, d)
		}
	}
	return u
}

// wholly reports whether all of a defect is of this kind.
func (k *families) wholly(d *defect) bool {
	for _, it := range d.items {
		if answeredStatus(it) != k.kind {
			return false
		}
	}
	return true
}

// merge unites the defects of each family. Families that share a defect become one, and so do families with the
// same leading rule that differ only in the status and break mostly the same parts: without its key check a
// service answers 200 here, 201 there.
func merge(defects []*defect, families []unit, b *Index) []*defect {
	home := newUnionFind(len(defects))
	at := make(map[*defect]int, len(defects))
	for i, d := range defects {
		at[d] = i
	}
	for _, f := range families {
		for _, d := range f.defects[1:] {
			home.join(at[f.defects[0]], at[d])
		}
	}
	for i, f := range families {
		for _, g := range families[:i] {
			if f.lead == g.lead && alike(f, g) {
				home.join(at[f.defects[0]], at[g.defects[0]])
			}
		}
	}
	leads := map[int][]string{}
	for _, f := range families {
		root := home.find(at[f.defects[0]])
		leads[root] = append(leads[root], f.lead)
	}
	var merged []*defect
	into := map[int]*defect{}
	for i, d := range defects {
		root := home.find(i)
		if into[root] == nil {
			into[root] = &defect{lead: d.lead}
			merged = append(merged, into[root])
		}
		into[root].items = append(into[root].items, d.items...)
	}
	for root, ids := range leads {
		lead := b.Common(ids)
		if lead == "" {
			lead = leading(into[root].items, b)
		}
		into[root].lead = lead
	}
	return merged
}

// alike reports whether two families break mostly the same rules with responses of the same sort.
func alike(f, g unit) bool {
	ours, theirs := rulesOf(f), rulesOf(g)
	both := 0
	for id := range ours {
		if theirs[id] {
			both++
		}
	}
	return both*2 >= min(len(ours), len(theirs)) && serverErrors(f) == serverErrors(g)
}

func rulesOf(u unit) map[string]bool {
	ids := map[string]bool{}
	for _, d := range u.defects {
		for _, it := range d.items {
			ids[it.Finding.Rule] = true
		}
	}
	return ids
}

func serverErrors(u unit) bool {
	return isServerError(answeredStatus(u.defects[0].items[0]))
}
