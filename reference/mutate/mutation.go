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

// Mutation is a fault as plain data: one thing done to the responses of one operation, or to its requests before the service
// sees them. It knows no field by name, so it can be derived from a contract.
type Mutation struct {
	// Method and Path, a template ("/things/{id}"), say which operation it is about; [AnyOther] for the methods that no operation has. Where Operation is given, the handler names the
	// operations, and that is asked for.
	Method, Path, Operation string
	// Status selects the responses, or Class all whose status begins with that digit; 0 for both for what is done to requests.
	Status, Class int
	// Do says what is done.
	Do Act
	// At is a place in the JSON body: names of members, [Each] for every item of an array, [LastItem] for the last. Of acts on
	// parameters it holds the parameter's name.
	At []string
	// Value is a JSON text: what is put there, or what a request is mended with.
	Value string
	// Allowed holds the JSON texts of the values that are good, Low and High the bounds of good numbers.
	Allowed   []string
	Low, High string
	// Type is the JSON type of good values ("string", "integer" …).
	Type string
	// To is another status, Media another Content-Type. Name is that of a header, or another one of a member.
	To    int
	Media string
	Name  string
	// Wrong says in which way a request is wrong that is let in, and In where its parameter is. A response that is wrong by null has it
	// also where there was nothing.
	Wrong Wrong
	In    string
	// Resource is what the mutation is about that knows of several requests, Refusal how what it refuses is answered.
	Resource *Resource
	Refusal  *Refusal
}

// Refusal is the response to what is refused.
type Refusal struct {
	Status int               `json:"status"`
	Header map[string]string `json:"header,omitempty"`
	Body   string            `json:"body,omitempty"`
}

// reply refuses.
func (r *Refusal) reply(x *Exchange) {
	a := Answer{Status: r.Status, Header: http.Header{}, Body: []byte(r.Body)}
	for name, value := range r.Header {
		a.Header.Set(name, value)
	}
	x.Reply(a)
}

// Act is what a mutation does.
type Act string

// What is done to answers.
const (
	// ActDrop takes a member out, ActSet puts Value there.
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
	// ActCut sends half of the body, ActRubbish text behind it.
	ActCut     Act = "cut"
	ActRubbish Act = "rubbish"
	// ActRename gives a member another name, ActRetype a value of another type, ActTwice writes a member a second time with Value.
	ActRename Act = "rename"
	ActRetype Act = "retype"
	ActTwice  Act = "twice"
	// ActExtra adds the member Name to objects.
	ActExtra Act = "extra"
	// ActHeader gives the header Name the value Media, none when it is empty.
	ActHeader Act = "header"
	// ActProblem gives problem details another status than the response has.
	ActProblem Act = "problem"
)

// What is done to requests. The first group mends what must be refused, so that it is accepted; the second refuses, with
// the status To, what must be accepted.
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
	// ActLenient lets in what is refused for being wrong in one way, ActStrict refuses one value that is allowed.
	ActLenient Act = "lenient"
	ActStrict  Act = "strict"

	// ActLetIn lets a kind of bad credential in; Value names the kind, or is empty for all.
	ActLetIn Act = "let-in"
	// ActShutOut refuses the right one.
	ActShutOut Act = "shut-out"
)

// Middleware returns what makes a service commit the mutation. It fails when the mutation makes no sense.
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

// answers reports whether the response is one that the mutation is about.
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

// onAnswer is what is done to a response.
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
				alter(tree, m.At, func(object map[string]any, name string) {
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

// alter walks to the members at a place and lets f change them; what is not there is passed over.
func alter(tree any, at []string, f func(object map[string]any, name string)) {
	switch t := tree.(type) {
	case []any:
		if at[0] == "*" && len(at) > 1 {
			for _, item := range t {
				alter(item, at[1:], f)
			}
		}
	case map[string]any:
		if len(at) == 1 {
			f(t, at[0])
		} else if inner, there := t[at[0]]; there {
			alter(inner, at[1:], f)
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
		r, ok := exactly(n)
		return isNumber && (!ok || !r.IsInt())
	case ActMendBounds:
		r, ok := exactly(n)
		return isNumber && ok && r.IsInt() && (beyond(r, m.Low, -1) || beyond(r, m.High, 1))
	default:
		return false
	}
}

// beyond reports whether a number lies on that side of a bound.
func beyond(n *big.Rat, bound string, side int) bool {
	b, ok := new(big.Rat).SetString(bound)
	return ok && n.Cmp(b) == side
}

// exactly reads a number of reasonable size without rounding it.
func exactly(n json.Number) (*big.Rat, bool) {
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
