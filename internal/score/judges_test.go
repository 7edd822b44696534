package score

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/second"
	"github.com/hallmark-kit/hallmark/spec/source"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

var (
	judgesCorpus = flag.String("judges.corpus", "", "a folder of OpenAPI documents: let both judges judge the exchanges of a service that is made of each, and its faults")
	judgesOnly   = flag.String("judges.only", "", "the names of some of them, separated by commas")
	judgesMost   = flag.Int("judges.operations", 300, "how many operations a document may have")
)

// tally counts the judges' results on the exchanges of one document.
type tally struct {
	// both counts agreements; wrong are the agreements that something is wrong.
	both, wrong int
	// known counts the known differences by their ids, and untold what the second judge cannot tell, by its reasons.
	known, untold map[string]int
	// differences are the unknown ones.
	differences []string
}

func (c *tally) add(where string, o spec.Opinion, ex *spec.Exchange) {
	switch {
	case o.Says == spec.Agreed:
		c.both++
		c.wrong++
	case o.Says == spec.Unsettled:
		c.untold[o.Reason]++
	case o.Known != "":
		c.known[o.Known]++
	default:
		c.differ(where, o.Reason, ex)
	}
}

func (c *tally) differ(where, reason string, ex *spec.Exchange) {
	said := fmt.Sprintf("%s: %s\n\t%s %s %s %.300s", where, reason, ex.Request.Method, ex.Request.URL, ex.Request.Header["Content-Type"], ex.Request.Body)
	if ex.Response != nil {
		said += fmt.Sprintf("\n\t→ %d %.300s", ex.Response.Status, ex.Response.Body)
	}
	c.differences = append(c.differences, said)
}

// compare lets both judges judge the responses of a service that is made from a contract, and the effect of each
// fault on them.
func compare(ctx context.Context, contract *spec.Contract) (*tally, error) {
	p := promise.Of(contract, 1, 0)
	b := Basis{Contract: contract, Promises: p}
	var err error
	if b.Catalogue, b.Suite, err = steps.LoadPromises(p); err != nil {
		return nil, err
	}
	d, err := Made(b, 1)
	if err != nil {
		return nil, err
	}
	rec, err := d.play(ctx, suite.Selection{}, func(next http.Handler, base string) (*mutate.Handler, error) {
		return d.Front.plain(next, base, newWatch()), nil
	})
	if err != nil {
		return nil, err
	}
	c := &tally{known: map[string]int{}, untold: map[string]int{}}
	j := second.New(contract)
	by := map[string][]*spec.Exchange{}
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		if ex.Response == nil || ex.Operation == "" {
			continue
		}
		c.kept(j, p, ex)
		by[ex.Operation] = append(by[ex.Operation], ex)
	}
	c.refused(j, b.Catalogue, &rec)
	for _, x := range b.Faults() {
		c.broken(d.Front, j, b.Catalogue, x, by[x.Operation])
	}
	return c, nil
}

// kept compares the judges on an exchange of a service that keeps its contract.
func (c *tally) kept(j *second.Judge, p *promise.Promises, ex *spec.Exchange) {
	if len(p.Response(ex).Findings) == 0 {
		c.sound("response of "+ex.Operation, j.ResponseStands(ex), ex)
	}
	if ex.Response.Status/100 == 2 {
		c.sound("request to "+ex.Operation, j.RequestStands(ex), ex)
	}
}

// sound counts the opinion on something to which the first judge has no objection.
func (c *tally) sound(where string, o spec.Opinion, ex *spec.Exchange) {
	if c.add(where, o, ex); o.Says == spec.Agreed {
		c.wrong--
	}
}

