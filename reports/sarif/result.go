package sarif

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

const (
	// longBody is the maximum number of bytes of a body, longHeader of a header: GitHub accepts 10 MB of SARIF.
	longBody, longHeader = 32 << 10, 1 << 10
	// relatedScenarios is the maximum number of related scenarios.
	relatedScenarios = 5
	// fingerprint names the ids of findings among the fingerprints of other tools.
	fingerprint = "hallmark/v2"
)

// cause returns the result for a cause.
func (l *log) cause(c verdict.Cause) result {
	r := l.result(c.Rule, c.Lead)
	r.Level = level(c.Level)
	if c.Level == spec.Should && l.Fails(c) {
		r.Level = "error" // --strict
	}
	lines := []string{sentence(c.Says), difference(c.Lead)}
	if c.Excused {
		r.Level = "warning" // --intermittent warn
	}
	if c.Undecided {
		r.Level = "note"
	}
	if c.Lead.Rule != c.Rule {
		lines = append(lines, "The example is of "+c.Lead.Rule+", a part of it.")
	}
	for _, part := range c.Extent() {
		lines = append(lines, sentence(text.Visible(part)))
	}
	if c.Rerun != "" {
		lines = append(lines, "Asked again by: "+text.Visible(c.Rerun))
	}
	r.Message.Text = plain(strings.Join(lines, "\n"))
	r.Occurrences = c.Findings
	for i, id := range c.Scenarios {
		if i == relatedScenarios {
			break
		}
		if at, ok := scenarioLocation(id); ok {
			r.Related = append(r.Related, at)
		}
	}
	for i := range r.Related {
		r.Related[i].ID = i + 1
	}
	var also []string
	for _, broken := range c.Also {
		also = append(also, broken.Rule)
	}
	r.Properties = map[string]any{"scenarios": len(c.Scenarios), "exchanges": len(c.Exchanges), "alsoBroken": also, "message": c.Message}
	if c.Confirmation != nil {
		r.Properties["intermittent"] = c.Confirmation.Intermittent()
	}
	if c.Opinion != nil {
		r.Properties["secondJudge"] = c.Opinion
	}
	if len(c.Curl) <= longBody {
		r.Properties["curl"] = c.Curl
	}
	return r
}

// deviation returns the result for a known violation.
func (l *log) deviation(d verdict.DeviationVerdict) result {
	f := l.known[d.Deviation]
	r := l.result(d.Rule, f)
	r.Level = level(l.Rule(d.Rule).Level)
	r.Message.Text = plain(sentence(l.Rule(d.Rule).Says) + "\n" + difference(f))
	r.Occurrences = d.Findings
	r.Suppressions = append(r.Suppressions, suppression{
		"external", "accepted", plain("Known until " + text.Short(d.Expires) + ": " + text.Short(d.Reason) + " (" + text.Short(d.Link) + ")"),
	})
	return r
}

// result returns a result for a rule with a finding as its example.
func (l *log) result(rule string, f spec.Finding) result {
	r := result{
		RuleID: rule, RuleIndex: l.index[rule], Kind: "fail", Fingerprints: l.fingerprints(f), Suppressions: []suppression{},
	}
	r.Locations, r.Related = l.locations(l.Rule(rule), f)
	if cited := l.Cited(f); len(cited) > 0 {
		r.Request, r.Response = exchange(cited[len(cited)-1])
	}
	return r
}

// fingerprints identify a result across runs, by the id of its example. Where several results of a run have the same, the others are numbered:
// readers would take them for one.
func (l *log) fingerprints(example spec.Finding) map[string]string {
	id := example.ID()
	if l.seen[id]++; l.seen[id] > 1 {
		id += "/" + strconv.Itoa(l.seen[id])
	}
	return map[string]string{fingerprint: id}
}

// locations returns the places of the contract that a finding violates. The most exact one comes first and separately, because readers show
// a result at each of its locations.
func (l *log) locations(r spec.Rule, f spec.Finding) (first, others []location) {
	places := l.Places(r, f)
	if whole, ok := l.PlaceOf("/paths"); ok && len(places) == 0 {
		places = append(places, whole)
	}
	type line struct {
		file   string
		number int
	}
	seen := map[line]bool{}
	for _, p := range places {
		if seen[line{p.File, p.Line}] {
			continue
		}
		seen[line{p.File, p.Line}] = true
		at := location{Physical: physicalLocation{l.file(p.File), &region{p.Line}}, Message: &message{plain("The contract at " + p.Pointer)}}
		if first == nil {
			first = []location{at}
		} else {
			others = append(others, at)
		}
	}
	if first == nil { // the contract is not available: use its first line
		first = []location{{Physical: physicalLocation{l.file(""), &region{1}}}}
	}
	return first, others
}

