package promise

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// Aspect says how a request relates to the contract, which determines its expected status.
type Aspect int

const (
	// Open is a request whose outcome the contract leaves open.
	Open Aspect = iota
	// Keeps is a valid request.
	Keeps
	// Differs is a valid request that differs in one respect from one that succeeded.
	Differs
	// Allowed is a valid request with a value that a service may refuse for reasons that no schema expresses.
	Allowed
	// Breaks is a request with exactly one fault, which succeeded without it, to an operation that documents
	// refusals.
	Breaks
	// Unknown is a valid request that names something that does not exist.
	Unknown
	// Unauthorized is a request that succeeded with a valid credential, without one.
	Unauthorized
	// Forbidden is a request that succeeded with a valid credential, with one that is valid only for other requests.
	Forbidden
	// LetIn is a request that succeeded with a valid credential, with that of another alternative of the operation.
	LetIn
	// Ignores is a request to an operation that needs no credential, with a wrong one, that succeeded with none.
	Ignores
	// Follows is a request that a link of a response led to.
	Follows
	// Unclear is a request that some readers accept and others refuse, without any of them being wrong.
	Unclear
	// Elsewhere is a request with a method that the contract does not define for the path.
	Elsewhere
	// Unlisted is a request with something that the contract does not list, without saying how it is refused.
	Unlisted
	// LikeGet is a HEAD instead of a GET that succeeded.
	LikeGet
	// Lives is one of several requests about the same resource; the case says what is expected.
	Lives
)

// Kind returns the kind of promise that a request of this aspect tests if its rule names none.
func (a Aspect) Kind() Kind {
	switch a {
	case Keeps:
		return Success
	case Differs:
		return Accepted
	case Allowed, Unclear:
		return Available
	case Unknown:
		return NotFound
	case Unauthorized:
		return CredentialMissing
	case Forbidden:
		return OtherScheme
	case LetIn:
		return CredentialAccepted
	case Ignores:
		return CredentialIgnored
	case Follows:
		return Link
	case Elsewhere:
		return MethodNotAllowed
	case Unlisted:
		return Robust
	case LikeGet:
		return Head
	case Open, Breaks, Lives:
	}
	return PropertyValue
}

// Verdict is what a status means.
type Verdict struct {
	// Broken holds the kinds of promises that it breaks, those that fail a run first.
	Broken []Kind
	// Kept holds the kinds that it could have broken and kept.
	Kept []Kind
	// Unavailable reports whether the service says that it cannot answer at all: 501, or 503 with Retry-After.
	// Nothing is concluded then.
	Unavailable bool
	// Wanted holds the statuses that would have been right for Broken[0]: documented keys such as "404" and "4XX", or
	// "2xx". For what does not exist it is 404, whatever is broken.
	Wanted []string
}

