package steps

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/steps/credentials/scheme"
	"hallmark/steps/scenario"
)

// probed is what the preflight saw of those who do not answer as a service that lets the run in.
type probed struct {
	// foreign are responses that a stranger could give.
	foreign []*scenario.Answer
	// refusals are responses that refuse the key, or whatever is asked.
	refusals []*scenario.Answer
	// hung says why an operation gave no response in time.
	hung error
	// silent counts the operations that gave none.
	silent int
	// warn are warnings that are put off until it is known who answers.
	warn []func()
}

// unasked reports whether an error says that no request of an operation can be made, or that none may be. Only contracts whose rules
// follow from them alone hold such operations.
func unasked(r *engine, err error) bool {
	return r.Promises != nil && errors.As(err, new(scenario.Stop))
}

// refuses reports whether a response refuses the key, and keeps it. Where the rules follow from the contract alone, whoever answers
// 403 or 429 refuses too: nothing could be judged by that.
func (p *probed) refuses(s *scenario.Scenario, a *scenario.Answer) bool {
	status := a.Status()
	if status != http.StatusUnauthorized && (s.Run.Promises == nil || status != http.StatusForbidden && status != http.StatusTooManyRequests) {
		return false
	}
	p.refusals = append(p.refusals, a)
	return true
}

// conclude says that nothing can be judged, where no operation let the run in.
func (p *probed) conclude(r *engine) error {
	switch {
	case p.hung != nil:
		return p.hung
	case len(p.refusals) == 0:
		return r.allLocked() // what the preflight may ask is not all that the run may
	case r.Promises == nil:
		return Unreachable{Reason: fmt.Sprintf("the key was refused: every operation of %s answered 401; check %s: is it the key of this service, and whole?",
			r.Target.BaseURL, r.Target.KeyHint())}
	}
	statuses, limited, anonymous := []string{}, false, true
	for _, a := range p.refusals {
		if text := strconv.Itoa(a.Status()); !slices.Contains(statuses, text) {
			statuses = append(statuses, text)
		}
		op, known := r.Contract.Operation(a.Exchange.Operation)
		limited = limited || a.Status() != http.StatusUnauthorized
		anonymous = anonymous && known && op.Anonymous()
	}
	if limited && r.probesLeave() {
		return nil // some operations may be for others, and the rest is open
	}
	slices.Sort(statuses)
	said := fmt.Sprintf("every operation of %s that was asked answered %s", r.Target.BaseURL, text.Enumerate(statuses, "or"))
	switch {
	case slices.Equal(statuses, []string{"429"}):
		return Unreachable{Reason: said + ", too many requests", Remedy: "wait until the service takes requests again; --rate asks more slowly"}
	case anonymous:
		return Unreachable{Reason: said + ", though the contract asks for no credential", Remedy: "something before the service may ask for one: --secret-header sends it"}
	}
	return Unreachable{Reason: "the credential was refused: " + said, Remedy: fmt.Sprintf("check %s: is it of this service, whole, and allowed to call these operations?", keyHint(r))}
}

// probesLeave reports whether the contract has operations that a preflight could ask and did not.
func (r *engine) probesLeave() bool {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		n := 0
		for _, op := range r.Contract.Operations() {
			if op.Method == method {
				n++
			}
		}
		if n > mostProbes {
			return true
		}
	}
	return false
}

// locked reports whether the run lacks the credential that an operation demands.
func (r *engine) locked(op *spec.Operation) (scheme.Missing, bool) {
	if r.Target.Keyring == nil {
		return scheme.Missing{}, false
	}
	return errors.AsType[scheme.Missing](r.Target.Keyring.Lacks(op, r.Target.Role))
}

// allLocked returns what is missing where the run can call no operation for want of credentials; nil where it can call some.
func (r *engine) allLocked() error {
	var all scheme.Missing
	for _, op := range r.Contract.Operations() {
		missing, locked := r.locked(&op)
		if !locked {
			return nil
		}
		all.Alternatives, all.Key = append(all.Alternatives, missing.Alternatives...), all.Key || missing.Key
	}
	return errors.New("each operation of the contract demands a credential, and none is given; " + all.Remedy())
}

// keyHint names the places that a credential was given in, or may be.
func keyHint(r *engine) string {
	if r.Target.KeyPlace != "" {
		return r.Target.KeyPlace
	}
	var names []string
	for _, s := range scheme.All(r.Contract.Operations()) {
		if name := scheme.Variable(s.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.TrimPrefix(text.Enumerate(append(names, "HALLMARK_API_KEY"), "or"), "or ")
}

// probes returns the operations of a method by which it is found out who answers, those first for which credentials are there, and
// of them those that need the fewest parameters in their paths.
func (r *engine) probes(method string) []spec.Operation {
	all := slices.DeleteFunc(r.Contract.Operations(), func(op spec.Operation) bool {
		_, gone := r.Removed[op.ID]
		return gone || op.Method != method
	})
	rank := func(op *spec.Operation) int {
		n := strings.Count(op.Path, "{")
		if _, locked := r.locked(op); locked {
			n += lockedRank
		}
		if scenario.Streams(op) { // it may have nothing to send for a long time
			n += lockedRank / 2
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b spec.Operation) int { return rank(&a) - rank(&b) })
	return all[:min(len(all), mostProbes)]
}
