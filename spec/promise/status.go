package promise

import (
	"net/http"
	"slices"

	"hallmark/spec"
	"hallmark/spec/resource"
)

// Aspect says how a request stands to the contract, which decides what its status has to be.
type Aspect int

const (
	// Open is a request of which the contract does not say what has to come of it.
	Open Aspect = iota
	// Keeps is a request that keeps the contract.
	Keeps
	// Differs is a request that keeps the contract, and differs in one aspect from one that succeeded.
	Differs
	// Allowed is a request that keeps the contract with a value that a service may refuse for what no schema says.
	Allowed
	// Breaks is a request with exactly one fault, which succeeded without it, to an operation that documents refusals.
	Breaks
	// Unknown is a request that keeps the contract and names something that does not exist.
	Unknown
	// Unauthorized is a request that succeeded with a valid credential and has none.
	Unauthorized
	// Forbidden is a request that succeeded with a valid credential and has one that is valid for other requests only.
	Forbidden
	// LetIn is a request that succeeded with a valid credential and has that of another alternative of the operation.
	LetIn
	// Ignores is a request to an operation that needs no credential, which succeeded with none and has a wrong one.
	Ignores
	// Follows is a request that a link of a response led to.
	Follows
	// Elsewhere is a request that the contract does not have: its method is none of the path's.
	Elsewhere
	// Unlisted is a request with what the contract does not list, and does not say how it is refused.
	Unlisted
	// LikeGet is a HEAD in the place of a GET that succeeded.
	LikeGet
	// Lives is a request that begins, or follows on, others about the same resource; what they have to be says the case.
	Lives
)

// Kind is the kind of promise that a request of this aspect puts to the test, where its rule names none.
func (a Aspect) Kind() Kind {
	switch a {
	case Keeps:
		return Success
	case Differs:
		return Accepted
	case Allowed:
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
	// Broken are the kinds of promises that it breaks, the one that fails a run first.
	Broken []Kind
	// Kept are those that it could have broken and kept.
	Kept []Kind
	// Unavailable reports whether the service says that it cannot answer at all: 501, or 503 with Retry-After. Nothing is
	// concluded then.
	Unavailable bool
	// Wanted are the statuses that would have been right for Broken[0]: documented keys such as "404" and "4XX", or "2xx".
	Wanted []string
}

// Judge says what a status of an operation means. fault is the kind of promise that a request puts to the test whose aspect is
// Breaks, Unknown, Unauthorized, Forbidden, LetIn or Ignores.
func Judge(op *spec.Operation, response *spec.Response, aspect Aspect, fault Kind) Verdict {
	status := response.Status
	class := status / 100
	var v Verdict
	if status == http.StatusNotImplemented || status == http.StatusServiceUnavailable && response.Header.Get("Retry-After") != "" {
		v.Unavailable = true
		return v
	}
	if aspect == Elsewhere {
		// Who is not let in, or asks too often, is told that first; and a service may not tell what there is.
		other := slices.Contains([]int{401, 403, 404, 429}, status)
		allowed := status == http.StatusMethodNotAllowed && response.Header.Get("Allow") != ""
		v.mark(fault, !allowed && !other && class != 3, allowed)
		v.want(fault, []string{"405"})
		return v
	}
	if aspect == LikeGet {
		// A service that has no HEAD may say so in whatever way, and an application for browsers may stand behind all other requests.
		v.mark(fault, class == 5, class == 2 || op.Redirects(status))
		return v
	}
	silent := op.Silent()
	succeeds, accepts := op.Succeeds(response), op.Accepts(response)
	v.mark(Success, class == 2 && op.Answer(status) == nil && !silent, succeeds)
	if v.Wanted == nil && len(v.Broken) > 0 {
		v.Wanted = successes(op)
	}
	switch aspect {
	case Keeps, Differs, Allowed, Unknown, Follows, LetIn, Ignores:
		v.mark(Available, class == 5 && !explicitly(op, status), true)
		v.mark(Documented, (class == 3 || class == 4) && op.Answer(status) == nil && !silent, class == 3 || class == 4)
	case Open, Breaks, Unauthorized, Forbidden, Unlisted, Elsewhere, LikeGet, Lives:
		v.mark(Robust, class == 5 && !explicitly(op, status), true)
	}
	if status == http.StatusTooManyRequests {
		aspect = Open // it speaks of how much was asked, not of what
	}
	switch aspect {
	case Differs:
		v.mark(Accepted, status == 400 || status == 415 || status == 422, succeeds)
		v.want(Accepted, successes(op))
	case Breaks:
		v.mark(fault, accepts || failsInstead(op, status, documentsRefusalOf(op, fault)), class == 4)
		v.want(fault, refusals(op))
		if listsRefusals(op) {
			v.mark(Refusal, class == 4 && op.Answer(status) == nil && !slices.Contains(before, status), class == 4)
			v.want(Refusal, refusals(op))
		}
	case Unknown:
		// An identifier may also be refused for its form, and what it names may be gone, where the contract says so. What is sent may
		// be in conflict with what the same body created before, and the order of checks is open.
		other := slices.Contains([]int{400, 410, 422}, status) && explicitly(op, status) || status == http.StatusPreconditionFailed && resource.Demands(op) != nil ||
			status == http.StatusConflict && op.Body != nil
		v.mark(fault, accepts || class == 4 && status != http.StatusNotFound && !other, status == http.StatusNotFound)
		v.want(fault, []string{"404"})
	case Unauthorized:
		wanted := []string{"401", "403"}
		if exactly(op, http.StatusUnauthorized) != nil {
			wanted = wanted[:1]
		}
		right := status == http.StatusUnauthorized || status == http.StatusForbidden && len(wanted) == 2
		right = right || op.Redirects(status) && !succeeds // to where one logs in
		v.mark(fault, !right && class != 5 || failsInstead(op, status, exactly(op, http.StatusUnauthorized) != nil), right)
		v.want(fault, wanted)
	case Forbidden:
		// Who is known may be told that it is not allowed, and a service may hide what there is.
		v.mark(fault, succeeds, slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound}, status))
		v.want(fault, []string{"401", "403"})
	case LetIn:
		// Who is known may lack a right that others have, and a service may hide what there is.
		v.mark(fault, status == http.StatusUnauthorized, succeeds)
		v.want(fault, successes(op))
	case Ignores:
		// Other statuses may be for a parameter that the operation does not list, or for what was sent before.
		refused := status == http.StatusUnauthorized || status == http.StatusForbidden
		v.mark(fault, refused && !explicitly(op, status), succeeds)
		v.want(fault, successes(op))
	case Follows:
		v.mark(fault, slices.Contains([]int{400, 404, 410, 422}, status), succeeds)
		v.want(fault, successes(op))
	case Open, Keeps, Allowed, Unlisted, Elsewhere, LikeGet, Lives:
	}
	// What fails a run comes first.
	slices.SortStableFunc(v.Broken, func(a, b Kind) int { return rank(a) - rank(b) })
	return v
}

