package second

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Judge is the second judge of a contract. What it needs is built with the first question. It is safe for
// concurrent use; questions are answered one at a time.
type Judge struct {
	contract *spec.Contract
	mu       sync.Mutex
	// models holds the models built so far, by operation, side and the names that they include; nil, with the reason,
	// if that failed.
	models map[string]built
	// hangs says that a question took too long: it may hold mu forever.
	hangs atomic.Bool
}

// oneSide judges one side of the exchanges of an operation, as [model] does. Behind an interface the types of the library stay in this
// package: each package that sees them takes ten seconds more to compile.
type oneSide interface {
	response(ex *spec.Exchange) Result
	request(ex *spec.Exchange) Result
	unjudgedFormat() string
}

type built struct {
	model oneSide
	err   error
}

// New returns the second judge of a contract.
func New(contract *spec.Contract) *Judge {
	return &Judge{contract: contract, models: map[string]built{}}
}

// patience bounds one question; a judge that hangs has no opinion.
const patience = 10 * time.Second

var errNoStatus = errors.New("the contract does not document the status")

// Result is the second judge's opinion on a request or a response as a whole.
type Result struct {
	// Unknown is why it cannot judge, or empty.
	Unknown string
	// Faults is what it finds.
	Faults []Fault
}

// Response judges the response of an exchange.
func (j *Judge) Response(ex *spec.Exchange) Result { return j.judge(ex, responseSide) }

// Request judges the request of an exchange. Credentials are not looked at.
func (j *Judge) Request(ex *spec.Exchange) Result { return j.judge(ex, requestSide) }

// judge asks a question with a timeout; after one timeout, no more questions are asked. A panic means no opinion.
func (j *Judge) judge(ex *spec.Exchange, s side) Result {
	if j.hangs.Load() {
		return Result{Unknown: "a question before took too long"}
	}
	done := make(chan Result, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- Result{Unknown: "it failed: " + short(fmt.Sprint(p))}
			}
		}()
		j.mu.Lock()
		defer j.mu.Unlock()
		done <- j.ask(ex, s)
	}()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case r := <-done:
		return r
	case <-limit.C:
		j.hangs.Store(true)
		return Result{Unknown: "it took too long"}
	}
}

// ask judges one side of an exchange.
func (j *Judge) ask(ex *spec.Exchange, s side) Result {
	op, ok := j.contract.Operation(ex.Operation)
	switch {
	case !ok:
		return Result{Unknown: "the contract has no such operation"}
	case s == responseSide && ex.Response == nil:
		return Result{Unknown: "no response came"}
	case s == responseSide && ex.Response.Cut():
		return Result{Unknown: "only a part of the body was kept"}
	}
	if s == responseSide && len(ex.Response.Body) > 0 && !isJSON(contentType(ex.Response.Header)) && describesBody(op, ex.Response.Status) {
		return Result{Unknown: "not JSON"}
	}
	m, err := j.model(op, ex, s)
	if err != nil {
		return Result{Unknown: short(err.Error())}
	}
	if s == responseSide {
		return m.response(ex)
	}
	return m.request(ex)
}

// describesBody reports whether the documented response of a status has a body.
func describesBody(op *spec.Operation, status int) bool {
	a := op.ResponseFor(status)
	return a != nil && len(a.Content) > 0
}

// model returns the model of one side of an operation.
func (j *Judge) model(op *spec.Operation, ex *spec.Exchange, s side) (oneSide, error) {
	need := needed{method: op.Method, path: op.Path, pointer: op.Pointer, side: s}
	if s == responseSide {
		a := op.ResponseFor(ex.Response.Status)
		if a == nil {
			return nil, errNoStatus
		}
		need.response = a.Key
	}
	key := fmt.Sprintf("%d %s %s", s, op.ID, need.response)
	found, known := j.models[key]
	if !known {
		found = j.build(need)
		j.models[key] = found
	}
	if !errors.Is(found.err, errLarger) {
		return found.model, found.err
	}
	body := ex.Request.Body
	if s == responseSide {
		body = ex.Response.Body
	}
	names, listed := namesIn(body)
	key += " " + listed
	if found, known = j.models[key]; !known {
		need.names = names
		found = j.build(need)
		j.models[key] = found
	}
	return found.model, found.err
}

// build reduces the contract to what an operation needs, and makes a model of it.
func (j *Judge) build(n needed) (b built) {
	defer func() {
		if p := recover(); p != nil {
			b = built{err: fmt.Errorf("it cannot read the contract: %v", p)}
		}
	}()
	doc, err := reduce(j.contract.Document(), n)
	if n.names == nil && errors.Is(err, errTooMuch) {
		return built{err: errLarger}
	}
	if err != nil {
		return built{err: err}
	}
	switch {
	case len(doc) > maxBuilt && n.names == nil:
		return built{err: errLarger}
	case len(doc) > maxBuilt:
		return built{err: errTooMuch}
	}
	m, err := build([]byte(doc), n.path)
	if err != nil {
		return built{err: fmt.Errorf("it cannot read the contract: %w", err)}
	}
	return built{model: m}
}

// short is a text of the second judge or about it, as it is shown.
func short(s string) string {
	const most = 240
	return text.Truncate(text.Visible(s), most)
}

// Library is a module of the second judge, with the version that was built in.
type Library struct {
	Path    string `json:"path"`
	Version string `json:"version"`
}

// Libraries returns the modules of the second judge.
func Libraries() []Library {
	all := []Library{{Path: "github.com/pb33f/libopenapi-validator"}, {Path: "github.com/pb33f/libopenapi"}}
	info, ok := debug.ReadBuildInfo()
	for i := range all {
		all[i].Version = "(unknown version)"
		if !ok {
			continue
		}
		for _, m := range info.Deps {
			if m.Path == all[i].Path {
				all[i].Version = m.Version
			}
		}
	}
	return all
}
