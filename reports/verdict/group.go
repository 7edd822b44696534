package verdict

import "slices"

// enoughGroup is the number of parts of a wider rule that must be broken in the same way before the wider rule counts as the cause. Two may
// be a coincidence.
const enoughGroup = 3

// unit is a broken rule in the tree of rules, or a family already found to have one cause.
type unit struct {
	lead    string
	defects []*defect
	family  bool
}

// families finds families among the rules broken by one kind of response.
type families struct {
	kind   string
	broken map[string][]*defect // defects of that kind, by rule
	kids   map[string][]string
	index  *Index
	// foreign reports whether no operation that returned this response is ever allowed to. Such a response does not depend on the request.
	foreign bool
}

// joinGroups merges parts of a wider rule that are broken in the same way: every kind of bad credential gets 403, every rejection is a 422,
// every 17th response is a 500 whatever the request. The nearest wider rule leads.
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

// climb finds families at a rule and below it, the narrowest first, so that a family deep in the tree stays narrow. It returns the broken
// units there, each family as one unit.
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
		// A rule that holds for every response is broken itself: the same requests got correct responses at other times. So the requests
		// were not the reason, unless one operation fails now and then.
		return []unit{{lead: id, defects: gather(all), family: true}}
	case len(own) > 0 && len(below) == 1 && k.general(own, below[0]):
		return []unit{{lead: id, defects: gather(all), family: true}}
	case len(own) > 0 && len(below) == 1:
		// The wider rule and just one part of it: the part is more precise.
		return []unit{{lead: below[0].lead, defects: gather(all), family: true}}
	case len(all) > 1 && k.foreign && !isServerError(k.kind) && k.oneOperation(all):
		// An operation returns a status that it never should. That is one defect, however few rules show it.
		return []unit{{lead: k.mostDefinite(all, id), defects: gather(all), family: true}}
	case len(all) < enoughGroup:
		return all
	case anyFamily(below) && !isServerError(k.kind) && !k.foreign && branches*2 < len(k.kids[id]):
		// A family explains itself. Other parts beside it that got the same status are more likely a second defect, unless most of the
		// wider rule is broken, as in a service that answers 200 to everything. This does not apply to statuses that are never correct: a
		// server that fails now and then fails on any request.
		return all
	}
	lead := id
	if k.foreign && k.oneOperation(all) {
		lead = k.mostDefinite(all, id)
	}
	return []unit{{lead: lead, defects: gather(all), family: true}}
}

// general reports whether a wider rule is broken for reasons of its own, and which part shows it is chance: it is broken much more often
// than its only broken part, and in several cases of that part.
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

// oneOperation reports whether all responses of this kind in units came from one operation.
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

// mostDefinite returns the unit that leads if one operation returns a status that it never should: among the units that allow the fewest
// other statuses, the one with most of the findings. It returns the wider rule if there is none.
func (k *families) mostDefinite(units []unit, wider string) string {
	fewest, total := 0, 0
	counts := make([]int, len(units))
	for i, u := range units {
		allowed, n := 0, 0
		for _, it := range k.itemsOf(u) {
			n++
			if it.allowed > 0 && (allowed == 0 || it.allowed < allowed) {
				allowed = it.allowed
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
	// Where other requests under a rule got correct responses, the cause lies in what the failing ones requested, and that rule names it.
	for i, u := range units {
		if k.absent(units[best]) && partly(u.lead, u.defects...) && !partly(units[best].lead, units[best].defects...) {
			best = i
		}
	}
	return units[best].lead
}

// absent reports whether all requests of a unit with this kind of response may have addressed a missing resource.
func (k *families) absent(u unit) bool {
	for _, it := range k.itemsOf(u) {
		if !it.absent {
			return false
		}
	}
	return true
}

// itemsOf returns the items of a unit with this kind of response. Several rules may share a defect: only the items of its rule are those of a
// unit that is not a family.
func (k *families) itemsOf(u unit) []*item {
	var all []*item
	for _, d := range u.defects {
		for _, it := range d.items {
			if answeredStatus(it) == k.kind && (u.family || it.Finding.Rule == u.lead) {
				all = append(all, it)
			}
		}
	}
	return all
}

// partly reports whether one of the defects breaks the rule, although the rule held for other requests for missing resources.
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

// withOutsiders adds the rules outside the tree that the same error broke to a family at the tree's root. Such an error, like a server
// error that any request may get, says nothing about those rules.
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

// wholly reports whether all items of a defect have this kind.
func (k *families) wholly(d *defect) bool {
	for _, it := range d.items {
		if answeredStatus(it) != k.kind {
			return false
		}
	}
	return true
}

// merge unites the defects of each family. Families that share a defect become one. So do families with the same leading rule that differ
// only in the status and break mostly the same parts: a service without its key check answers 200 here, 201 there.
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

// alike reports whether two families break mostly the same rules with responses of the same class.
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
