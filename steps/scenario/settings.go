package scenario

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// settings holds the original values of shared settings that allowed operations change, by path and the stated values
// in it: /areas/{area} is one setting for each area.
type settings struct {
	mu     sync.Mutex
	before map[string]setting
	keys   []string // in the order in which they were read
}

type setting struct {
	reader *spec.Operation
	// set is the first request that was to change it, whose path names it.
	set   request.Request
	value map[string]any
}

// settingOf returns a request for the setting that a request changes, and its key. known reports whether the contract has that setting. A
// value of the path that the contract does not list counts as a listed one that differs only in case or in white space around it, since
// services take one for the other; any other names nothing that could be restored.
func settingOf(r *Run, set request.Request) (of request.Request, key string, known bool) {
	of, key = set, set.Operation.Path
	for _, slot := range resource.SlotsOf(set.Operation) {
		place := request.PlaceOf(slot.Parameter)
		value, there := set.Value(place)
		if !there {
			value, there = set.Text(place)
		}
		if there && slot.Parameter.Schema != nil && !r.Promises.Valid(slot.Parameter.Schema, value) {
			value, there = listedLike(slot.Parameter.Schema, value)
			of = of.With(place, value)
		}
		if !there {
			return set, "", false
		}
		key += fmt.Sprintf("\x00%v", value)
	}
	return of, key, true
}

// listedLike returns the value of a schema's enum that differs from another one only in case or in white space around it.
func listedLike(s *spec.Schema, value any) (any, bool) {
	text := strings.TrimSpace(fmt.Sprint(value))
	for _, literal := range append(slices.Clone(s.Enum), s.Const) {
		listed, err := exactjson.Decode([]byte(literal))
		if err == nil && strings.EqualFold(strings.TrimSpace(fmt.Sprint(listed.Tree)), text) {
			return listed.Tree, true
		}
	}
	return nil, false
}

// inPathOf returns a request with the values that the path of another one has in the same places.
func inPathOf(other, r request.Request) request.Request {
	values := map[string]any{}
	for _, slot := range resource.SlotsOf(other.Operation) {
		values[slot.Key], _ = other.Value(request.PlaceOf(slot.Parameter))
	}
	for _, slot := range resource.SlotsOf(r.Operation) {
		if value := values[slot.Key]; value != nil {
			r = r.With(request.PlaceOf(slot.Parameter), value)
		}
	}
	return r
}

// remember reads the value that a request is about to change, so that it can be restored. It ends the scenario if
// that is impossible.
func (c *Caller) remember(ctx context.Context, r request.Request) error {
	reader := c.run.resources.inferred.Setting(r.Operation)
	if reader == nil || c.run.permit(reader) != nil {
		return nil //nolint:nilerr // what may not be read cannot be restored
	}
	all := &c.run.resources.settings
	of, key, known := settingOf(c.run, r)
	if !known || all.known(key) {
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
	a, err := c.Ask(ctx, inPathOf(of, plain[0]), with, "to read the value that is restored later")
	if err != nil {
		return err
	}
	value, is := a.Value.Tree.(map[string]any)
	if a.Status()/100 != 2 || !is {
		return Stopf("%s is not called: the value that it sets cannot be read before, to restore it: %s", r.Operation.ID, quoteAnswer(a))
	}
	all.keepFirst(key, setting{reader, of, value})
	return nil
}

func (all *settings) known(key string) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	_, known := all.before[key]
	return known
}

// keepFirst records the first value only: nothing is written before it, so a later read may already show what a
// scenario has set.
func (all *settings) keepFirst(key string, before setting) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if _, known := all.before[key]; known {
		return
	}
	if all.before == nil {
		all.before = map[string]setting{}
	}
	all.before[key] = before
	all.keys = append(all.keys, key)
}

// PutBack restores the values that allowed operations have changed. It returns a sentence for each value that
// could not be restored, for people to fix.
func (r *Run) PutBack(ctx context.Context) (failed []string) {
	all := &r.resources.settings
	all.mu.Lock()
	defer all.mu.Unlock()
	c := &cleanup{run: r, removed: map[string]bool{}, failed: map[string]int{}}
	ctx = client.BeyondLimits(ctx)
	for _, key := range all.keys {
		was := all.before[key]
		if why := c.putBack(ctx, was); why != "" {
			failed = append(failed, fmt.Sprintf("the value that %s shows could not be restored: %s", was.reader.ID, why))
		}
	}
	all.before, all.keys = nil, nil
	return failed
}

// putBack restores one value, and returns why that failed, or "".
func (c *cleanup) putBack(ctx context.Context, was setting) string {
	var writers []*spec.Operation
	operations := c.run.Contract.Operations()
	for _, method := range []string{http.MethodPut, http.MethodPost, http.MethodPatch} {
		for i := range operations {
			op := &operations[i]
			if op.Path == was.set.Operation.Path && op.Method == method && op.Body != nil && slices.Contains(c.run.Target.Allowed, op.ID) {
				writers = append(writers, op)
			}
		}
	}
	differs := func(writer *spec.Operation) (bool, string) {
		now, why := c.readObject(ctx, was)
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
		response, err := c.send(ctx, inPathOf(was.set, plain[0]).WithBody(media, resource.Sets(writer, was.value)), with)
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

// readObject returns the object that shows a setting, or why none does.
func (c *cleanup) readObject(ctx context.Context, was setting) (map[string]any, string) {
	reader := was.reader
	plain, err := c.run.Promises.Requests(reader)
	if err != nil {
		return nil, err.Error()
	}
	caller := Caller{run: c.run}
	with, err := caller.Entitled(ctx, reader)
	if err != nil {
		return nil, err.Error()
	}
	response, err := c.send(ctx, inPathOf(was.set, plain[0]), with)
	if err != nil {
		return nil, err.Error()
	}
	value, err := exactjson.Decode(response.Body)
	if now, is := value.Tree.(map[string]any); err == nil && is && response.Status/100 == 2 {
		return now, ""
	}
	return nil, fmt.Sprintf("%s is answered %d", reader.ID, response.Status)
}
