package history

import (
	"io"
	"time"

	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Schema names the JSON format of a history; docs/history.schema.json describes it.
const Schema = "hallmark.history/v1"

type jsonHistory struct {
	Schema    string         `json:"schema"`
	Notes     []string       `json:"notes"`
	Contracts []jsonContract `json:"contracts"`
}

type jsonContract struct {
	Name     string    `json:"name"`
	Outcome  string    `json:"outcome"`
	Says     string    `json:"says"`
	Kept     int       `json:"neverBroken"`
	Contract int       `json:"contractChanges"`
	Runs     []jsonRun `json:"runs"`
	Rules    []jsonRow `json:"rules"`
}

type jsonRun struct {
	File     string          `json:"file"`
	ID       string          `json:"id,omitempty"`
	Started  time.Time       `json:"started"`
	Seconds  float64         `json:"seconds,omitempty"`
	Contract string          `json:"contract"`
	Target   string          `json:"target"`
	Hallmark string          `json:"hallmark"`
	Verdict  verdict.Verdict `json:"verdict"`
	Complete bool            `json:"complete"`
	Selected bool            `json:"selected"`
	Rules    int             `json:"rules"`
	Judged   int             `json:"judged"`
	Broken   int             `json:"broken"`
	// The operations are 0 of 0 if the suite does not follow from a contract.
	Operations int `json:"operations"`
	Reached    int `json:"reached"`
	Causes     int `json:"causes"`
}

type jsonRow struct {
	Rule   string     `json:"rule"`
	Level  spec.Level `json:"level"`
	Says   string     `json:"says"`
	Trend  Trend      `json:"trend"`
	Judged int        `json:"judged"`
	Broken int        `json:"broken"`
	Since  time.Time  `json:"since"`
	Fixed  *time.Time `json:"fixed,omitempty"`
	States []string   `json:"states"`
}

// names are the states in JSON.
var names = [...]string{Unjudged: "", Kept: "kept", Broken: "broken", Unsteady: "unsteady", Accepted: "known"}

// JSON writes the history for scripts.
func JSON(h *History, w io.Writer) error {
	out := jsonHistory{Schema: Schema, Notes: append([]string{}, h.Notes...), Contracts: []jsonContract{}}
	for i := range h.Groups {
		out.Contracts = append(out.Contracts, h.Groups[i].json())
	}
	j := jsonout.New(w)
	j.Value(out)
	j.Raw("\n")
	return j.Flush()
}

func (g *Group) json() jsonContract {
	word, says := g.Outcome()
	out := jsonContract{Name: g.Name(), Outcome: word, Says: says, Kept: g.Kept, Contract: g.Changes, Runs: []jsonRun{}, Rules: []jsonRow{}}
	for _, r := range g.Runs {
		out.Runs = append(out.Runs, jsonRun{
			File: r.File, ID: r.ID, Started: r.Started, Seconds: r.Took.Seconds(), Contract: r.Digest, Target: r.Target, Hallmark: r.Hallmark, Verdict: r.Verdict,
			Complete: r.Complete, Selected: r.Selected, Rules: r.Rules, Judged: r.Judged, Broken: r.count(), Operations: r.Operations, Reached: r.Reached, Causes: r.Causes,
		})
	}
	for _, row := range g.Rows {
		one := jsonRow{Rule: row.ID, Level: row.Level, Says: row.Says, Trend: row.Trend, Judged: row.Judged, Broken: row.Times, Since: g.Runs[row.Since].Started, States: []string{}}
		if !row.Current() {
			one.Fixed = &g.Runs[row.Fixed].Started
		}
		for _, s := range row.States {
			one.States = append(one.States, names[s])
		}
		out.Rules = append(out.Rules, one)
	}
	return out
}
