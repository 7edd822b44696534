package findings

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/reports/wfc"
	"github.com/hallmark-kit/hallmark/spec"
)

// The bounds of a finding.
const (
	// mostRequests is the number of requests named, the last ones.
	mostRequests = 4
	// longestRerun is the length of the longest command that is written. A longer one is left out: it would have to be whole.
	longestRerun = 600
)

// entry is a finding in full.
type entry struct {
	essence
	Says      string     `json:"says"`
	Level     spec.Level `json:"level"`
	Section   string     `json:"section,omitempty"`
	Source    string     `json:"source,omitempty"`
	Repeated  string     `json:"repeated,omitempty"`
	Contract  *place     `json:"contract,omitempty"`
	Expected  string     `json:"expected"`
	Actual    string     `json:"actual"`
	Where     string     `json:"where,omitempty"`
	Requests  []request  `json:"requests"`
	Earlier   int        `json:"earlierRequests,omitempty"`
	Rerun     string     `json:"rerun,omitempty"`
	Undecided bool       `json:"undecided,omitempty"`
}

// essence is what is written of each finding.
type essence struct {
	ID        string        `json:"id"`
	Rule      string        `json:"rule"`
	Operation string        `json:"operation,omitempty"`
	Standing  view.Standing `json:"standing"`
	// WFC is the fault category of Web Fuzzing Commons, or 0.
	WFC wfc.Category `json:"wfc,omitempty"`
	// Findings is how often it was found.
	Findings int    `json:"findings"`
	Cause    *cause `json:"cause,omitempty"`
	// Brief reports whether the details were left out.
	Brief bool `json:"brief,omitempty"`
}

// cause is the suspected defect.
type cause struct {
	// Finding is the id of the finding that shows it best.
	Finding string `json:"finding"`
	Rule    string `json:"rule"`
	// Rules counts the rules that it breaks, Findings what it explains; only with the finding that leads it.
	Rules    int `json:"rules,omitempty"`
	Findings int `json:"findings,omitempty"`
}

// place is a place of the contract.
type place struct {
	Pointer string `json:"pointer"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
}

// request is a request with the status of its response.
type request struct {
	Method string `json:"method"`
	// URL is the path and the query behind the address of the target, or the whole address.
	URL   string `json:"url"`
	Body  string `json:"body,omitempty"`
	About string `json:"about,omitempty"`
	// Status is 0 if no response came.
	Status int `json:"status"`
}

func (e entry) brief() essence {
	e.Brief = true
	return e.essence
}

// newEntry returns a finding in full.
func newEntry(v *view.View, f view.Finding) entry {
	ex, rule := f.Example, v.Rule(f.Example.Rule)
	e := entry{
		essence: essence{ID: f.ID, Rule: short(ex.Rule), Operation: short(ex.Operation), Standing: v.Standing(f), WFC: wfc.Of(rule, ex), Findings: f.Count},
		Says:    short(rule.Says), Level: rule.Level, Section: short(rule.Section), Source: short(rule.Source),
		Contract: placeOf(v, rule, ex), Expected: short(ex.Expected.String()), Actual: short(ex.Actual.String()), Where: short(ex.Where.String()),
		Requests: []request{},
	}
	if c := f.Cause; c != nil {
		e.Cause = &cause{Finding: c.ID, Rule: short(c.Rule)}
		if f.Leads {
			e.Cause.Rules, e.Cause.Findings = 1+len(c.Also), c.Findings
		}
		e.Repeated, e.Undecided = short(c.Confirmation.Sentence()), c.Undecided
	}
	if len(f.Rerun) <= longestRerun {
		e.Rerun = text.Visible(f.Rerun)
	}
	sent := v.Replay(ex)
	if left := len(sent) - mostRequests; left > 0 {
		e.Earlier, sent = left, sent[left:]
	}
	for _, one := range sent {
		e.Requests = append(e.Requests, newRequest(v, one))
	}
	return e
}

// placeOf returns the most exact place of the contract, without a line if the contract is not available.
func placeOf(v *view.View, rule spec.Rule, f spec.Finding) *place {
	if all := v.Places(rule, f); len(all) > 0 {
		return &place{short(all[0].Pointer), short(all[0].File), all[0].Line}
	}
	for _, pointer := range append([]string{f.Contract}, rule.Contract...) {
		if pointer != "" {
			return &place{Pointer: short(pointer)}
		}
	}
	return nil
}

func newRequest(v *view.View, ex *spec.Exchange) request {
	url := ex.Request.URL
	if rest, behind := strings.CutPrefix(url, strings.TrimSuffix(v.Record.Target.BaseURL, "/")); behind && strings.HasPrefix(rest, "/") {
		url = rest
	}
	r := request{Method: short(ex.Request.Method), URL: short(url), About: short(ex.About)}
	if body := ex.Request.Body; len(body) > 0 {
		r.Body, _ = view.Excerpt(body, "", shortBody)
	}
	if ex.Response != nil {
		r.Status = ex.Response.Status
	}
	return r
}
