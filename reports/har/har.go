package har

import (
	"io"
	"time"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// Format is HAR 1.2.
func Format() reports.Format {
	return reports.Format{
		Name: "har", Says: "all exchanges as an HTTP Archive, for the network panel of a browser and other HTTP tools",
		Write: func(w io.Writer, v *view.View) error { return Write(w, v, all) },
	}
}

func all(*spec.Exchange) bool { return true }

// Write writes the selected exchanges of a run in the order in which they started, one per line.
func Write(w io.Writer, v *view.View, wanted func(*spec.Exchange) bool) error {
	j := jsonout.New(w)
	j.Raw("{\"log\":{\"version\":\"1.2\",\n\"creator\":")
	j.Value(creator{"hallmark", v.Record.Suite.Version})
	j.Raw(",\n\"comment\":")
	j.Value(v.Record.Target.BaseURL + ": " + v.Result.Because)
	j.Raw(",\n\"_hallmark\":")
	j.Value(runOf(v))
	j.Raw(",\n\"entries\":")
	found := findings(v)
	entries := j.List()
	for i := range v.Record.Exchanges {
		if ex := &v.Record.Exchanges[i]; wanted(ex) {
			entries.Add(entryOf(ex, v.Record, found[ex.Seq]))
		}
	}
	entries.End()
	j.Raw("}}\n")
	return j.Flush()
}

// creator is the program that wrote the archive.
type creator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// aboutRun is the information about the run.
type aboutRun struct {
	ID       string          `json:"run,omitempty"`
	Target   string          `json:"target"`
	Verdict  verdict.Verdict `json:"verdict"`
	Seed     int64           `json:"seed,omitempty"`
	Complete bool            `json:"complete"`
}

func runOf(v *view.View) aboutRun {
	rec := v.Record
	return aboutRun{rec.ID, rec.Target.BaseURL, v.Result.Verdict, rec.Options.Seed, rec.Complete}
}

// aboutExchange is the information about an exchange beyond request and response.
type aboutExchange struct {
	Exchange    int         `json:"exchange"`
	Scenario    string      `json:"scenario,omitempty"`
	Operation   string      `json:"operation,omitempty"`
	About       string      `json:"about,omitempty"`
	Expect      spec.Expect `json:"expect,omitzero"`
	Correlation string      `json:"correlation,omitempty"`
	Delays      int         `json:"delays,omitempty"`
	Findings    []*finding  `json:"findings,omitempty"`
}

// finding is a violation that an exchange shows.
type finding struct {
	Rule string `json:"rule"`
	// As is "failure", "warning" or "known violation".
	As       string `json:"as"`
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
	Where    string `json:"where,omitempty"`
	Pointer  string `json:"pointer,omitempty"`
}

// findings returns the findings against the target by the number of the decisive exchange.
func findings(v *view.View) map[int][]*finding {
	by := map[int][]*finding{}
	for i := range v.Record.Scenarios {
		sorted := v.Sort(&v.Record.Scenarios[i])
		for _, kind := range []struct {
			as   string
			list []spec.Finding
		}{{"failure", sorted.Failing}, {"warning", sorted.Warning}, {"known violation", sorted.Known}} {
			for _, f := range kind.list {
				if n := len(f.Exchanges); n > 0 {
					seq := f.Exchanges[n-1]
					by[seq] = append(by[seq], &finding{f.Rule, kind.as, f.Expected.String(), f.Actual.String(), f.Where.String(), f.Pointer})
				}
			}
		}
	}
	return by
}

func aboutOf(ex *spec.Exchange, found []*finding) aboutExchange {
	return aboutExchange{ex.Seq, ex.Scenario, ex.Operation, ex.About, ex.Expect, ex.Correlation, ex.Delays, found}
}

// milliseconds returns a duration in milliseconds with three decimals.
func milliseconds(d time.Duration) float64 { return float64(max(d, 0).Microseconds()) / 1000 }
