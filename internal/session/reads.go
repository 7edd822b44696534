package session

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/doctor"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// mostUnread is how many operations that did not succeed have a check each.
const mostUnread = 12

// TryReads calls the operations of a contract that read, as a run that creates nothing does, and returns a check of how many succeed and one of
// each other: what it answered last, with the line of a file of values that may make it succeed. It returns none if no operation reads.
func TryReads(ctx context.Context, env *cli.Env, o options.Options) ([]doctor.Check, error) {
	b, err := cli.Heed(ctx, func() (*Basis, error) { return Load(o.Contract) })
	if err != nil {
		return nil, err
	}
	all, err := b.Suite("")
	if err != nil {
		return nil, err
	}
	// The second of these sends what the service must not fail at, after a request that succeeds has been searched for.
	kinds, about := []promise.Kind{promise.Success, promise.Robust}, map[string]string{}
	for _, op := range b.Contract.Operations() {
		for _, k := range kinds {
			about[b.Catalogue.Resolve(b.promises.Names.Rule(op.ID, k))] = op.ID
		}
	}
	var only, asked []string
	tried := map[string]bool{}
	for _, f := range all.Features {
		for _, s := range f.Scenarios {
			op, is := about[s.Rules[0]]
			if !is || tried[s.Rules[0]] || !s.Has(suite.ReadOnly) {
				continue
			}
			only, tried[s.Rules[0]] = append(only, s.ID()), true
			if !slices.Contains(asked, op) {
				asked = append(asked, op)
			}
		}
	}
	if len(only) == 0 {
		return nil, nil
	}
	o.Run.Target.ReadOnly, o.Journal, o.Hooks, o.Features, o.Run.Selection = true, NoJournal, options.Hooks{}, "", suite.Selection{}
	rec, err := RunAgain(ctx, env, o, only, record.Options{Seed: o.Run.Seed}, "")
	if err != nil {
		return nil, err
	}
	return b.readChecks(asked, rec), nil
}

// createsFirst reports whether a run creates what an operation reads.
func (b *Basis) createsFirst(id string) bool {
	op, _ := b.Contract.Operation(id)
	from := resource.Of(b.Contract)
	return slices.ContainsFunc(resource.SlotsOf(op), func(slot resource.Slot) bool {
		return slices.ContainsFunc(from.Producers(slot), func(p resource.Producer) bool { return p.Way == resource.Created || p.Way == resource.Chosen })
	})
}

// readChecks returns the checks of the operations that were called.
func (b *Basis) readChecks(asked []string, rec *record.Record) []doctor.Check {
	succeeded, last := map[string]bool{}, map[string]int{}
	for i := range rec.Exchanges {
		if ex := &rec.Exchanges[i]; ex.Response != nil {
			succeeded[ex.Operation] = succeeded[ex.Operation] || ex.Response.Status/100 == 2
			last[ex.Operation] = ex.Response.Status
		}
	}
	var left, later []string
	for _, op := range asked {
		switch {
		case succeeded[op]:
		case (last[op] == 0 || last[op] == http.StatusNotFound) && b.createsFirst(op):
			later = append(later, op)
		default:
			left = append(left, op)
		}
	}
	checks := []doctor.Check{{Name: "reads", State: doctor.Good, Says: fmt.Sprintf("%d of %s succeeded", len(asked)-len(left)-len(later), text.Count(len(asked), "reading operation"))}}
	if len(later) > 0 {
		checks = append(checks, doctor.Check{Name: "reads", State: doctor.Skipped, Says: "nothing there to read yet, as a run creates it first: " + text.Enumerate(later, "and")})
	}
	for i, op := range left {
		if i == mostUnread {
			checks = append(checks, doctor.Check{Name: "reads", State: doctor.Warned, Says: text.Count(len(left)-i, "more operation") + " did not succeed"})
			break
		}
		c := doctor.Check{Name: "reads", State: doctor.Warned, Says: op + " was not called"}
		if status := last[op]; status != 0 {
			c.Says = op + " did not succeed: the last response was " + strconv.Itoa(status)
		}
		for _, one := range rec.Uncalled {
			if one.Operation == op {
				c.Says = op + " was not called: " + one.Reason
			}
		}
		for _, one := range rec.Suggestions {
			if one.Operation == op && one.Key != "" {
				c.Remedy = "in a file of values: " + one.Key + ": " + one.Example + "  # " + one.Says
				break
			}
		}
		checks = append(checks, c)
	}
	return checks
}
