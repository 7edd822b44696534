package stub

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// maker makes values from schemas. It may be used by any number of goroutines.
type maker struct {
	contract *spec.Contract
	seed     uint64

	mu       sync.Mutex
	answers  *instance.Generator
	requests *instance.Generator
	made     map[string]any
	bases    map[*spec.Schema][]map[string]any
}

// workOfValue limits the work for the values of one subject, in steps of instance.Work.
const workOfValue = 60_000

func newMaker(c *spec.Contract, seed uint64) *maker {
	generator := func(d instance.Direction, way schema.Direction) *instance.Generator {
		var g *instance.Generator
		g = instance.New(instance.Options{Seed: seed, Direction: d, Limit: 24, PerSubject: workOfValue, Valid: func(s *spec.Schema, value any) bool {
			kept, steps := conformsWithin(c.Validator(s), value, way, g.Work().Left())
			g.Work().Spend(steps)
			return kept
		}})
		return g
	}
	return &maker{
		contract: c, seed: seed, answers: generator(instance.Response, schema.Response), requests: generator(instance.Request, schema.Request),
		made: map[string]any{}, bases: map[*spec.Schema][]map[string]any{},
	}
}

// nothing is stored for a value that could not be made.
type nothing struct{}

// template returns a value of a schema for answers, which must not be changed; false if none was found.
func (m *maker) template(e spec.Edge, examples []spec.Example) (any, bool) {
	if e.Schema == nil {
		return "text", true
	}
	key := e.Schema.Pointer
	if len(examples) > 0 {
		key += " " + examples[0].Pointer
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.usual(key, m.answers, instance.Subject{Name: "the body", Edge: e, Examples: examples})
}

func (m *maker) usual(key string, g *instance.Generator, s instance.Subject) (any, bool) {
	value, known := m.made[key]
	if !known {
		var err error
		if value, err = g.Usual(s); err != nil {
			if value, err = g.Smallest(s); err != nil {
				value = nothing{}
			}
		}
		m.made[key] = value
	}
	_, none := value.(nothing)
	return value, !none
}

// parameter returns a value of a parameter.
func (m *maker) parameter(p *spec.Parameter) (any, bool) {
	if p.Schema == nil {
		return nil, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.usual("parameter "+p.Pointer, m.requests, instance.Subject{Name: p.Name, Edge: p.Edge, Examples: p.Examples})
}

// skeletons returns objects of a schema with no more members than they need, one for each of its variants.
func (m *maker) skeletons(e spec.Edge) []map[string]any {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known, ok := m.bases[e.Schema]; ok {
		return known
	}
	v := m.contract.Validator(e.Schema)
	var all []map[string]any
	add := func(value any) {
		object, ok := value.(map[string]any)
		if !ok {
			return
		}
		object = maps.Clone(object)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			value := object[name]
			if delete(object, name); !keepsAnswer(v, object) {
				object[name] = value
			}
		}
		if !slices.ContainsFunc(all, func(known map[string]any) bool { return equalJSON(known, object) }) {
			all = append(all, object)
		}
	}
	subject := instance.Subject{Name: "the body", Edge: e}
	if value, ok := m.usual(e.Schema.Pointer, m.answers, subject); ok {
		add(value)
	}
	if s := core(e.Schema); len(s.OneOf)+len(s.AnyOf) > 0 {
		for _, c := range m.answers.Valid(subject).Cases {
			if c.Kind == instance.Variant {
				add(c.Value)
			}
		}
	}
	m.bases[e.Schema] = all
	return all
}

func keepsAnswer(v *schema.Schema, value any) bool {
	return conforms(v, plainNumbers(value), schema.Response)
}

// plainNumbers turns Go's integers into JSON numbers.
func plainNumbers(value any) any {
	switch v := value.(type) {
	case int:
		return json.Number(strconv.Itoa(v))
	case map[string]any:
		for name, one := range v {
			if n, ok := one.(int); ok {
				v[name] = json.Number(strconv.Itoa(n))
			}
		}
	}
	return value
}

// textOf returns a scalar as a text: a number as it is written.
func textOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		if plain, ok := exactjson.CanonicalInt(v); ok {
			return plain
		}
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case nil:
		return ""
	}
	return string(encode(value))
}