// Judge returns what a status of an operation means. fault is the kind of promise that the request tests if its
// aspect is Breaks, Unknown, Unauthorized, Forbidden, LetIn or Ignores.
func Judge(op *spec.Operation, response *spec.Response, aspect Aspect, fault Kind) Verdict {
	status := response.Status
	class := status / 100
	var v Verdict
	if status == http.StatusNotImplemented || status == http.StatusServiceUnavailable && response.Header.Get("Retry-After") != "" {
		v.Unavailable = true
		return v
	}
	if aspect == Elsewhere {
		// Missing credentials and rate limits may be reported first, and a service may hide what exists.
		other := slices.Contains([]int{401, 403, 404, 429}, status)
		allowed := status == http.StatusMethodNotAllowed && response.Header.Get("Allow") != ""
		v.mark(fault, !allowed && !other && class != 3, allowed)
		v.want(fault, []string{"405"})
		return v
	}
	if aspect == LikeGet {
		// A service without HEAD may say so in any way, and all other requests may be handled by an application for
		// browsers.
		v.mark(fault, class == 5, class == 2 || op.Redirects(status))
		return v
	}
	silent := op.Silent()
	succeeds, accepts := op.Succeeds(response), op.Accepts(response)
	v.mark(Success, class == 2 && op.ResponseFor(status) == nil && !silent, succeeds)
	if v.Wanted == nil && len(v.Broken) > 0 {
		v.Wanted = successes(op)
	}
	switch aspect {
	case Keeps, Differs, Allowed, Unknown, Follows, LetIn, Ignores:
		v.mark(Available, class == 5 && !explicitly(op, status), true)
		v.mark(Documented, (class == 3 || class == 4) && op.ResponseFor(status) == nil && !silent, class == 3 || class == 4)
	case Unclear: // either way the document has no server error for it
		v.mark(Available, failsInstead(op, status, Refuses(op)), true)
	case Open, Breaks, Unauthorized, Forbidden, Unlisted, Elsewhere, LikeGet, Lives:
		v.mark(Robust, class == 5 && !explicitly(op, status), true)
	}
	if status == http.StatusTooManyRequests {
		aspect = Open // it is about the number of requests, not about this one
	}
	switch aspect {
	case Differs:
		v.mark(Accepted, status == 400 || status == 415 || status == 422, succeeds)
		v.want(Accepted, successes(op))
	case Breaks:
		v.mark(fault, accepts || failsInstead(op, status, documentsRefusalOf(op, fault)), class == 4)
		v.want(fault, refusals(op))
		if listsRefusals(op) {
			v.mark(Refusal, class == 4 && op.ResponseFor(status) == nil && !slices.Contains(gatewayRefusals, status), class == 4)
			v.want(Refusal, refusals(op))
		}
	case Unknown:
		// An identifier may also be refused for its form, and its resource may be gone, if the contract says so. The
		// body may conflict with what the same body created before, and the order of checks is open.
		other := slices.Contains([]int{400, 410, 422}, status) && explicitly(op, status) || status == http.StatusPreconditionFailed && resource.Demands(op) != nil ||
			status == http.StatusConflict && op.Body != nil
		v.mark(fault, accepts || class == 4 && status != http.StatusNotFound && !other, status == http.StatusNotFound)
		v.Wanted = []string{"404"}
	case Unauthorized:
		wanted := []string{"401", "403"}
		if exactly(op, http.StatusUnauthorized) != nil {
			wanted = wanted[:1]
		}
		right := status == http.StatusUnauthorized || status == http.StatusForbidden && len(wanted) == 2
		right = right || op.Redirects(status) && !succeeds // to a login page
		v.mark(fault, !right && class != 5 || failsInstead(op, status, exactly(op, http.StatusUnauthorized) != nil), right)
		v.want(fault, wanted)
	case Forbidden:
		// A known client may be told that it is not allowed, and a service may hide what exists.
		v.mark(fault, succeeds, slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound}, status))
		v.want(fault, []string{"401", "403"})
	case LetIn:
		// A known client may lack a right that others have, and a service may hide what exists.
		v.mark(fault, status == http.StatusUnauthorized, succeeds)
		v.want(fault, successes(op))
	case Ignores:
		// Other statuses may be due to an unlisted parameter, or to an earlier request.
		refused := status == http.StatusUnauthorized || status == http.StatusForbidden
		v.mark(fault, refused && !explicitly(op, status), succeeds)
		v.want(fault, successes(op))
	case Follows:
		v.mark(fault, slices.Contains(LeadsNowhere, status), succeeds)
		v.want(fault, successes(op))
	case Open, Keeps, Allowed, Unclear, Unlisted, Elsewhere, LikeGet, Lives:
	}
	// What fails a run comes first, then what the request tests, if it should not succeed: that it does so with an undocumented status adds
	// nothing.
	slices.SortStableFunc(v.Broken, func(a, b Kind) int {
		return cmp.Or(rank(a)-rank(b), tested(aspect, b, fault)-tested(aspect, a, fault))
	})
	return v
}

// tested returns 1 for the kind of promise that a request tests which should not succeed, and 0 for all others.
func tested(aspect Aspect, k, fault Kind) int {
	if k == fault && slices.Contains([]Aspect{Breaks, Unknown, Unauthorized, Forbidden}, aspect) {
		return 1
	}
	return 0
}

