package findings

import (
	"bytes"
	"io"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

const (
	// Schema names the format; docs/findings.schema.json describes it.
	Schema = "hallmark.findings/v1"
	// Limit is the maximum length of the document in bytes.
	Limit = 20_000
)

// Format is the format findings.
func Format() reports.Format {
	return reports.Format{Name: "findings", Says: "what was found, for agents and scripts, in at most 20 kB of JSON", Write: write}
}

// head is the document without its findings.
type head struct {
	Schema string `json:"schema"`
	Run    run    `json:"run"`
	// Verdict, Because and ExitCode are those of the run.
	Verdict  verdict.Verdict `json:"verdict"`
	Because  string          `json:"because"`
	ExitCode int             `json:"exitCode"`
	// Causes counts the defects behind the findings, and Found the findings.
	Causes  int     `json:"causes"`
	Found   int     `json:"found"`
	LeftOut leftOut `json:"leftOut"`
}

// run is the run that made the findings.
type run struct {
	ID       string    `json:"id,omitempty"`
	Started  time.Time `json:"started,omitzero"`
	Hallmark string    `json:"hallmark"`
	Target   string    `json:"target"`
	Contract string    `json:"contract"`
	Digest   string    `json:"digest"`
	Seed     string    `json:"seed"`
}

// leftOut counts what did not fit.
type leftOut struct {
	// Details counts the findings without details, and Findings those that are missing.
	Details  int `json:"details"`
	Findings int `json:"findings"`
}

// write writes the findings of a run.
func write(w io.Writer, v *view.View) error {
	all := v.Findings()
	h := head{
		Schema: Schema, Verdict: v.Result.Verdict, Because: short(v.Result.Because), ExitCode: v.Result.ExitCode, Causes: len(v.Result.Causes), Found: len(all),
		Run: run{
			ID: short(v.Record.ID), Started: v.Record.Started, Hallmark: short(v.Record.Suite.Version), Target: short(v.Record.Target.BaseURL),
			Contract: short(v.ContractFile), Digest: short(v.Record.Suite.Contract), Seed: short(v.Seed()),
		},
	}
	pieces := make([]piece, len(all))
	for i, f := range all {
		one := newEntry(v, f)
		for d, said := range []any{one, one.brief()} {
			text, err := encode(said)
			if err != nil {
				return err
			}
			pieces[i].texts[d] = text
		}
		pieces[i].leads = f.Leads
	}
	h.LeftOut = leftOut{len(all), len(all)} // the longest that it may become
	top, err := encode(h)
	if err != nil {
		return err
	}
	h.LeftOut = fit(pieces, Limit-len(top)-len(begin)-len(end))
	if top, err = encode(h); err != nil {
		return err
	}
	var out bytes.Buffer
	out.Write(bytes.TrimSuffix(top, []byte("}")))
	out.WriteString(begin)
	comma := ""
	for _, p := range pieces {
		if p.detail != gone {
			out.WriteString(comma + "\n")
			out.Write(p.texts[p.detail])
			comma = ","
		}
	}
	out.WriteString(end)
	_, err = w.Write(out.Bytes())
	return err
}

// What stands around the findings.
const begin, end = ",\n\"findings\":[", "\n]}\n"

// encode returns a value as JSON on one line that is safe to print.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	j := jsonout.New(&out)
	j.Value(value)
	err := j.Flush()
	return out.Bytes(), err
}

// shortText and shortBody are the numbers of characters kept of a text and of a body.
const shortText, shortBody = 160, 240

func short(s string) string { return text.Elide(text.Visible(s), shortText) }
