package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/prose"
	"github.com/hallmark-kit/hallmark/spec/refusal"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// repairSearch is the order in which bodies are tried.
type repairSearch struct {
	s     *Scenario
	tried []attempt
	seen  []request.Request
	// guided are corrections of refused requests; they come before the others.
	guided, others []request.Request
	// pointers are the members of all plain bodies, named those that refusals complain about.
	pointers, named []string
}

func newRepairSearch(s *Scenario, op *spec.Operation, tried []attempt) *repairSearch {
	x := &repairSearch{s: s, tried: tried}
	for _, one := range tried {
		x.seen = append(x.seen, one.request)
		body, _, _ := one.request.Body()
		members := membersOf(body, "", 0)
		if schema := promise.BodySchema(one.request); schema != nil { // no plain body has a member whose schema cannot be read
			for _, p := range schema.Properties {
				members = append(members, jsonpointer.Join("", p.Name))
			}
		}
		for _, pointer := range members {
			if !slices.Contains(x.pointers, pointer) {
				x.pointers = append(x.pointers, pointer)
			}
		}
	}
	slices.Sort(x.pointers)
	for _, one := range tried {
		x.guided = append(x.guided, x.corrected(one)...)
	}
	x.others = append(x.others, s.Run.Promises.Variants(op)...)
	full, least := x.largest(), x.smallest()
	var without, added []request.Request
	for _, name := range slices.Sorted(maps.Keys(objectOf(full))) {
		if r, err := full.WithoutBodyAt(jsonpointer.Join("", name)); err == nil {
			without = append(without, r)
		}
		if _, has := objectOf(least)[name]; !has {
			if r, err := least.WithBodyAt(jsonpointer.Join("", name), objectOf(full)[name]); err == nil {
				added = append(added, r)
			}
		}
	}
	for i := range max(len(without), len(added)) { // one of each in turn
		x.others = append(x.others, without[min(i, len(without)):min(i+1, len(without))]...)
		x.others = append(x.others, added[min(i, len(added)):min(i+1, len(added))]...)
	}
	return x
}

// next returns the next request that was not sent yet and conforms to the contract.
func (x *repairSearch) next() (request.Request, bool) {
	for len(x.guided)+len(x.others) > 0 {
		queue := &x.guided
		if len(x.guided) == 0 {
			queue = &x.others
		}
		r := (*queue)[0]
		*queue = (*queue)[1:]
		if !slices.ContainsFunc(x.seen, r.Equal) && keepsSchema(x.s.Run, r) && len(promise.Raised(Modest(x.s, r))) >= len(promise.Raised(r)) {
			x.seen = append(x.seen, r)
			return r, true
		}
	}
	return request.Request{}, false
}

// refused adds the corrections that a refusal asks for.
func (x *repairSearch) refused(one attempt) { x.guided = append(x.corrected(one), x.guided...) }

// objectOf returns the members of the body of a request.
func objectOf(r request.Request) map[string]any {
	body, _, _ := r.Body()
	members, _ := body.(map[string]any)
	return members
}

// largest and smallest return the refused plain requests with the most and the fewest members.
func (x *repairSearch) largest() request.Request {
	return slices.MaxFunc(x.tried, func(a, b attempt) int { return len(objectOf(a.request)) - len(objectOf(b.request)) }).request
}

func (x *repairSearch) smallest() request.Request {
	return slices.MinFunc(x.tried, func(a, b attempt) int { return len(objectOf(a.request)) - len(objectOf(b.request)) }).request
}

func (x *repairSearch) full() map[string]any  { return objectOf(x.largest()) }
func (x *repairSearch) least() map[string]any { return objectOf(x.smallest()) }

// membersOf returns the pointers of the members in a value, of lists those in the first item.
func membersOf(value any, pointer string, depth int) []string {
	const deepest = 4
	var all []string
	if depth == deepest {
		return nil
	}
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			at := jsonpointer.Join(pointer, name)
			all = append(append(all, at), membersOf(inner, at, depth+1)...)
		}
	case []any:
		if len(v) > 0 {
			all = membersOf(v[0], jsonpointer.Join(pointer, "0"), depth+1)
		}
	}
	return all
}

// corrected returns a refused request with all members corrected that the response names, and then with each of them alone.
func (x *repairSearch) corrected(one attempt) []request.Request {
	sent, _, _ := one.request.Body()
	complaints := refusal.Read(one.answer.Exchange.Response.Body, x.pointers, sent)
	var all []request.Request
	whole, n := one.request, 0
	for _, c := range complaints {
		if !slices.Contains(x.named, c.Pointer) {
			x.named = append(slices.Clip(x.named), c.Pointer)
		}
		if givenAt(x.s.Run, one.request, c.Pointer) {
			continue
		}
		first := true
		for _, change := range x.changes(one.request, c) {
			if r, err := change(one.request); err == nil {
				all = append(all, r)
			}
			if r, err := change(whole); err == nil && first && keepsSchema(x.s.Run, r) {
				whole, n, first = r, n+1, false
			}
		}
	}
	if n > 1 {
		all = append([]request.Request{whole}, all...)
	}
	return all
}

// demand matches what refusals say of a member that is missing.
var demand = regexp.MustCompile(`(?i)\b(required|missing|blank|null|empty|must be (present|given|provided|set)|notnull|notblank|notempty)\b`)

type bodyChange func(request.Request) (request.Request, error)

