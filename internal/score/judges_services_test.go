package score

import (
	"net/http"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/examples/bookshop/service"
	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/second"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/runtest"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// heard compares the judges on a run: on its findings, and on each response to which the first judge has no
// objection.
func (c *tally) heard(j *second.Judge, p *promise.Promises, catalogue *spec.Catalogue, rec *record.Record) {
	exchanges := map[int]*spec.Exchange{}
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		exchanges[ex.Seq] = ex
		if ex.Response != nil && ex.Operation != "" && len(p.Response(ex).Findings) == 0 {
			c.sound("response of "+ex.Operation, j.ResponseStands(ex), ex)
		}
	}
	for i := range rec.Scenarios {
		for _, f := range rec.Scenarios[i].Findings {
			rule, _ := catalogue.Rule(f.Rule)
			if o, asked := j.Opinion(f, rule, exchanges[f.Decisive()]); asked {
				c.add(f.Rule+" "+string(f.Kind)+" at "+f.Pointer+f.Header+" "+f.Contract+" expected "+f.Expected.String()+" actual "+f.Actual.String(), o, exchanges[f.Decisive()])
			}
		}
	}
}

// The judges agree, except for known differences, on the responses of the Petstore itself and on a sample of its faults.
func TestJudgesOnThePetstore(t *testing.T) {
	const key, nth = "pets-key-8Kd2-mVx", 5
	skip.UnderRace(t)
	k := runtest.New(t)
	p, j := promise.Of(k.Contract, 1, 0), second.New(k.Contract)
	for i, f := range append([]variants.Fault{{Name: "none"}}, variants.Faults()...) {
		if i%nth != 0 {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			skip.Sampled(t, i, 100)
			t.Parallel()
			d, err := variants.Build(petstore.Options{Keys: []string{key}, BasePath: "/v1"}, f.Variant)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			c, began := &tally{known: map[string]int{}, untold: map[string]int{}}, time.Now()
			rec, _ := k.Run(t, "http://service.test/v1", key, func(cfg *steps.Config) { cfg.Transport = mutate.Transport{Handler: d.Handler} })
			c.heard(j, p, k.Catalogue, &rec)
			if i == 0 && c.both == 0 {
				t.Error("nothing was compared")
			}
			c.log(t, f.Name, time.Since(began))
		})
	}
}

// And on the bookshop and a sample of its faults.
func TestJudgesOnTheBookshop(t *testing.T) {
	skip.UnderRace(t)
	const nth = 100
	s := services()["bookshop"]
	for i, f := range append([]service.Fault{{}}, service.Faults()...) {
		if i%nth != 0 {
			continue
		}
		t.Run("fault "+f.Name, func(t *testing.T) {
			skip.Sampled(t, i/nth, 2)
			s.service = func() http.Handler { return service.New(f.Name) }
			d, _ := derived(t, s)
			c, began := &tally{known: map[string]int{}, untold: map[string]int{}}, time.Now()
			rec, err := d.play(t.Context(), suite.Selection{}, func(next http.Handler, base string) (*mutate.Handler, error) {
				return d.Front.plain(next, base, newWatch()), nil
			})
			if err != nil {
				t.Fatal(err)
			}
			c.heard(second.New(d.Config.Contract), d.Config.Promises, d.Config.Catalogue, &rec)
			if i == 0 && c.both == 0 {
				t.Error("nothing was compared")
			}
			c.log(t, f.Name, time.Since(began))
		})
	}
}
