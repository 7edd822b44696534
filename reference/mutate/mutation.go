package mutate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
)

// Mutation is a fault as plain data: one change to the responses of one operation, or to its requests before they
// reach the service. It knows no field by name, so it can be derived from a contract.
type Mutation struct {
	// Method and Path, a template ("/things/{id}"), identify the operation; [AnyOther] covers the methods that no
	// operation has. If Operation is set, it is compared with the name that the handler gives the operation.
	Method, Path, Operation string
	// Status selects the responses, or Class all those whose status begins with that digit; both are 0 for changes to
	// requests.
	Status, Class int
	// Do says what is done.
	Do Act
	// At is a place in the JSON body: names of members, [Each] for every item of an array, [LastItem] for the last. Of acts on
	// parameters it holds the parameter's name.
	At []string
	// Value is a JSON text: what is put there, or what a request is repaired with.
	Value string
	// Allowed holds the JSON texts of the values that are good, Low and High the bounds of good numbers.
	Allowed   []string
	Low, High string
	// Type is the JSON type of good values ("string", "integer" …).
	Type string
	// To is another status, Media another Content-Type. Name is the name of a header, or another name for a member.
	To    int
	Media string
	Name  string
	// Wrong says how an accepted request is wrong, and In where its parameter is. A response that is wrong by null has it even if there was
	// no value.
	Wrong Wrong
	In    string
	// Resource is the resource of a mutation that covers several requests, Refusal the response to what it refuses.
	Resource *Resource
	Refusal  *Refusal
}

// Refusal is the response to a refused request.
type Refusal struct {
	Status int               `json:"status"`
	Header map[string]string `json:"header,omitempty"`
	Body   string            `json:"body,omitempty"`
}

// reply refuses.
func (r *Refusal) reply(x *Exchange) {
	a := Response{Status: r.Status, Header: http.Header{}, Body: []byte(r.Body)}
	for name, value := range r.Header {
		a.Header.Set(name, value)
	}
	x.reply(a)
}

// Act is what a mutation does.
type Act string

// The acts on responses.
const (
	// ActDrop removes a member, ActSet replaces its value by Value.
	ActDrop Act = "drop"
	ActSet  Act = "set"
	// ActStatus answers with the status To, ActMedia with the Content-Type Media, none when it is empty.
	ActStatus Act = "status"
	ActMedia  Act = "media"
	// ActNoBody sends no body, ActBody sends Value, ActArray an array that holds the body, ActFirst the first item of the
	// array that the body is, ActEnvelope an object that holds the body.
	ActNoBody   Act = "no-body"
	ActBody     Act = "body"
	ActArray    Act = "array"
	ActFirst    Act = "first"
	ActEnvelope Act = "envelope"
	// ActCut sends half of the body, ActRubbish adds text after it.
	ActCut     Act = "cut"
	ActRubbish Act = "rubbish"
	// ActRename renames a member, ActRetype gives it a value of another type, ActTwice writes it a second time with
	// Value.
	ActRename Act = "rename"
	ActRetype Act = "retype"
	ActTwice  Act = "twice"
	// ActExtra adds the member Name to objects.
	ActExtra Act = "extra"
	// ActHeader sets the header Name to the value Media, or removes it if that is empty.
	ActHeader Act = "header"
	// ActProblem gives problem details another status than that of the response.
	ActProblem Act = "problem"
)

// The acts on requests. Those of the first group repair requests that must be rejected, so that they are accepted. Those of the second
// group reject, with the status To, requests that must be accepted.
const (
	ActMendMissing   Act = "mend-missing"
	ActMendNull      Act = "mend-null"
	ActMendType      Act = "mend-type"
	ActMendEnum      Act = "mend-enum"
	ActMendBounds    Act = "mend-bounds"
	ActMendFraction  Act = "mend-fraction"
	ActMendNoBody    Act = "mend-no-body"
	ActMendMalformed Act = "mend-malformed"

	ActRefuseMember      Act = "refuse-member"
	ActRefuseLeftOut     Act = "refuse-left-out"
	ActRefuseParameter   Act = "refuse-parameter"
	ActRefuseNoParameter Act = "refuse-no-parameter"
	// ActLenient accepts what is refused because it is wrong in one way, ActStrict refuses one value that is allowed.
	ActLenient Act = "lenient"
	ActStrict  Act = "strict"

	// ActLetIn accepts a kind of bad credential; Value names the kind, or is empty for all.
	ActLetIn Act = "let-in"
	// ActShutOut refuses the right credential.
	ActShutOut Act = "shut-out"
)

// Middleware returns the mutation as middleware. It fails if the mutation makes no sense.
func (m Mutation) Middleware() (Middleware, error) {
	if m.Value != "" && m.Do != ActLetIn {
		if _, ok := ReadJSON([]byte(m.Value)); !ok {
			return nil, fmt.Errorf("the mutation's value %q is no JSON", m.Value)
		}
	}
	if known, err := m.withState(); known != nil || err != nil {
		return known, err
	}
	if m.Status != 0 || m.Class != 0 {
		do, err := m.onAnswer()
		if err != nil {
			return nil, err
		}
		return func(x *Exchange, next func()) {
			next()
			if m.answers(x) {
				x.change(do)
			}
		}, nil
	}
	do, err := m.onRequest()
	if err != nil {
		return nil, err
	}
	return func(x *Exchange, next func()) {
		if !m.matches(x) || !do(x) {
			next()
		}
	}, nil
}