// changes returns how the member that a refusal complains about may be corrected, the most promising first: one that is absent gets a value,
// one that is optional is left out, and others get other values.
func (x *repairSearch) changes(r request.Request, c refusal.Complaint) []bodyChange {
	body, _, _ := r.Body()
	tokens := jsonpointer.Tokens(c.Pointer)
	now, there := exactjson.Lookup(body, tokens)
	set := func(value any) bodyChange {
		return func(r request.Request) (request.Request, error) { return r.WithBodyAt(c.Pointer, value) }
	}
	leaveOut := func(r request.Request) (request.Request, error) { return r.WithoutBodyAt(c.Pointer) }
	var values []any
	add := func(value any) {
		if (!there || fmt.Sprint(value) != fmt.Sprint(now)) && !slices.ContainsFunc(values, func(v any) bool { return fmt.Sprint(v) == fmt.Sprint(value) }) {
			values = append(values, value)
		}
	}
	schema := resource.At(promise.BodySchema(r), tokens)
	if there {
		for _, value := range demanded(x.s, c.Text, now) {
			add(value)
		}
	}
	if _, is := now.(string); schema != nil && (is || !there) {
		for _, said := range prose.Examples(schema.Description) {
			if like, ok := freshLike(x.s, said); ok {
				add(like)
			}
		}
	}
	if schema != nil && slices.Contains(schema.Types, "array") {
		add([]any{})
	}
	for _, one := range slices.Backward(x.tried) { // the largest bodies come last
		other, _, _ := one.request.Body()
		if value, has := exactjson.Lookup(other, tokens); has {
			add(value)
		}
	}
	for _, listed := range resource.EnumOf(schema) {
		if d, err := exactjson.Decode([]byte(listed)); err == nil {
			add(d.Tree)
		}
	}
	const most = 3
	var all []bodyChange
	for _, value := range values[:min(len(values), most)] {
		all = append(all, set(value))
	}
	switch {
	case !there:
		return all
	case demand.MatchString(c.Text):
		return append(all, leaveOut)
	}
	return append([]bodyChange{leaveOut}, all...)
}

var (
	// bound matches a bound of a number in a sentence.
	bound = regexp.MustCompile(`(?i)\b(at least|greater than or equal to|minimum(?: is| of)?|no less than|at most|less than or equal to|maximum(?: is| of)?|no more than|up to|greater than|more than|above|less than|below|between)\s+(-?\d{1,18})\b`)
	// listing matches the values that a sentence lists.
	listing = regexp.MustCompile(`(?i)\b(?:one of|any of|allowed values(?: are)?|allowed|expected|either|permitted)[:\s]*[\[({]?\s*([\w"'` + "`" + `.,|/ -]+)`)
)

// demanded returns values that a sentence demands instead of the present one.
func demanded(s *Scenario, sentence string, now any) []any {
	var all []any
	switch now.(type) {
	case json.Number:
		for _, m := range bound.FindAllStringSubmatch(sentence, 2) {
			n, ok := new(big.Int).SetString(m[2], 10)
			if !ok {
				continue
			}
			switch strings.ToLower(m[1]) {
			case "greater than", "more than", "above":
				n.Add(n, big.NewInt(1))
			case "less than", "below":
				n.Sub(n, big.NewInt(1))
			}
			all = append(all, json.Number(n.String()))
		}
	case string:
		if m := listing.FindStringSubmatch(sentence); m != nil {
			for _, value := range strings.FieldsFunc(m[1], func(c rune) bool { return strings.ContainsRune(",| \"'`", c) }) {
				if value = strings.Trim(value, "."); value != "" && value != "or" && value != "and" {
					all = append(all, value)
				}
			}
		}
		lower, domain := strings.ToLower(sentence), freshText(s.Run, s.Run.resources.nextName())+".example.com"
		for _, form := range []struct{ word, value string }{
			{"email", freshText(s.Run, s.Run.resources.nextName()) + "@example.com"}, {"url", "https://example.com/"}, {"uri", "https://example.com/"},
			{"uuid", "3f2b8c1e-6d4a-4f0b-9a57-2c1d8e7b6a90"}, {"ip address", "192.0.2.1"}, {"ipv4", "192.0.2.1"}, {"ipv6", "2001:db8::1"},
			{"canonical", domain + "."}, {"fqdn", domain + "."}, {"trailing dot", domain + "."}, {"dns name", domain + "."}, {"domain", domain}, {"hostname", domain}, {"host name", domain},
			{"date-time", "2031-03-14T09:00:00Z"}, {"rfc3339", "2031-03-14T09:00:00Z"}, {"future", "2031-03-14T09:00:00Z"}, {"future", "2031-03-14"}, {"date", "2031-03-14"},
		} {
			if strings.Contains(lower, form.word) {
				all = append(all, form.value)
			}
		}
	}
	return all
}

// freshLike returns a made-up text of the form of an example; false for one that may reach somebody. Addresses and domains are below
// example.com, whoever's the example names.
func freshLike(s *Scenario, example string) (like string, ok bool) {
	fresh := func() string { return freshText(s.Run, s.Run.resources.nextName()) }
	switch {
	case strings.HasPrefix(example, "http://"), strings.HasPrefix(example, "https://"):
		return "https://example.com/", true
	case strings.Contains(example, "@"):
		return fresh() + "@example.com", true
	case domainName.MatchString(example):
		return fresh() + ".example.com" + example[len(strings.TrimSuffix(example, ".")):], true
	case numberOfPhone.MatchString(example):
		return "", false
	}
	return example, true
}

// numberOfPhone matches texts that may be numbers of telephones.
var numberOfPhone = regexp.MustCompile(`^[+(]?[0-9][0-9 ()./-]{5,}$`)

// domainName matches the name of a domain, with or without the dot of the root.
var domainName = regexp.MustCompile(`^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}\.?$`)
