package html

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// mostCharges is the maximum number of findings named at an exchange.
const mostCharges = 8

// exchange is an exchange prepared for display.
type exchange struct {
	Seq                 int
	Method, Path, About visible
	URL                 visible
	Operation           visible
	// Status is the status of the response, or 0 without a response.
	Status int
	Says   string
	// Kind is the first digit of the status, which selects the colour.
	Kind     int
	Lost     visible
	Expected string
	// Unexpected reports whether the status was not an expected one.
	Unexpected bool

	Took, Since string
	Delays      int
	Scenario    scenarioRef
	Traced      visible
	Asked       message
	Answered    message
	Curl        visible
	Charges     []charge
	MoreCharges int
	// Cited reports whether the exchange is shown next to a finding, which says what is wrong.
	Cited bool
}

// message is a request or a response.
type message struct {
	// headers holds lines of markup.
	headers []byte
	leftOut int
	size    string
	// cut says how much of the body is not shown.
	cut       string
	items     int
	stretches []stretch
	json      bool
}

// charge is a finding whose decisive exchange this is.
type charge struct {
	Rule     ruleRef
	Expected visible
	Actual   visible
}

// heading prepares the line of an exchange.
func (p *page) heading(ex *spec.Exchange) *exchange {
	x := &exchange{
		Seq: ex.Seq, Method: visible(cmp.Or(ex.Request.Method, http.MethodGet)), URL: visible(ex.Request.URL), Path: visible(p.path(ex.Request.URL)),
		About: visible(ex.About), Operation: visible(ex.Operation), Lost: visible(ex.Lost), Expected: statuses(ex.Expect.Statuses),
		Took: text.Latency(ex.Elapsed), Delays: ex.Delays, Scenario: p.scenarioRef(ex.Scenario),
	}
	if r := ex.Response; r != nil {
		x.Status, x.Kind, x.Says = r.Status, r.Status/100, statusWords(r.Status)
		x.Unexpected = !ex.Expect.Allows(r.Status)
	}
	found := p.charges[ex.Seq]
	for _, f := range found[:min(len(found), mostCharges)] {
		x.Charges = append(x.Charges, charge{p.ruleRef(f.Rule), visible(f.Expected.String()), visible(f.Actual.String())})
	}
	x.MoreCharges = len(found) - len(x.Charges)
	return x
}

// exchange prepares an exchange for display, without copying the record's data.
func (p *page) exchange(ex *spec.Exchange, how portion) *exchange {
	x := p.heading(ex)
	x.Cited = how == near
	if begun := p.view.Record.Started; !begun.IsZero() && ex.Started.After(begun) {
		x.Since = text.Duration(ex.Started.Sub(begun))
	}
	x.Curl = visible(p.view.Record.Target.Curl(*ex))
	if ex.Correlation != "" {
		x.Traced = visible(ex.Correlation)
	}
	found := p.charges[ex.Seq]
	var marks []string
	var wrong map[string]bool // headers
	if len(found) > 0 {
		wrong = map[string]bool{}
	}
	for _, f := range found {
		marks = append(marks, f.Pointer)
		wrong[http.CanonicalHeaderKey(f.Header)] = true
	}
	x.Asked = messageOf(ex.Request.Header, ex.Request.Body, len(ex.Request.Body), nil, nil, how)
	if r := ex.Response; r != nil {
		x.Answered = messageOf(r.Header, r.Body, max(r.Size, len(r.Body)), marks, wrong, how)
		x.Answered.leftOut = r.HeadersLeftOut
		if r.TooLong {
			x.Answered.size = "more than " + x.Answered.size
		}
	}
	return x
}

// messageOf lays out headers and body. marks are the places in the body with findings, wrong the headers with findings.
func messageOf(headers http.Header, body []byte, length int, marks []string, wrong map[string]bool, how portion) message {
	m := message{items: -1, headers: headerLines(headers, wrong)}
	if length > 0 {
		m.size = text.Size(length)
	}
	if len(body) == 0 {
		return m
	}
	l := layOut(body, marks, how)
	m.stretches, m.json, m.items = l.stretches(how), l.JSON, l.Items
	if left := length - len(body) + l.Cut; left > 0 {
		m.cut = text.Size(left) + " of it are not shown"
	}
	return m
}

// headerLines writes headers sorted by name and marks those with findings.
func headerLines(headers http.Header, wrong map[string]bool) []byte {
	var all []byte
	for _, name := range sortedKeys(headers) {
		for _, value := range headers[name] {
			if len(all) > 0 {
				all = append(all, '\n')
			}
			if wrong[name] {
				all = append(all, "<mark>"...)
			}
			all = appendEscaped(all, name+": "+value, specials)
			if wrong[name] {
				all = append(all, "</mark>"...)
			}
		}
	}
	return all
}

// path returns a URL without the base URL of the run.
func (p *page) path(url string) string {
	if rest, found := strings.CutPrefix(url, p.view.Record.Target.BaseURL); found && strings.HasPrefix(rest, "/") {
		return rest
	}
	return url
}
