package changes

import (
	"crypto/sha256"

	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// Rules are the added, removed and changed rules.
type Rules struct {
	Before  int           `json:"before"`
	After   int           `json:"after"`
	Added   []Rule        `json:"added"`
	Removed []Rule        `json:"removed"`
	Changed []ChangedRule `json:"changed"`

	// added and removed are the areas of operations that only one version has.
	added, removed map[string]bool
}

// Rule is a rule of one version.
type Rule struct {
	ID    string     `json:"id"`
	Level spec.Level `json:"level"`
	Says  string     `json:"says"`
}

// ChangedRule is a rule whose level or sentence differs.
type ChangedRule struct {
	Before Rule `json:"before"`
	After  Rule `json:"after"`
}

type rule = Rule

// compareRules compares rules by their ids.
func compareRules(older, newer *version) Rules {
	out := Rules{
		Before: len(older.rules), After: len(newer.rules), Added: []Rule{}, Removed: []Rule{}, Changed: []ChangedRule{},
		added: newer.areasWithout(older), removed: older.areasWithout(newer),
	}
	was := make(map[string]rule, len(older.rules))
	for _, r := range older.rules {
		was[r.ID] = r
	}
	is := make(map[string]bool, len(newer.rules))
	for _, r := range newer.rules {
		is[r.ID] = true
		switch before, known := was[r.ID]; {
		case !known:
			out.Added = append(out.Added, r)
		case before != r:
			out.Changed = append(out.Changed, ChangedRule{before, r})
		}
	}
	for _, r := range older.rules {
		if !is[r.ID] {
			out.Removed = append(out.Removed, r)
		}
	}
	return out
}

// areaOf returns the first segment of a rule's id, which is the name of its operation.
func areaOf(id string) string { return spec.Rule{ID: id}.Area() }

// areasWithout returns the areas of a version's rules that have no rules in another version.
func (v *version) areasWithout(other *version) map[string]bool {
	all := map[string]bool{}
	for _, r := range v.rules {
		all[areaOf(r.ID)] = true
	}
	for _, r := range other.rules {
		delete(all, areaOf(r.ID))
	}
	return all
}

// Scenarios are the added, removed and changed derived scenarios.
type Scenarios struct {
	Before  int        `json:"before"`
	After   int        `json:"after"`
	Added   []Scenario `json:"added"`
	Removed []Scenario `json:"removed"`
	Changed []Scenario `json:"changed"`
}

// Scenario is a derived scenario, identified by its rule and title.
type Scenario struct {
	Rule  string `json:"rule"`
	Title string `json:"title"`
}

// scenario is a scenario of one version with its steps.
type scenario struct {
	title string
	does  [sha256.Size]byte
}

// readScenarios reads the scenarios of a version by rule.
func (v *version) readScenarios(basis *session.Basis) {
	basis.Promises().Scenarios(basis.Catalogue, func(s promise.Scenario) {
		v.scenarios[s.Rule] = append(v.scenarios[s.Rule], scenario{s.Title, sha256.Sum256([]byte(s.Text))})
	})
}

// compareScenarios matches scenarios by rule and title, and those with equal ones by order.
func compareScenarios(older, newer *version) Scenarios {
	out := Scenarios{Added: []Scenario{}, Removed: []Scenario{}, Changed: []Scenario{}}
	for _, all := range older.scenarios {
		out.Before += len(all)
	}
	for _, all := range newer.scenarios {
		out.After += len(all)
	}
	for _, r := range newer.rules {
		left := map[string][]scenario{}
		for _, s := range older.scenarios[r.ID] {
			left[s.title] = append(left[s.title], s)
		}
		for _, s := range newer.scenarios[r.ID] {
			same := left[s.title]
			switch {
			case len(same) == 0:
				out.Added = append(out.Added, Scenario{r.ID, s.title})
				continue
			case same[0] != s:
				out.Changed = append(out.Changed, Scenario{r.ID, s.title})
			}
			left[s.title] = same[1:]
		}
	}
	for _, r := range older.rules {
		left := map[string]int{}
		for _, s := range newer.scenarios[r.ID] {
			left[s.title]++
		}
		for _, s := range older.scenarios[r.ID] {
			if left[s.title]--; left[s.title] < 0 {
				out.Removed = append(out.Removed, Scenario{r.ID, s.title})
			}
		}
	}
	return out
}
