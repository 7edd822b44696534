package verdict

import (
	"maps"
	"net/http"
	"slices"

	"hallmark/internal/text"
	"hallmark/reports/record"
	"hallmark/spec"
)

// operations returns the operations of a contract whose whole suite was run, and of those that were to be called,
// in a whole run or a part of one, whether each was seen to succeed.
func operations(rec *record.Record, rules []spec.Rule) (all map[string]bool, called map[string]bool) {
	if !rec.Suite.Derived {
		return nil, nil
	}
	all, called = map[string]bool{}, map[string]bool{}
	for _, r := range rules {
		for _, id := range r.Operations {
			all[id] = false
		}
	}
	// For a selection, and for scenarios that somebody wrote, the scenarios determine which operations are covered.
	part := rec.Filtered() || slices.Contains(rec.Suite.Foreign, "features")
	if !part {
		maps.Copy(called, all)
	}
	succeeded := succeeding(rec, rules)
	for i := range rec.Scenarios {
		sc := &rec.Scenarios[i]
		if !part || sc.Preflight() {
			continue
		}
		for _, id := range sc.Operations {
			if _, known := all[id]; known {
				// A part that only expects a refusal needs no success.
				called[id] = called[id] || sc.Outcome == record.Passed && !whole(rec)
			}
		}
	}
	for id := range called {
		called[id] = called[id] || succeeded[id]
	}
	for id := range all {
		all[id] = succeeded[id]
	}
	for _, one := range rec.Uncalled {
		if one.Remedy == "" {
			delete(called, one.Operation)
		}
	}
	for _, id := range rec.Target.Removed {
		delete(called, id)
	}
	if rec.Filtered() || rec.Options.Shard != "" {
		all = nil
	}
	return all, called
}

// whole reports whether all scenarios of the operations that a run called were run.
func whole(rec *record.Record) bool {
	o := rec.Options
	return o.Tags == "" && len(o.Rules) == 0 && o.Again == "" && !o.Quick && !slices.Contains(rec.Suite.Foreign, "features")
}

// success is the kind of the rule that is judged only by an operation's successes, including redirects where they
// are documented.
const success = "success"

// succeeding returns the operations that were seen to succeed.
func succeeding(rec *record.Record, rules []spec.Rule) map[string]bool {
	all := map[string]bool{}
	for i := range rules {
		if r := &rules[i]; slices.Contains(r.Cases, success) && rec.Exercised[r.ID] > 0 {
			for _, id := range r.Operations {
				all[id] = true
			}
		}
	}
	for i := range rec.Exchanges {
		if ex := &rec.Exchanges[i]; ex.Response != nil && ex.Response.Status/100 == http.StatusOK/100 {
			all[ex.Operation] = true
		}
	}
	return all
}

// count returns how many operations succeeded.
func count(operations map[string]bool) int {
	n := 0
	for _, succeeded := range operations {
		if succeeded {
			n++
		}
	}
	return n
}

// locked says how many of the operations that were to be called were not, because a credential was missing, and
// how to give it; empty for none.
func locked(rec *record.Record, called map[string]bool) string {
	n, remedies := 0, map[string]int{}
	for _, one := range rec.Uncalled {
		if _, is := called[one.Operation]; is && one.Remedy != "" {
			n++
			remedies[one.Remedy]++
		}
	}
	if n == 0 {
		return ""
	}
	return text.Count(n, "operation") + " " + text.Were(n) + " not called because a credential is missing: " + commonest(remedies)
}

// rare says that most of the operations that were to be called never succeeded; empty where most did.
func rare(rec *record.Record, called map[string]bool) string {
	n := count(called)
	switch {
	case n*2 >= len(called):
		return ""
	case n == 0:
		return "none of " + text.Count(len(called), "operation") + " was seen to succeed" + shut(rec, called)
	}
	return "only " + text.Number(n) + " of " + text.Count(len(called), "operation") + " " + text.Were(n) + " seen to succeed" + shut(rec, called)
}

// shut adds how many operations never succeeded and refused every credential, which a wrong credential explains;
// empty for none.
func shut(rec *record.Record, called map[string]bool) string {
	refused := map[string]bool{}
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		if succeeded, is := called[ex.Operation]; !is || succeeded || ex.Response == nil {
			continue
		}
		before, seen := refused[ex.Operation]
		status := ex.Response.Status
		refused[ex.Operation] = (before || !seen) && (status == http.StatusUnauthorized || status == http.StatusForbidden)
	}
	n := count(refused)
	if n == 0 {
		return ""
	}
	return "; " + text.Count(n, "operation") + " answered nothing but 401 or 403: check the credentials that are given"
}

// Unreached is an operation that a run was to call and that was never seen to succeed.
type Unreached struct {
	Operation string
	// Last is the last exchange of the operation that got a response; nil if there was none.
	Last *spec.Exchange
	// Reason says why the operation was not called for want of a credential; empty otherwise.
	Reason string
}

// unreached returns the operations of called that never succeeded, sorted by their ids.
func unreached(rec *record.Record, called map[string]bool) []Unreached {
	last, reasons := map[string]*spec.Exchange{}, map[string]string{}
	for i := range rec.Exchanges {
		if ex := &rec.Exchanges[i]; ex.Response != nil {
			last[ex.Operation] = ex
		}
	}
	for _, one := range rec.Uncalled {
		reasons[one.Operation] = one.Reason
	}
	var all []Unreached
	for _, id := range slices.Sorted(maps.Keys(called)) {
		if !called[id] {
			all = append(all, Unreached{id, last[id], reasons[id]})
		}
	}
	return all
}