// refused compares the judges on the requests that were refused because they are invalid.
func (c *tally) refused(j *second.Judge, catalogue *spec.Catalogue, rec *record.Record) {
	exchanges := map[int]*spec.Exchange{}
	for i := range rec.Exchanges {
		exchanges[rec.Exchanges[i].Seq] = &rec.Exchanges[i]
	}
	for i := range rec.Scenarios {
		s := &rec.Scenarios[i]
		if len(s.Rules) == 0 {
			continue
		}
		rule, _ := catalogue.Rule(s.Rules[0])
		for _, seq := range s.Exchanges {
			ex := exchanges[seq]
			if ex == nil || ex.Response == nil || !slices.Contains([]int{400, 415, 422}, ex.Response.Status) || !slices.Contains(rule.Operations, ex.Operation) {
				continue
			}
			accepted := *ex
			accepted.Response = &spec.Response{Status: 200}
			if o, asked := j.Opinion(spec.Finding{Kind: spec.KindStatus, Rule: rule.ID}, rule, &accepted); asked {
				c.add("refused: "+rule.ID+" "+ex.About, o, ex)
			}
		}
	}
}

// broken compares the judges on the effect of a fault on exchanges: the first one that shows it.
func (c *tally) broken(front *front, j *second.Judge, catalogue *spec.Catalogue, x fault.Fault, exchanges []*spec.Exchange) {
	if !x.Judged {
		return
	}
	for _, ex := range exchanges {
		changed, shown := changedBy(front, x, ex, "")
		if !shown {
			continue
		}
		for _, f := range front.promises.Response(&changed).Findings {
			rule, _ := catalogue.Rule(f.Rule)
			if o, asked := j.Opinion(f, rule, &changed); asked {
				c.add(x.Name+": "+f.Rule+" "+string(f.Kind)+" at "+f.Pointer+f.Header+" "+f.Contract+" expected "+f.Expected.String()+" actual "+f.Actual.String(), o, &changed)
			}
		}
		return
	}
}

// log writes the counts, and each unknown difference.
func (c *tally) log(t *testing.T, name string, took time.Duration) {
	t.Helper()
	t.Logf("JUDGES %-24s agree on %d (%d wrong), known %v, cannot tell %v, differ on %d, %v", name, c.both, c.wrong, c.known, c.untold, len(c.differences), took.Round(time.Millisecond))
	for _, d := range c.differences {
		t.Errorf("%s", d)
	}
}

// The judges agree, except for known differences, on the services of the repository's own documents.
func TestJudges(t *testing.T) {
	for i, file := range []string{"spec/petstore/openapi.yaml", "examples/bookshop/openapi.yaml", "tests/shop/openapi.yaml", "tests/shop/desk.yaml", "tests/shop/archive.yaml", "tests/shop/library.yaml"} {
		t.Run(file, func(t *testing.T) {
			skip.Sampled(t, i, 3)
			if err := compared(t, filepath.Join("..", "..", file)); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestJudgesOfCorpus compares the judges on many documents: make judges CORPUS=folder.
func TestJudgesOfCorpus(t *testing.T) {
	if *judgesCorpus == "" {
		t.Skip("-judges.corpus names a folder of documents")
	}
	files, err := os.ReadDir(*judgesCorpus)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), filepath.Ext(f.Name()))
		if *judgesOnly != "" && !slices.Contains(strings.Split(*judgesOnly, ","), name) || filepath.Ext(f.Name()) == ".md" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if err := compared(t, filepath.Join(*judgesCorpus, f.Name())); err != nil {
				t.Skip(err)
			}
		})
	}
}

// compared compares the judges on one document. The error says why that is impossible.
func compared(t *testing.T, file string) error {
	t.Helper()
	contract, err := openapi.LoadFile(file, source.Options{})
	if err != nil {
		return err
	}
	if n := len(contract.Operations()); n > *judgesMost {
		return fmt.Errorf("it has %d operations", n)
	}
	began := time.Now()
	c, err := compare(t.Context(), contract)
	if err != nil {
		return err
	}
	c.log(t, filepath.Base(file), time.Since(began))
	return nil
}

// changedBy returns a recorded exchange as a fault would have made it; false if the fault would not show in it.
func changedBy(f *front, x fault.Fault, ex *spec.Exchange, base string) (spec.Exchange, bool) {
	changed, shown := *ex, false
	w := newWatch()
	w.Changed = func(e *mutate.Exchange) {
		a := e.Response()
		changed.Response, shown = &spec.Response{Status: a.Status, Header: a.Header.Clone(), Body: bytes.Clone(a.Body), Size: len(a.Body)}, true
	}
	f.replay(x, ex, base, w)
	return changed, shown
}