// file returns the location of the contract, or of a referenced file. A file outside the working directory cannot be relative to it.
func (l *log) file(beside string) artifactLocation {
	if strings.Contains(beside, "://") {
		return artifactLocation{URI: beside}
	}
	name := filepath.ToSlash(filepath.Clean(cmp.Or(l.ContractFile, "openapi.yaml")))
	if beside != "" {
		name = path.Join(path.Dir(name), beside)
	}
	if filepath.IsAbs(l.ContractFile) {
		return artifactLocation{URI: (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(name, "/")}).String()}
	}
	return artifactLocation{(&url.URL{Path: name}).EscapedPath(), sourceRoot}
}

// scenarioLocation returns the place of a scenario; the preflight has none.
func scenarioLocation(id string) (location, bool) {
	file, number, found := strings.Cut(id, ".feature:")
	line, err := strconv.Atoi(number)
	if !found || err != nil || line < 1 {
		return location{}, false
	}
	return location{
		Physical: physicalLocation{artifactLocation{(&url.URL{Path: file + ".feature"}).EscapedPath(), sourceRoot}, &region{line}},
		Message:  &message{"A scenario that shows it"},
	}, true
}

// exchange returns a request and its response.
func exchange(ex *spec.Exchange) (*webRequest, *webResponse) {
	target, version := ex.Request.URL, ""
	if u, err := url.Parse(target); err == nil && u.Host != "" {
		target = u.RequestURI()
		if u.Scheme == "http" {
			version = "1.1" // with TLS it is negotiated, and the record does not contain the result
		}
	}
	req := &webRequest{Protocol: "HTTP", Version: version, Method: ex.Request.Method, Target: target, Headers: headers(ex.Request.Header)}
	if len(ex.Request.Body) > 0 {
		req.Body, _ = body(ex.Request.Body)
	}
	if ex.Response == nil {
		return req, &webResponse{None: true, Properties: map[string]any{"lost": text.Short(ex.Lost)}}
	}
	resp := &webResponse{
		Protocol: "HTTP", Version: version, StatusCode: ex.Response.Status, Reason: http.StatusText(ex.Response.Status), Headers: headers(ex.Response.Header),
	}
	size, cut := max(ex.Response.Size, len(ex.Response.Body)), false
	if len(ex.Response.Body) > 0 {
		resp.Body, cut = body(ex.Response.Body)
	}
	if cut || size > len(ex.Response.Body) || ex.Response.TooLong {
		resp.Properties = map[string]any{"bodyIsCut": true, "bodySize": size}
	}
	return req, resp
}

// body returns a body as text, or as bytes if it is not text; a long one is truncated.
func body(bytes []byte) (c *content, cut bool) {
	if len(bytes) > longBody {
		bytes, cut = bytes[:longBody], true
		for len(bytes) > longBody-utf8.UTFMax && !utf8.Valid(bytes) {
			bytes = bytes[:len(bytes)-1] // not in the middle of a character
		}
	}
	if !utf8.Valid(bytes) {
		return &content{Binary: base64.StdEncoding.EncodeToString(bytes)}, cut
	}
	return &content{Text: string(bytes)}, cut
}

func headers(h http.Header) map[string]string {
	all := make(map[string]string, len(h))
	for name, values := range h {
		all[name] = text.TruncateBytes(strings.Join(values, ", "), longHeader)
	}
	return all
}

// difference returns the finding as a sentence.
func difference(f spec.Finding) string {
	s := "Expected " + text.Short(f.Expected.String()) + ", actual " + text.Short(f.Actual.String())
	if !f.Where.IsZero() {
		s += ", in " + text.Short(f.Where.String())
	}
	return sentence(s)
}

func sentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

var placeholder = regexp.MustCompile(`\{(\d)`)

// plain escapes text so that it remains text: a message may contain links, as [text](target), and placeholders, as {0}; text of a service
// must become neither.
func plain(s string) string {
	s = strings.ReplaceAll(s, "](", "] (")
	return placeholder.ReplaceAllString(s, "{ $1")
}
