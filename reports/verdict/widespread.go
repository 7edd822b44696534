package verdict

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// joinWidespread merges defects that share so much that one reason in the target explains them: first those of one operation, such as the
// members that one object lacks, then those of several operations that share a component of the contract, a header, a status or the form of
// their responses. The operation that writes leads, not those that only show what it wrote.
func joinWidespread(defects []*defect, b *Index, g *ExchangeIndex) []*defect {
	w := widespread{index: b, bodies: newBodies(g), refusals: refusalsOf(b, g)}
	defects = w.merge(defects, w.withinOperation)
	return w.merge(defects, w.acrossOperations)
}

// widespread finds what defects share.
type widespread struct {
	index *Index
	*bodies
	// refusals holds how the requests were answered that had to be refused, or that no server may fail on.
	refusals map[string]*refusals
}

// refusals counts the responses of one operation to bad requests: all of them, and those with each wrong status.
type refusals struct {
	all   int
	wrong map[int]int
}

// mostRefusals is how many of the requests that an operation has to refuse must get the same wrong status before the operation counts as
// one that refuses nothing, in percent: unknown members and a few others may be refused elsewhere.
const mostRefusals = 90

func refusalsOf(b *Index, g *ExchangeIndex) map[string]*refusals {
	all := map[string]*refusals{}
	refused := func(status int) bool {
		return status/100 == 4 && status != http.StatusUnauthorized && status != http.StatusForbidden && status != http.StatusNotFound
	}
	for _, ex := range g.by {
		if ex.Response == nil || ex.Operation == "" {
			continue
		}
		expected, _ := b.Rule(ex.Expect.Rule)
		wrong := ex.Response.Status/100 == 5
		if kindOfRule(expected) != promise.Robust {
			if len(ex.Expect.Statuses) == 0 || slices.ContainsFunc(ex.Expect.Statuses, func(status int) bool { return !refused(status) }) {
				continue
			}
			wrong = !slices.Contains(ex.Expect.Statuses, ex.Response.Status)
		}
		r := all[ex.Operation]
		if r == nil {
			r = &refusals{wrong: map[int]int{}}
			all[ex.Operation] = r
		}
		if r.all++; wrong {
			r.wrong[ex.Response.Status]++
		}
	}
	return all
}

// refusesNothing reports whether an operation gives a status to nearly all requests that it has to refuse.
func (w *widespread) refusesNothing(operation string, status int) bool {
	r := w.refusals[operation]
	return r != nil && r.wrong[status] >= enoughGroup && r.wrong[status]*100 >= r.all*mostRefusals
}

// trait is something that defects have in common.
type trait struct {
	key string
	// variant distinguishes the defects with this trait, of which there must be at least the given number: two may be a coincidence, unless
	// the contract says that it is the same.
	variant string
	least   int
}

// merge unites defects with a common trait. A must rule is never united with a should rule.
func (w *widespread) merge(defects []*defect, traits func(d *defect) []trait) []*defect {
	type group struct {
		members  []int
		variants map[string]bool
		least    int
	}
	groups := map[string]*group{}
	for i, d := range defects {
		r, _ := w.index.Rule(d.lead)
		for _, t := range traits(d) {
			key := strconv.Itoa(LevelRank(r.Level)) + " " + t.key
			if groups[key] == nil {
				groups[key] = &group{variants: map[string]bool{}, least: t.least}
			}
			group := groups[key]
			group.members, group.variants[t.variant] = append(group.members, i), true
		}
	}
	home := newUnionFind(len(defects))
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		if group := groups[key]; len(group.variants) >= group.least {
			for _, i := range group.members[1:] {
				home.join(group.members[0], i)
			}
		}
	}
	united := map[int][]*defect{}
	for i, d := range defects {
		united[home.find(i)] = append(united[home.find(i)], d)
	}
	var all []*defect
	for i := range defects {
		if parts := united[home.find(i)]; parts != nil {
			all = append(all, w.unite(parts))
			delete(united, home.find(i))
		}
	}
	return all
}

// unite makes one defect of several.
func (w *widespread) unite(parts []*defect) *defect {
	lead := parts[0]
	for _, d := range parts[1:] {
		if w.leads(d, lead) {
			lead = d
		}
	}
	one := &defect{lead: lead.lead}
	for _, d := range parts {
		one.items = append(one.items, d.items...)
	}
	return one
}

// leads reports whether a defect leads another one with which it was united: one that no credential is needed, one that is shown by a write,
// then the one with more findings.
func (w *widespread) leads(d, other *defect) bool {
	if x, y := w.isOpen(d), w.isOpen(other); x != y {
		return x
	}
	if x, y := w.writes(d), w.writes(other); x != y {
		return x
	}
	return leads(w.index, d.lead, len(d.items), other.lead, len(other.items))
}

// writes reports whether the leading rule of a defect is broken by successes of an operation that writes: what it wrote, others may show.
func (w *widespread) writes(d *defect) bool {
	for it := range own(d) {
		ex := w.exchanges.by[it.at]
		if ex != nil && isSuccess(it) && slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, ex.Request.Method) {
			return true
		}
	}
	return false
}

// isOpen reports whether the leading rule of a defect says that requests without credentials are rejected.
func (w *widespread) isOpen(d *defect) bool {
	r, _ := w.index.Rule(d.lead)
	return kindOfRule(r) == promise.CredentialMissing
}