// identifier returns the n-th identifier of a kind, as in its representation and as in paths; false if none
// matches the schemas.
func (a *api) identifier(k *kind, n int) (any, string, bool) {
	member := a.memberAt(k.record, k.id)
	var shown, asked *schema.Schema
	types := []string{"string"}
	if k.param != nil && k.param.Schema != nil {
		asked = a.contract.Validator(k.param.Schema)
		types = a.shapes.typesOf(k.param.Schema)
	}
	format, enum := "", []string(nil)
	for _, s := range []*spec.Schema{paramSchema(k), member} {
		if s != nil {
			s = core(s)
			format, enum = cmp.Or(s.Format, format), append(enum, s.Enum...)
		}
	}
	if member != nil {
		shown = a.contract.Validator(member)
		types = a.shapes.typesOf(member)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d", a.maker.seed, k.family.name, n))
	hexed := hex.EncodeToString(sum[:])
	uuid := hexed[:8] + "-" + hexed[8:12] + "-4" + hexed[13:16] + "-8" + hexed[17:20] + "-" + hexed[20:32]
	digits := strconv.Itoa(1000 + n)
	noun := singular(strings.ToLower(plainName(k.noun)))
	all := []string{noun + "-" + digits, noun + digits, digits, strings.Repeat("0", 8) + digits, strings.Repeat("0", 20) + digits, uuid, hexed[:24], hexed, hexed[:32], hexed[:40],
		strings.ToUpper(noun + digits), fmt.Sprintf("%c%c%s", 'A'+n/26%26, 'A'+n%26, digits), fmt.Sprintf("%c%c", 'a'+n/26%26, 'a'+n%26), strconv.Itoa(n + 1),
		fmt.Sprintf("%s%d@example.com", noun, n), fmt.Sprintf("2024-%02d-%02d", 1+n/28%12, 1+n%28), fmt.Sprintf("10.0.%d.%d", n/250%250, 1+n%250), fmt.Sprintf("%02d", n%100)}
	switch a.traits.ids {
	case "huge":
		all = append([]string{strconv.Itoa(9007199254741993 + 2*n), noun + strings.Repeat("-", 30) + digits}, all...)
	case "negative":
		all = append([]string{"-" + digits}, all...)
	case "uuid":
		all = append([]string{uuid}, all...)
	case "digits":
		all = append([]string{digits}, all...)
	}
	if format == "uuid" {
		all = append([]string{uuid}, all...)
	}
	if slices.Contains(types, "integer") || slices.Contains(types, "number") {
		if all = append([]string{digits, strconv.Itoa(n + 1)}, all...); a.traits.ids == "huge" || a.traits.ids == "negative" {
			all = append([]string{all[2]}, all...)
		}
	}
	for _, s := range []*spec.Schema{member, paramSchema(k)} {
		if low := leastLength(s); low > len(digits) {
			all = append(all, strings.Repeat("0", low-len(digits))+digits)
		}
	}
	all = append(all, patterned(a, member, n)...)
	all = append(all, patterned(a, paramSchema(k), n)...)
	for i := range enum {
		var value any
		if json.Unmarshal([]byte(enum[(i+n)%len(enum)]), &value) == nil {
			all = append(all, fmt.Sprint(value))
		}
	}
	for _, text := range all {
		for _, value := range scalars(text, types) {
			if !conforms(shown, value, schema.Response) {
				continue
			}
			for _, as := range scalars(text, a.shapes.typesOf(paramSchema(k))) {
				if conforms(asked, as, schema.Request) {
					return value, text, true
				}
			}
		}
	}
	for _, text := range all { // no text fits both the paths and the representation
		for _, value := range scalars(text, types) {
			if shown != nil && conforms(shown, value, schema.Response) {
				return value, text, true
			}
		}
	}
	return nil, url.PathEscape(digits), false
}

// leastLength returns how long a text of a schema is at least.
func leastLength(s *spec.Schema) int {
	low := 0
	if s != nil {
		for _, p := range certainBases(s) {
			if p.MinLength != nil {
				low = max(low, int(min(*p.MinLength, 1000)))
			}
		}
	}
	return low
}

func paramSchema(k *kind) *spec.Schema {
	if k.param == nil {
		return nil
	}
	return k.param.Schema
}

// memberAt returns the schema of a member.
func (a *api) memberAt(s *spec.Schema, path []string) *spec.Schema {
	if len(path) == 0 {
		return nil
	}
	for _, name := range path {
		s = a.shapes.membersOf(s)[name]
	}
	return s
}
