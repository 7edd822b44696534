package scenario

import (
	"fmt"
	"slices"
	"strings"

	"hallmark/spec"
	"hallmark/spec/request"
	"hallmark/spec/resource"
)

// Names that nothing else has, in the requests that create resources: services refuse names that are taken, and some answer such a
// request with what was there before, which is not the run's own.

// freshTexts returns made-up texts that a schema may admit, the plainest first.
func freshTexts(s *Scenario, schema *spec.Schema) []string {
	all := s.Run.resources
	all.mu.Lock()
	all.names++
	n := all.names
	all.mu.Unlock()
	long := fmt.Sprintf("%s-%05d", s.Run.marker, n)
	if schema != nil && schema.Format == "email" {
		return []string{long + "@example.com"}
	}
	return []string{long, fmt.Sprintf("h%s%04d", s.Run.ID, n), fmt.Sprintf("H%s%04d", strings.ToUpper(s.Run.ID), n)}
}

// fresh returns a request with new names in its body, and without an identifier that its client need not choose.
func fresh(s *Scenario, r request.Request) request.Request {
	body, _, ok := r.Body()
	members, object := body.(map[string]any)
	if !ok || !object {
		return r
	}
	schema := r.Operation.Body.Schema()
	valid := func(r request.Request) bool {
		changed, _, _ := r.Body()
		return schema == nil || s.Run.Promises.Valid(schema, changed)
	}
	if _, p, creates := s.Run.resources.of.Creates(r.Operation); creates && len(p.Sent) == 1 && len(p.Path) > 0 {
		if _, there := members[p.Sent[0].Name]; there {
			if without, err := r.WithoutBodyAt("/" + p.Sent[0].Name); err == nil && valid(without) {
				r = without
			}
		}
	}
	for _, p := range resource.Naming(r.Operation) {
		now, _, _ := r.Body()
		members, _ := now.(map[string]any)
		if _, is := members[p.Name].(string); !is {
			continue
		}
		texts := freshTexts(s, p.Schema)
		i := slices.IndexFunc(texts, func(text string) bool { return s.Run.Promises.Valid(p.Schema, text) })
		if i < 0 {
			continue
		}
		if with, err := r.WithBodyAt("/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(p.Name), texts[i]); err == nil && valid(with) {
			r = with
		}
	}
	return r
}

// freshFirst returns requests with new names, and behind them those that differ as they were.
func freshFirst(s *Scenario, candidates []request.Request) []request.Request {
	var all, behind []request.Request
	for _, r := range candidates {
		fresh := fresh(s, r)
		all = append(all, fresh)
		if !fresh.Equal(r) {
			behind = append(behind, r)
		}
	}
	return append(all, behind...)
}