// own yields the findings about a defect's leading rule that follow from no other finding.
func own(d *defect) func(yield func(*item) bool) {
	return func(yield func(*item) bool) {
		for _, it := range d.items {
			if it.rule.ID == d.lead && !it.later && !yield(it) {
				return
			}
		}
	}
}

// kindOfRule returns the kind of promise that a derived rule of one operation is about, or "" for another rule.
func kindOfRule(r spec.Rule) promise.Kind {
	if len(r.Operations) != 1 || len(r.Cases) != 1 {
		return ""
	}
	return promise.Kind(r.Cases[0])
}

// isRefusal reports whether rules of a kind are about bad requests.
func isRefusal(kind promise.Kind) bool {
	return kind == promise.Robust || strings.HasPrefix(string(kind), "refused.")
}

// withinOperation returns the traits by which defects of one operation are one.
func (w *widespread) withinOperation(d *defect) []trait {
	var all []trait
	for it := range own(d) {
		kind := kindOfRule(it.rule)
		operation := it.rule.ID[:len(it.rule.Area())]
		switch {
		case kind == promise.CredentialMissing && it.Status/100 == 2, kind == promise.CredentialWrong && it.Status/100 == 2:
			// What needs no credential takes any.
			all = append(all, trait{key: "credential " + operation, variant: d.lead, least: 2})
		case isRefusal(kind) && w.refusesNothing(it.operation, it.Status):
			all = append(all, trait{key: "refuses nothing " + operation, variant: d.lead, least: enoughGroup})
		case isSchema(it) && it.Kind == spec.KindMissing && it.Detail != "":
			key := "lacks " + it.rule.ID + " " + objectOf(it)
			least := enoughGroup
			if w.lacksAll(it) {
				least = 2
			}
			all = append(all, trait{key: key, variant: it.Detail, least: least})
		case !it.rule.Always && it.Kind == spec.KindDiffers && fieldOf(it) != "" && strings.Contains(string(kind), "."):
			// Of a write of which nothing is kept, each member tells.
			aspect, _, _ := strings.Cut(string(kind), ".")
			all = append(all, trait{key: "keeps nothing " + operation + " " + aspect, variant: fieldOf(it), least: enoughGroup})
		}
	}
	return all
}

// objectOf returns the place of the object that lacks a member, the same for each item of a list.
func objectOf(it *item) string {
	tokens := PointerTokens(it.Pointer)
	for i, token := range tokens {
		if isIndex(token) {
			tokens[i] = "*"
		}
	}
	return strings.Join(tokens, "/")
}

// lacksAll reports whether the object in which a finding misses a member has at most one member: it is another object.
func (w *widespread) lacksAll(it *item) bool {
	value, _ := w.valueShown(it.at, PointerTokens(it.Pointer))
	object, is := value.(map[string]any)
	return is && len(object) <= 1
}

// acrossOperations returns the traits by which defects of several operations are one.
func (w *widespread) acrossOperations(d *defect) []trait {
	var all []trait
	add := func(variant string, least int, parts ...string) {
		all = append(all, trait{key: strings.Join(parts, "\x00"), variant: variant, least: least})
	}
	for it := range own(d) {
		kind := kindOfRule(it.rule)
		form := string(it.Kind) + " " + formOf(it)
		switch {
		case kind == "" || it.operation == "":
		case kind == promise.CredentialMissing && it.Status/100 == 2, kind == promise.CredentialWrong && it.Status/100 == 2:
			add(it.operation, enoughGroup, string(kind), "2xx")
		case isRefusal(kind):
			if w.refusesNothing(it.operation, it.Status) {
				add(it.operation, enoughGroup, "refuses nothing", strconv.Itoa(it.Status))
			}
		case it.Status/100 == 5: // errors of a server may have many reasons
		case it.Status != 0 && (kind == promise.Accepted || fieldOf(it) != ""): // of each member it is another question
		case it.Status != 0:
			add(it.operation, enoughGroup, string(kind), it.Expected.String(), strconv.Itoa(it.Status))
		case it.Header != "":
			add(it.operation, enoughGroup, string(kind), "header", it.Header, form)
			if inComponent(it) {
				add(it.operation, 2, string(kind), it.Contract, form)
			}
		case it.rule.Always && (isSchema(it) || isForm(it)):
			if inComponent(it) {
				add(it.operation, 2, string(kind), it.Contract, form)
			}
			if field := fieldOf(it); field != "" && isSchema(it) {
				add(it.Contract, enoughGroup, string(kind), "field", field, form)
			}
			if names := w.memberNames(it.at); names != "" && it.Pointer == "" && (it.Kind == spec.KindMissing || it.Kind == spec.KindType) {
				add(it.operation, enoughGroup, string(kind), "members", names)
			}
		}
	}
	return all
}

// inComponent reports whether the violated constraint is in a component of the contract, which several operations may use.
func inComponent(it *item) bool {
	return strings.HasPrefix(it.Contract, "/components/") || strings.HasPrefix(it.Contract, "/definitions/")
}

// mostMembers is the number of members up to which the names of an object's members count as its form.
const mostMembers = 4

// memberNames returns the names of the members of the object in a response, or "" if there is none or it has many.
func (w *widespread) memberNames(seq int) string {
	value, _ := w.valueShown(seq, nil)
	object, is := value.(map[string]any)
	if !is || len(object) > mostMembers {
		return ""
	}
	return "{" + strings.Join(slices.Sorted(maps.Keys(object)), ",") + "}"
}
