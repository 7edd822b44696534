package steps

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// A gateway in front of the target answers 502, 503 or 504 on its own, to any request of the moment. Such a
// response counts as the target's only if the same request gets it each time.

// gatewayAnswer identifies a request that was answered 502, 503 or 504, to recognize it when its scenario is
// repeated.
type gatewayAnswer struct {
	status int
	// request is the request without what differs from one play to the next; kind is the operation and the purpose of
	// the request.
	request, kind string
	// nthRequest and nthKind are its numbers among the requests of the scenario that are equal in request, or in
	// kind.
	nthRequest, nthKind int
	// often reports whether at least half of the equal requests got such a response, always whether all of the kind
	// did.
	often, always bool
}

// repeats reports whether another play of a scenario gave the same request the same answer. Concurrent requests
// have no order.
func (a gatewayAnswer) repeats(b gatewayAnswer) bool {
	if a.status != b.status || a.kind != b.kind {
		return false
	}
	return a.nthKind == b.nthKind || a.always && b.always || a.request == b.request && (a.nthRequest == b.nthRequest || a.often && b.often)
}

// noteGatewayAnswers records which requests of a scenario were answered 502, 503 or 504.
func (r *engine) noteGatewayAnswers(s *scenario.Scenario) {
	all := gatewayAnswers(s.Exchanges(), r.ID, r.template)
	if len(all) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.Copy(r.gatewayAnswers, all)
}

// template returns the path template of a request's operation, and the query.
func (r *engine) template(ex *spec.Exchange) string {
	u, err := url.Parse(ex.Request.URL)
	if err != nil {
		return ex.Request.URL
	}
	if op, known := r.Contract.Operation(ex.Operation); known {
		return op.Path + "?" + u.RawQuery
	}
	return u.Path + "?" + u.RawQuery
}

// gatewayAnswers returns the gateway answers in one play of a scenario, by exchange number.
func gatewayAnswers(exchanges []*spec.Exchange, run string, path func(*spec.Exchange) string) map[int]gatewayAnswer {
	all := map[int]gatewayAnswer{}
	if !slices.ContainsFunc(exchanges, fromGateway) {
		return all
	}
	requests, kinds, answered, failed := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, ex := range exchanges {
		request := sameInEachPlay(ex, run, path(ex))
		kind := ex.Operation + "\n" + number.ReplaceAllString(strings.TrimSuffix(ex.About, onceMore), "0")
		requests[request]++
		kinds[kind]++
		if fromGateway(ex) {
			answered[request]++
			failed[kind]++
			all[ex.Seq] = gatewayAnswer{status: ex.Response.Status, request: request, kind: kind, nthRequest: requests[request], nthKind: kinds[kind]}
		}
	}
	for seq, a := range all {
		a.often, a.always = 2*answered[a.request] >= requests[a.request], failed[a.kind] == kinds[a.kind]
		all[seq] = a
	}
	return all
}

func fromGateway(ex *spec.Exchange) bool { return ex.Response != nil && ex.Response.FromGateway() }

// sameInEachPlay returns a request without made-up names and numbers, which differ in each play.
func sameInEachPlay(ex *spec.Exchange, run, path string) string {
	text := ex.Request.Method + " " + path + "\n" + ex.Request.Header.Get("Authorization") + "\n" + string(ex.Request.Body)
	text = strings.ReplaceAll(strings.ReplaceAll(text, run, "0"), strings.ToUpper(run), "0")
	return number.ReplaceAllString(identifier.ReplaceAllString(text, "0"), "0")
}

var (
	identifier = regexp.MustCompile(`[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}`)
	number     = regexp.MustCompile(`[0-9]+`)
)