// failsInstead reports whether a status is a server error in the place of a refusal that the operation documents, where the document leaves
// no room for server errors: it lists none, and has no default, which stands for all that it does not list. What a gateway answers says
// nothing of the service behind it.
func failsInstead(op *spec.Operation, status int, refusalDocumented bool) bool {
	if status/100 != 5 || !refusalDocumented || slices.Contains([]int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, status) {
		return false
	}
	return op.Answer(status) == nil
}

// documentsRefusalOf reports whether an operation documents how it refuses a kind of fault.
func documentsRefusalOf(op *spec.Operation, fault Kind) bool {
	if fault == MediaTypeRefused {
		return op.Answer(http.StatusUnsupportedMediaType) != nil
	}
	return Refuses(op)
}

// mark notes a kind as broken or, where the status was one that could show it, as kept.
func (v *Verdict) mark(k Kind, broken, kept bool) {
	switch {
	case broken:
		v.Broken = append(v.Broken, k)
	case kept:
		v.Kept = append(v.Kept, k)
	}
}

// want sets what would have been right, where a kind is broken.
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

// explicitly reports whether an operation documents a status itself or its range. A default says nothing of a server error: it
// stands for whatever the document does not list.
func explicitly(op *spec.Operation, status int) bool {
	a := op.Answer(status)
	return a != nil && a.Class() != 0
}

// before are statuses by which what stands before a service, or its framework, refuses requests that the service never saw.
var before = []int{
	http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusProxyAuthRequired,
	http.StatusRequestTimeout, http.StatusConflict, http.StatusGone, http.StatusLengthRequired, http.StatusPreconditionFailed, http.StatusRequestEntityTooLarge,
	http.StatusRequestURITooLong, http.StatusUnsupportedMediaType, http.StatusMisdirectedRequest, http.StatusLocked, http.StatusTooEarly, http.StatusUpgradeRequired,
	http.StatusPreconditionRequired, http.StatusTooManyRequests, http.StatusRequestHeaderFieldsTooLarge, http.StatusUnavailableForLegalReasons,
}

// listsRefusals reports whether an operation lists the statuses by which it refuses requests, rather than to say that any may come.
func listsRefusals(op *spec.Operation) bool {
	return Refuses(op) && !slices.ContainsFunc(op.Answers, func(a spec.Answer) bool { return a.Status == 0 && (a.Class() == 4 || a.Class() == 0) })
}

// notOfTheRequest are statuses of the class 4 that say nothing of what the request holds.
var notOfTheRequest = []int{
	http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusConflict, http.StatusGone,
	http.StatusTooManyRequests,
}

// refusals are the documented keys by which an operation refuses a request for what it holds; all of the class where it documents no
// other. A default beside them stands for refusals too.
func refusals(op *spec.Operation) []string {
	var all []string
	for i := range op.Answers {
		if a := &op.Answers[i]; a.Class() == 4 && !slices.Contains(notOfTheRequest, a.Status) {
			all = append(all, a.Key)
		}
	}
	if len(all) == 0 {
		return []string{"4xx"}
	}
	return all
}

// successes are the documented keys of the class 2, or a word for all of the class.
func successes(op *spec.Operation) []string {
	var all []string
	for i := range op.Answers {
		if a := &op.Answers[i]; a.Class() == 2 {
			all = append(all, a.Key)
		}
	}
	if len(all) == 0 {
		return []string{"2xx"}
	}
	return all
}
