package steps

import (
	"context"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/second"
)

// Limits of the second judge: for each cause, the kinds of findings and the examples of each kind submitted to it, and the total time.
// Findings beyond the limits stand.
const (
	mostKinds    = 40
	mostExamples = 3
	mostConsult  = 30 * time.Second
)

// consult asks the second judge about findings that rest on a schema: for each cause about one finding of each
// kind, until it agrees with one. The second judge is not created if nothing was found.
func (r *engine) consult(ctx context.Context) {
	if ctx.Err() != nil || !r.Recorder.Found() {
		return
	}
	rec := r.Recorder.Snapshot()
	secrets := r.Target.Redactor()
	for _, o := range Opinions(ctx, r.second, &rec, r.Catalogue) {
		o.Reason = secrets.Text(o.Reason)
		r.Recorder.AddOpinion(o)
	}
}

// Opinions asks the second judge about the findings of a record.
func Opinions(ctx context.Context, judge *second.Judge, rec *record.Record, catalogue *spec.Catalogue) []record.Opinion {
	exchanges := make(map[int]*spec.Exchange, len(rec.Exchanges))
	for i := range rec.Exchanges {
		exchanges[rec.Exchanges[i].Seq] = &rec.Exchanges[i]
	}
	var all []record.Opinion
	began := time.Now()
	for _, c := range verdict.Draw(rec, catalogue.Rules).Causes {
		all = append(all, opinions(ctx, judge, &c, catalogue, exchanges)...)
		if ctx.Err() != nil || time.Since(began) > mostConsult {
			break
		}
	}
	return all
}

// opinions asks about the findings of a cause. It is enough if the second judge agrees with one, since they have
// the same cause.
func opinions(ctx context.Context, judge *second.Judge, c *verdict.Cause, catalogue *spec.Catalogue, exchanges map[int]*spec.Exchange) []record.Opinion {
	var all []record.Opinion
	at := map[[2]string]int{}
	asked := map[[2]string]int{}
	for _, shown := range c.Showing {
		for i := range shown.Findings {
			f := &shown.Findings[i]
			key := [2]string{f.Rule, f.Cause}
			if asked[key] >= mostExamples || asked[key] == 0 && len(asked) >= mostKinds || ctx.Err() != nil {
				continue
			}
			rule, _ := catalogue.Rule(f.Rule)
			ex := exchanges[f.Decisive()]
			said, rests := judge.Opinion(*f, rule, ex)
			if !rests {
				continue
			}
			asked[key]++
			o := record.Opinion{Finding: f.Cause, Rule: f.Rule, Exchange: ex.Seq, Opinion: said}
			if j, before := at[key]; !before {
				at[key] = len(all)
				all = append(all, o)
			} else if !said.Doubts() {
				all[j] = o
			}
			if said.Says == spec.Agreed {
				return all
			}
			if !said.Doubts() {
				asked[key] = mostExamples
			}
		}
	}
	return all
}