// answers reports whether the mutation applies to the response.
func (m Mutation) answers(x *Exchange) bool {
	return (m.Status == x.Status || m.Status == 0 && m.Class == x.Status/100) && m.matches(x)
}

// AnyOther is the method of a mutation about requests to a path whose method no operation has.
const AnyOther = "*"

// matches reports whether the exchange is of the mutation's operation.
func (m Mutation) matches(x *Exchange) bool {
	if m.Operation != "" && x.handler.Operation != nil {
		return x.Operation == m.Operation
	}
	want, got := strings.Split(m.Path, "/"), strings.Split(x.Path, "/")
	if (x.Request.Method != m.Method && (m.Method != AnyOther || x.Operation != "")) || len(want) != len(got) {
		return false
	}
	for i, segment := range want {
		if strings.HasPrefix(segment, "{") && got[i] == "" || !strings.HasPrefix(segment, "{") && segment != got[i] {
			return false
		}
	}
	return true
}

// onAnswer returns the change to a response.
func (m Mutation) onAnswer() (func(x *Exchange), error) {
	value := func() any { v, _ := ReadJSON([]byte(m.Value)); return v }
	if do := onValues(m, value); do != nil {
		return do, nil
	}
	switch m.Do {
	case ActDrop, ActSet:
		if len(m.At) == 0 {
			return nil, fmt.Errorf("the mutation %q has no place in the body", m.Do)
		}
		return func(x *Exchange) {
			x.Edit(func(tree any) any {
				editMembers(tree, m.At, func(object map[string]any, name string) {
					if m.Do == ActDrop {
						delete(object, name)
					} else if _, there := object[name]; there || m.Operation == "" { // what is not shown is not wrong
						object[name] = value()
					}
				})
				return tree
			})
		}, nil
	case ActStatus:
		return func(x *Exchange) {
			x.restatus(m.To)
			if m.To == http.StatusNoContent {
				x.Answer = nil
				x.Header.Del("Content-Type")
			}
		}, nil
	case ActMedia:
		return func(x *Exchange) {
			if x.Header.Del("Content-Type"); m.Media != "" {
				x.Header.Set("Content-Type", m.Media)
			}
		}, nil
	case ActNoBody:
		return func(x *Exchange) { x.Answer = nil }, nil
	case ActBody:
		return func(x *Exchange) { x.Answer = []byte(m.Value) }, nil
	case ActArray:
		return func(x *Exchange) { x.Edit(func(tree any) any { return []any{tree} }) }, nil
	case ActFirst:
		return func(x *Exchange) {
			x.Edit(func(tree any) any {
				if items, ok := tree.([]any); ok && len(items) > 0 {
					return items[0]
				}
				return map[string]any{}
			})
		}, nil
	case ActEnvelope:
		return func(x *Exchange) { x.Edit(func(tree any) any { return map[string]any{"data": tree} }) }, nil
	case ActCut:
		return func(x *Exchange) { x.Answer = x.Answer[:(len(x.Answer)+1)/2] }, nil
	case ActRubbish:
		return func(x *Exchange) { x.Answer = append(bytes.Clone(x.Answer), `,"more":`...) }, nil
	default:
		return nil, fmt.Errorf("nothing called %q is done to answers", m.Do)
	}
}

// editMembers walks to the members at a place and calls f to change them; missing parts are skipped.
func editMembers(tree any, at []string, f func(object map[string]any, name string)) {
	switch t := tree.(type) {
	case []any:
		if at[0] == "*" && len(at) > 1 {
			for _, item := range t {
				editMembers(item, at[1:], f)
			}
		}
	case map[string]any:
		if len(at) == 1 {
			f(t, at[0])
		} else if inner, there := t[at[0]]; there {
			editMembers(inner, at[1:], f)
		}
	}
}

// bad reports whether a value breaks the constraint that the mutation is about.
func (m Mutation) bad(v any) bool {
	n, isNumber := v.(json.Number)
	switch m.Do {
	case ActMendNull:
		return v == nil
	case ActMendType:
		return v != nil && typeOf(v) != m.Type && (!isNumber || m.Type != "integer")
	case ActMendEnum:
		return typeOf(v) == m.Type && !slices.Contains(m.Allowed, string(WriteJSON(v)))
	case ActMendFraction:
		r, ok := exactNumber(n)
		return isNumber && (!ok || !r.IsInt())
	case ActMendBounds:
		r, ok := exactNumber(n)
		return isNumber && ok && r.IsInt() && (beyondBound(r, m.Low, -1) || beyondBound(r, m.High, 1))
	default:
		return false
	}
}

// beyondBound reports whether a number is on that side of a bound.
func beyondBound(n *big.Rat, bound string, side int) bool {
	b, ok := new(big.Rat).SetString(bound)
	return ok && n.Cmp(b) == side
}

// exactNumber reads a number of reasonable size without rounding it.
func exactNumber(n json.Number) (*big.Rat, bool) {
	if len(n) > 400 || strings.ContainsAny(string(n), "eE") && len(n[strings.IndexAny(string(n), "eE"):]) > 4 {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

// typeOf is the JSON type of a tree.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "array"
	default:
		return "object"
	}
}
