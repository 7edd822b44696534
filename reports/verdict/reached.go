package verdict

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// operations returns the operations of a contract whose whole suite was run, or nil, and for each operation that was to be called, in a
// whole or partial run, whether it was seen to succeed.
func operations(rec *record.Record, rules []spec.Rule) (all map[string]bool, called map[string]bool) {
	all, called = map[string]bool{}, map[string]bool{}
	for _, r := range rules {
		for _, id := range r.Operations {
			all[id] = false
		}
	}
	// For selections and hand-written scenarios, the scenarios determine which operations are covered.
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
				// A scenario that only expects a rejection needs no success.
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

// whole reports whether all scenarios of the called operations were run.
func whole(rec *record.Record) bool {
	o := rec.Options
	return o.Tags == "" && len(o.Rules) == 0 && o.Again == "" && !o.Quick && !slices.Contains(rec.Suite.Foreign, "features")
}

// success is the kind of rule that only successes of an operation exercise, including documented redirects.
const success = "success"

// succeeding returns the operations seen to succeed, whether or not their responses could be judged.
func succeeding(rec *record.Record, rules []spec.Rule) map[string]bool {
	all := map[string]bool{}
	if rec.Coverage != nil {
		for i := range rec.Coverage.Operations {
			if op := &rec.Coverage.Operations[i]; op.Succeeded > 0 {
				all[op.Operation] = true
			}
		}
		return all
	}
	for i := range rules { // of a record that does not say what is covered
		if r := &rules[i]; isAboutSuccess(r) && rec.Exercised[r.ID] > 0 {
			all[r.Operations[0]] = true
		}
	}
	for i := range rec.Exchanges {
		if ex := &rec.Exchanges[i]; ex.Response != nil && ex.Response.Status/100 == http.StatusOK/100 {
			all[ex.Operation] = true
		}
	}
	if rec.Traffic != nil { // whose record holds only the exchanges with findings
		for _, id := range rec.Traffic.Succeeded {
			all[id] = true
		}
	}
	return all
}

// isAboutSuccess reports whether only successes of one operation exercise a rule. A rule that covers others may also be about other responses, or
// about those of several operations.
func isAboutSuccess(r *spec.Rule) bool {
	isPart := func(covered string) bool { return strings.Contains(covered, " ") }
	return len(r.Operations) == 1 && len(r.Cases) == 1 && r.Cases[0] == success && !slices.ContainsFunc(r.Covers, isPart)
}

// count returns the number of operations that succeeded.
func count(operations map[string]bool) int {
	n := 0
	for _, succeeded := range operations {
		if succeeded {
			n++
		}
	}
	return n
}

// locked says how many operations were not called because a credential was missing, and how to supply it. It returns "" if there are none.
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

// rare says that most operations to be called never succeeded. It returns "" if most did.
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

// shut adds the number of operations that never succeeded and rejected every credential, as they would a wrong one. It returns "" for none.
func shut(rec *record.Record, called map[string]bool) string {
	refused := map[string]bool{}
	if rec.Traffic != nil {
		return ""
	}
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
	return "; " + text.Count(n, "operation") + " returned only 401 or 403: check the credentials"
}

// Unreached is an operation that was to be called and was never seen to succeed.
type Unreached struct {
	Operation string
	// Last is the last exchange of the operation with a response, or nil.
	Last *spec.Exchange
	// Reason says that a missing credential kept the operation from being called; otherwise it is empty.
	Reason string
	// Bodies is the search for a body that the service accepts, or nil if there was none.
	Bodies *record.BodySearch
}

// unreached returns the operations in called that never succeeded, sorted by id.
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
	bodies := map[string]*record.BodySearch{}
	for i := range rec.Bodies {
		bodies[rec.Bodies[i].Operation] = &rec.Bodies[i]
	}
	var all []Unreached
	for _, id := range slices.Sorted(maps.Keys(called)) {
		if !called[id] {
			all = append(all, Unreached{id, last[id], reasons[id], bodies[id]})
		}
	}
	return all
}
