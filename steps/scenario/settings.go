package scenario

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"sync"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// settings holds the original values of shared settings that allowed operations change, by path.
type settings struct {
	mu     sync.Mutex
	before map[string]setting
	paths  []string // in the order in which they were read
}

type setting struct {
	reader *spec.Operation
	value  map[string]any
}

// remember reads the value that a request is about to change, so that it can be restored. It ends the scenario if
// that is impossible.
func (c *Caller) remember(ctx context.Context, r request.Request) error {
	reader := c.run.resources.inferred.Setting(r.Operation)
	if reader == nil || c.run.permit(reader) != nil {
		return nil //nolint:nilerr // what may not be read cannot be restored
	}
	all := &c.run.resources.settings
	if all.known(r.Operation.Path) {
		return nil
	}
	plain, err := c.run.Promises.Requests(reader)
	if err != nil {
		return Stopf("%s is not called: the value that it sets cannot be read before: %v", r.Operation.ID, err)
	}
	with, err := c.Entitled(ctx, reader)
	if err != nil {
		return Stopf("%s is not called: the value that it sets cannot be read before: %v", r.Operation.ID, err)
	}
	a, err := c.Ask(ctx, plain[0], with, "to read the value that is restored later")
	if err != nil {
		return err
	}
	value, is := a.Value.Tree.(map[string]any)
	if a.Status()/100 != 2 || !is {
		return Stopf("%s is not called: the value that it sets cannot be read before, to restore it: %s", r.Operation.ID, quoteAnswer(a))
	}
	all.keepFirst(r.Operation.Path, setting{reader, value})
	return nil
}

func (all *settings) known(path string) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	_, known := all.before[path]
	return known
}

// keepFirst records the first value only: nothing is written before it, so a later read may already show what a
// scenario has set.
func (all *settings) keepFirst(path string, before setting) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if _, known := all.before[path]; known {
		return
	}
	if all.before == nil {
		all.before = map[string]setting{}
	}
	all.before[path] = before
	all.paths = append(all.paths, path)
}

// PutBack restores the values that allowed operations have changed. It returns a sentence for each value that
// could not be restored, for people to fix.
func (r *Run) PutBack(ctx context.Context) (failed []string) {
	all := &r.resources.settings
	all.mu.Lock()
	defer all.mu.Unlock()
	c := &cleanup{run: r, removed: map[string]bool{}, failed: map[string]int{}}
	ctx = client.BeyondLimits(ctx)
	for _, path := range all.paths {
		was := all.before[path]
		if why := c.putBack(ctx, path, was); why != "" {
			failed = append(failed, fmt.Sprintf("the value that %s shows could not be restored: %s", was.reader.ID, why))
		}
	}
	all.before, all.paths = nil, nil
	return failed
}

// putBack restores one value, and returns why that failed, or "".
func (c *cleanup) putBack(ctx context.Context, path string, was setting) string {
	var writers []*spec.Operation
	operations := c.run.Contract.Operations()
	for _, method := range []string{http.MethodPut, http.MethodPost, http.MethodPatch} {
		for i := range operations {
			op := &operations[i]
			if op.Path == path && op.Method == method && op.Body != nil && slices.Contains(c.run.Target.Allowed, op.ID) {
				writers = append(writers, op)
			}
		}
	}
	differs := func(writer *spec.Operation) (bool, string) {
		now, why := c.readObject(ctx, was.reader)
		if why != "" {
			return true, why
		}
		for name, value := range resource.Sets(writer, was.value) {
			if !reflect.DeepEqual(now[name], value) {
				return true, name + " is another"
			}
		}
		return false, ""
	}
	why := "no operation that --allow names writes it"
	for _, writer := range writers {
		var is bool
		if is, _ = differs(writer); !is {
			return ""
		}
		plain, err := c.run.Promises.Requests(writer)
		if err != nil {
			why = err.Error()
			continue
		}
		_, media, _ := plain[0].Body()
		caller := Caller{run: c.run}
		with, err := caller.Entitled(ctx, writer)
		if err != nil {
			why = err.Error()
			continue
		}
		if media == "" {
			media = writer.Body.Content[0].Type
		}
		response, err := c.send(ctx, plain[0].WithBody(media, resource.Sets(writer, was.value)), with)
		if err != nil {
			why = err.Error()
			continue
		}
		if response.Status/100 != 2 {
			why = fmt.Sprintf("%s is answered %d", writer.ID, response.Status)
			continue
		}
		if is, why = differs(writer); !is {
			return ""
		}
	}
	return why
}

// readObject returns the object that an operation returns, or why it returns none.
func (c *cleanup) readObject(ctx context.Context, reader *spec.Operation) (map[string]any, string) {
	plain, err := c.run.Promises.Requests(reader)
	if err != nil {
		return nil, err.Error()
	}
	caller := Caller{run: c.run}
	with, err := caller.Entitled(ctx, reader)
	if err != nil {
		return nil, err.Error()
	}
	response, err := c.send(ctx, plain[0], with)
	if err != nil {
		return nil, err.Error()
	}
	value, err := exactjson.Decode(response.Body)
	if now, is := value.Tree.(map[string]any); err == nil && is && response.Status/100 == 2 {
		return now, ""
	}
	return nil, fmt.Sprintf("%s is answered %d", reader.ID, response.Status)
}
