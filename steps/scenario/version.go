package scenario

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// Services may want the version of a resource back in the body of each change, and refuse one that is not the current one.

// versions holds what a run knows of such members, by operation.
type versions struct {
	mu sync.Mutex
	// needed are the operations that succeeded with the current version after another one was refused; read are the versions that were
	// filled in.
	needed map[string]bool
	read   map[string][]string
}

// refusesVersion reports whether a response may refuse a version that is not the current one.
func refusesVersion(a *Answer) bool {
	return slices.Contains([]int{http.StatusConflict, http.StatusPreconditionFailed, http.StatusPreconditionRequired}, a.Status())
}

// askWithVersion sends a request by send; with the current version of its resource if the operation is known to need that, or once more with it
// after a refusal. A version that a scenario has chosen stays.
func (c *Caller) askWithVersion(ctx context.Context, r request.Request, send func(request.Request) (*Answer, error)) (*Answer, error) {
	name, reader := resource.VersionMember(c.run.resources.inferred, r.Operation)
	if reader == nil || !c.plainVersion(r, name) {
		return send(r)
	}
	all := &c.run.versions
	all.mu.Lock()
	needed := all.needed[r.Operation.ID]
	all.mu.Unlock()
	if needed {
		current, _, err := c.currentVersion(ctx, r, name)
		if err != nil {
			return nil, err
		}
		return send(current)
	}
	a, err := send(r)
	if err != nil || !refusesVersion(a) {
		return a, err
	}
	current, other, err := c.currentVersion(ctx, r, name)
	if err != nil || !other {
		return a, err
	}
	again, err := send(current)
	if err != nil || refusesVersion(again) {
		return a, err
	}
	if again.Succeeded() {
		all.mu.Lock()
		if all.needed == nil {
			all.needed = map[string]bool{}
		}
		all.needed[r.Operation.ID] = true
		all.mu.Unlock()
	}
	return again, nil
}

// plainVersion reports whether a request has the version of a plain request, or one that was read, and no other that matters to a scenario.
func (c *Caller) plainVersion(r request.Request, name string) bool {
	body, _, _ := r.Body()
	tokens := []string{name}
	value, there := exactjson.Lookup(body, tokens)
	if !there || value == nil {
		return false
	}
	c.run.versions.mu.Lock()
	read := slices.Contains(c.run.versions.read[r.Operation.ID], fmt.Sprint(value))
	c.run.versions.mu.Unlock()
	if read {
		return true
	}
	all, _ := c.run.Promises.Requests(r.Operation)
	return slices.ContainsFunc(all, func(plain request.Request) bool {
		body, _, _ := plain.Body()
		was, had := exactjson.Lookup(body, tokens)
		return had && sameScalar(was, value)
	})
}

// currentVersion returns a request with the current version of its resource, and whether that is another one than it had.
func (c *Caller) currentVersion(ctx context.Context, r request.Request, name string) (current request.Request, other bool, err error) {
	_, reader := resource.VersionMember(c.run.resources.inferred, r.Operation)
	read, with, err := c.readOf(ctx, reader, r)
	if err == nil {
		var a *Answer
		if a, err = c.Ask(ctx, read, with, "to learn the version that another request has to name"); err == nil && a.Status()/100 == 2 {
			value, there := exactjson.Lookup(a.Value.Tree, []string{name})
			body, _, _ := r.Body()
			was, _ := exactjson.Lookup(body, []string{name})
			if !there || sameScalar(was, value) {
				return r, false, nil
			}
			if current, no := r.WithBodyAt(jsonpointer.Join("", name), value); no == nil {
				all := &c.run.versions
				all.mu.Lock()
				if all.read == nil {
					all.read = map[string][]string{}
				}
				if text := fmt.Sprint(value); !slices.Contains(all.read[r.Operation.ID], text) {
					all.read[r.Operation.ID] = append(all.read[r.Operation.ID], text)
				}
				all.mu.Unlock()
				return current, true, nil
			}
		}
	}
	if errors.As(err, new(Stop)) {
		err = nil // the request shows by itself what comes of it
	}
	return r, false, err
}
