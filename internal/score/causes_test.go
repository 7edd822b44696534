package score

import (
	"context"
	"flag"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/source"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

var (
	causesOf     = flag.String("score.causes", "", "OpenAPI documents, separated by commas: as how many causes the faults of each are reported")
	causesSample = flag.Int("score.causes.sample", 60, "how many faults of each document are tried")
	causesOnly   = flag.String("score.causes.only", "", "a pattern of the names of the faults that are tried")
)

// TestCauses measures as how many causes each fault is reported, and whether the first is led by the operation that has the fault. The whole
// suite judges each fault: make causes DOCUMENTS=a.yaml,b.yaml.
func TestCauses(t *testing.T) {
	if *causesOf == "" {
		t.Skip("-score.causes names documents")
	}
	found, single, led := 0, 0, 0
	for file := range strings.SplitSeq(*causesOf, ",") {
		d, faults := derivedFrom(t, file)
		own, err := d.causes(t.Context(), fault.Fault{})
		if err != nil {
			t.Logf("%s is left out: %v", file, err)
			continue
		}
		known := map[string]bool{}
		for _, c := range own {
			known[c.ID] = true
		}
		n, one, ledBy := 0, 0, 0
		all := make([][]causeSeen, len(faults))
		forEach(t.Context(), runtime.GOMAXPROCS(0), len(faults), func(i int) {
			var err error
			if all[i], err = d.causes(t.Context(), faults[i]); err != nil {
				t.Errorf("%s: %v", faults[i].Name, err)
			}
		})
		for i, x := range faults {
			causes := all[i]
			causes = slices.DeleteFunc(causes, func(c causeSeen) bool { return known[c.ID] || c.Level == spec.Should && x.Level != spec.Should })
			if len(causes) == 0 {
				continue
			}
			n++
			right := slices.Contains(causes[0].operations, x.Operation)
			if len(causes) == 1 {
				one++
				if right {
					ledBy++
				}
			}
			if len(causes) > 1 || !right {
				t.Logf("%s (%s): %d causes", x.Name, x.Rule(), len(causes))
				for _, c := range causes {
					t.Logf("    %s by %s: %s (%d scenarios)", c.Rule, strings.Join(c.operations, ", "), c.Message, len(c.Scenarios))
				}
			}
		}
		t.Logf("%s: of %d faults found %s are one cause, %s one cause led by their operation", filepath.Base(file), n, ratio(one, n), ratio(ledBy, n))
		found, single, led = found+n, single+one, led+ledBy
	}
	t.Logf("all of these: of %d faults found %s are one cause, %s one cause led by their operation", found, ratio(single, found), ratio(led, found))
}

// causeSeen is a cause with the operations that lead it: those of its rule, and that of its example.
type causeSeen struct {
	verdict.Cause
	operations []string
}

// causes returns the causes that the whole suite reports for a service with a fault; without one if it has no name.
func (d *Derived) causes(ctx context.Context, x fault.Fault) ([]causeSeen, error) {
	rec, err := d.play(ctx, suite.Selection{}, func(next http.Handler, base string) (*mutate.Handler, error) {
		if x.Name == "" {
			return d.Front.plain(next, base, newWatch()), nil
		}
		return d.Front.faulty(next, base, newWatch(), x)
	})
	if err != nil {
		return nil, err
	}
	var all []causeSeen
	for _, c := range verdict.Draw(&rec, d.Config.Catalogue.Rules).Causes {
		rule, _ := d.Config.Catalogue.Rule(c.Rule)
		seen := causeSeen{c, slices.Clone(rule.Operations)}
		for i := range rec.Exchanges {
			if n := len(c.Lead.Exchanges); n > 0 && rec.Exchanges[i].Seq == c.Lead.Exchanges[n-1] {
				seen.operations = append(seen.operations, rec.Exchanges[i].Operation)
			}
		}
		all = append(all, seen)
	}
	return all, nil
}

// derivedFrom returns the suite derived from a document, and some of the document's faults.
func derivedFrom(t *testing.T, file string) (*Derived, []fault.Fault) {
	t.Helper()
	c, err := openapi.LoadFile(file, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	b := Basis{Contract: c, Promises: p}
	if b.Catalogue, b.Suite, err = steps.LoadPromises(p); err != nil {
		t.Fatal(err)
	}
	d, err := Made(b, 1)
	if err != nil {
		t.Fatal(err)
	}
	faults := b.Faults()
	if *causesOnly != "" {
		faults = slices.DeleteFunc(faults, func(x fault.Fault) bool {
			matches, err := filepath.Match(*causesOnly, x.Name)
			return err != nil || !matches
		})
	}
	return d, Choose(faults, *causesSample)
}

// record is what the whole suite makes of the service as it is.
func (d *Derived) record(ctx context.Context) (record.Record, error) {
	return d.play(ctx, suite.Selection{}, func(next http.Handler, base string) (*mutate.Handler, error) {
		return d.Front.plain(next, base, newWatch()), nil
	})
}