// failsInstead reports whether a status is a server error instead of a refusal that the operation documents, if
// the document leaves no room for server errors: it lists none, and has no default, which covers everything it does
// not list. A gateway's response says nothing about the service behind it.
func failsInstead(op *spec.Operation, status int, refusalDocumented bool) bool {
	if status/100 != 5 || !refusalDocumented || slices.Contains([]int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, status) {
		return false
	}
	return op.ResponseFor(status) == nil
}

// documentsRefusalOf reports whether an operation documents how it refuses a kind of fault.
func documentsRefusalOf(op *spec.Operation, fault Kind) bool {
	if fault == MediaTypeRefused {
		return op.ResponseFor(http.StatusUnsupportedMediaType) != nil
	}
	return Refuses(op)
}

// mark records a kind as broken or, if the status could show it, as kept.
func (v *Verdict) mark(k Kind, broken, kept bool) {
	switch {
	case broken:
		v.Broken = append(v.Broken, k)
	case kept:
		v.Kept = append(v.Kept, k)
	}
}

// want sets what would have been right, if a kind is broken.
func (v *Verdict) want(k Kind, wanted []string) {
	if slices.Contains(v.Broken, k) {
		v.Wanted = wanted
	}
}

func rank(k Kind) int {
	if k.level().Fails() {
		return 0
	}
	return 1
}

// explicitly reports whether an operation documents a status itself or its range. A default says nothing about
// server errors, since it covers everything that the document does not list.
func explicitly(op *spec.Operation, status int) bool {
	a := op.ResponseFor(status)
	return a != nil && a.Class() != 0
}

// gatewayRefusals are statuses with which a gateway or a framework refuses requests before the service sees them.
var gatewayRefusals = []int{
	http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusProxyAuthRequired,
	http.StatusRequestTimeout, http.StatusConflict, http.StatusGone, http.StatusLengthRequired, http.StatusPreconditionFailed, http.StatusRequestEntityTooLarge,
	http.StatusRequestURITooLong, http.StatusUnsupportedMediaType, http.StatusMisdirectedRequest, http.StatusLocked, http.StatusTooEarly, http.StatusUpgradeRequired,
	http.StatusPreconditionRequired, http.StatusTooManyRequests, http.StatusRequestHeaderFieldsTooLarge, http.StatusUnavailableForLegalReasons,
}

// listsRefusals reports whether an operation lists the statuses of its refusals, rather than allowing any.
func listsRefusals(op *spec.Operation) bool {
	return Refuses(op) && !slices.ContainsFunc(op.Responses, func(a spec.DocumentedResponse) bool { return a.Status == 0 && (a.Class() == 4 || a.Class() == 0) })
}

// LeadsNowhere are the statuses of a link whose target does not exist, or was not named as its operation demands.
var LeadsNowhere = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusGone, http.StatusUnprocessableEntity}

// notOfTheRequest are 4xx statuses that say nothing about the contents of the request.
var notOfTheRequest = []int{
	http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusConflict, http.StatusGone,
	http.StatusTooManyRequests,
}

// refusals returns the documented keys of refusals for the contents of a request, or the whole class if none is
// documented. A default besides them counts, too.
func refusals(op *spec.Operation) []string {
	var all []string
	for i := range op.Responses {
		if a := &op.Responses[i]; a.Class() == 4 && !slices.Contains(notOfTheRequest, a.Status) {
			all = append(all, a.Key)
		}
	}
	if len(all) == 0 {
		return []string{"4xx"}
	}
	return all
}

// successes returns the documented keys of the 2xx class, or the whole class.
func successes(op *spec.Operation) []string {
	var all []string
	for i := range op.Responses {
		if a := &op.Responses[i]; a.Class() == 2 {
			all = append(all, a.Key)
		}
	}
	if len(all) == 0 {
		return []string{"2xx"}
	}
	return all
}
