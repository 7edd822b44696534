package steps

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// probeResults is what the preflight learned from operations that did not respond as a service that accepts the
// run.
type probeResults struct {
	// foreign holds responses that another server could give.
	foreign []*scenario.Answer
	// refusals holds responses that refuse the key, or everything.
	refusals []*scenario.Answer
	// hung says why an operation did not respond in time.
	hung error
	// silent counts the operations that did not respond.
	silent int
	// warn holds warnings that are deferred until it is known who answers.
	warn []func()
}

// unasked reports whether an error says that an operation cannot or must not be called.
func unasked(err error) bool { return errors.As(err, new(scenario.Stop)) }

// refuses reports whether a response refuses the credential, or everything, and records it: nothing can be judged by
// it.
func (p *probeResults) refuses(a *scenario.Answer) bool {
	if !slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}, a.Status()) {
		return false
	}
	p.refusals = append(p.refusals, a)
	return true
}

// conclude returns why nothing can be judged if no operation accepted the run.
func (p *probeResults) conclude(r *engine) error {
	switch {
	case p.hung != nil:
		return p.hung
	case len(p.refusals) == 0:
		return r.allLocked() // the run may call more operations than the preflight
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
		return nil // some operations may need other rights, and the others are open
	}
	slices.Sort(statuses)
	said := fmt.Sprintf("every called operation of %s answered %s", r.Target.BaseURL, text.Enumerate(statuses, "or"))
	switch {
	case slices.Equal(statuses, []string{"429"}):
		return Unreachable{Reason: said + ", too many requests", Remedy: "wait until the service accepts requests again; --rate sends more slowly"}
	case anonymous:
		return Unreachable{Reason: said + ", though the contract asks for no credential", Remedy: mayRequireOne}
	}
	return Unreachable{Reason: "the credential was refused: " + said, Remedy: fmt.Sprintf("check %s: is it complete, for this service, and allowed to call these operations?", keyHint(r))}
}

// probesLeave reports whether the contract has operations that a preflight could have called and did not.
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

// locked reports whether the run lacks the credential that an operation requires.
func (r *engine) locked(op *spec.Operation) (scheme.Missing, bool) {
	return errors.AsType[scheme.Missing](r.Target.Keyring.Lacks(op, r.Target.Role))
}

// allLocked returns which credentials are missing if the run can call no operation without them; nil if it can
// call some.
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

// keyHint names the places where the credentials of the run were found; if it has none, those where they may be given.
func keyHint(r *engine) string {
	var names []string
	for _, secret := range r.Target.Keyring.Roles[r.Target.Role].Secrets {
		if secret.Place != "" && !slices.Contains(names, secret.Place) {
			names = append(names, secret.Place)
		}
	}
	slices.Sort(names)
	switch {
	case len(names) > 0:
		return text.Enumerate(names, "or")
	case r.Target.KeyPlace != "":
		return r.Target.KeyPlace
	}
	for _, s := range scheme.All(r.Contract.Operations()) {
		if name := scheme.Variable(s.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.TrimPrefix(text.Enumerate(append(names, "HALLMARK_API_KEY"), "or"), "or ")
}

// probes returns the operations of a method with which the preflight finds out who answers: first those for which
// there are credentials, and among them those with the fewest path parameters.
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
		if scenario.Streams(op) { // a stream may be silent for a long time
			n += lockedRank / 2
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b spec.Operation) int { return rank(&a) - rank(&b) })
	return all[:min(len(all), mostProbes)]
}

// mayRequireOne is the remedy where an operation refuses requests although the contract asks for no credential.
const mayRequireOne = "something in front of the service may require one: --secret-header and --secret-query send it"
