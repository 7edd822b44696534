package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// FuzzValidate compiles arbitrary texts and judges arbitrary values: nothing may fail, and two runs must find the
// same.
func FuzzValidate(f *testing.F) {
	for _, c := range cases {
		text := c.components
		if !strings.HasPrefix(text, "{") {
			text = "{" + text + "}"
		}
		f.Add(text, c.value, uint8(c.dialect))
	}
	f.Fuzz(func(t *testing.T, components, value string, dialect uint8) {
		if len(components) > 2000 || len(value) > 500 {
			return
		}
		var file yaml.Node
		if yaml.Unmarshal([]byte(components), &file) != nil || len(file.Content) == 0 {
			return
		}
		text := &source.Node{Kind: source.ScalarNode, Tag: source.StringTag, Value: "components"}
		inner := &source.Node{Kind: source.ScalarNode, Tag: source.StringTag, Value: "schemas"}
		root := &source.Node{Kind: source.MappingNode, Tag: source.MapTag, Content: []*source.Node{text,
			{Kind: source.MappingNode, Tag: source.MapTag, Content: []*source.Node{inner, source.NodeOf(file.Content[0])}}}}
		set := New(&testDocument{root: root, keys: map[*source.Node]map[string]*source.Node{}}, Dialect(dialect%3))
		d, err := exactjson.Decode([]byte(value))
		if err != nil {
			return
		}
		s, ok := set.At("/components/schemas/X")
		if !ok {
			return
		}
		agree(t, s, d.Tree)
		for _, way := range []Direction{Request, Response} {
			first := s.whole(d.Tree, way, unlimited)
			second := s.whole(d.Tree, way, unlimited)
			// Which holes a run meets depends on the order of failing branches; whether one matters does not.
			same := reflect.DeepEqual(first.Violations, second.Violations) && first.GaveUp == second.GaveUp && (len(first.Unjudged) > 0) == (len(second.Unjudged) > 0)
			if !slow(first) && !slow(second) && !same {
				t.Errorf("%v and then %v", first, second)
			}
			for _, v := range first.Violations {
				if v.Keyword == unjudged || v.Schema == "" && v.Constraint == "" {
					t.Errorf("a violation of nothing: %+v", v)
				}
			}
			for _, h := range first.Unjudged {
				if strings.Contains(h.Reason, "defect of hallmark") {
					t.Error(h.Reason)
				}
			}
		}
	})
}

// slow reports whether a result depends on how much time there was.
func slow(r Result) bool {
	return slices.ContainsFunc(r.Unjudged, func(h Hole) bool { return strings.Contains(h.Reason, "too long") })
}

// maker makes schemas and values of bytes.
type maker struct {
	bytes []byte
	depth int
}

func (m *maker) next(n int) int {
	if len(m.bytes) == 0 {
		return 0
	}
	b := m.bytes[0]
	m.bytes = m.bytes[1:]
	return int(b) % n
}

func (m *maker) value() any {
	m.depth++
	defer func() { m.depth-- }()
	n := 8
	if m.depth > 2 {
		n = 6
	}
	switch m.next(n) {
	case 0:
		return nil
	case 1:
		return m.next(2) == 1
	case 2:
		return json.Number([]string{"0", "1", "1.0", "-2", "2.5", "9223372036854775808", "1e500"}[m.next(7)])
	case 3, 4:
		return []string{"", "a", "ab", "aé", "2026-01-01"}[m.next(5)]
	case 5:
		return []any{}
	case 6:
		items := []any{}
		for range m.next(4) {
			items = append(items, m.value())
		}
		return items
	default:
		object := map[string]any{}
		for range m.next(4) {
			object[string(rune('a'+m.next(3)))] = m.value()
		}
		return object
	}
}

// schema makes a schema twice: in the form of OpenAPI 3.0, and in that of 3.1.
func (m *maker) schema() (old, now map[string]any) {
	m.depth++
	defer func() { m.depth-- }()
	old, now = map[string]any{}, map[string]any{}
	both := func(keyword string, v any) { old[keyword], now[keyword] = v, v }
	nested := func(keyword string) { old[keyword], now[keyword] = pair(m.schema()) }
	list := func(keyword string) {
		var a, b []any
		for range 1 + m.next(3) {
			o, n := m.schema()
			a, b = append(a, o), append(b, n)
		}
		old[keyword], now[keyword] = a, b
	}
	if m.next(3) > 0 {
		kind := types[1+m.next(6)]
		if m.next(3) == 0 {
			old["type"], old["nullable"], now["type"] = kind, true, []any{kind, "null"}
		} else {
			both("type", kind)
		}
	}
	if m.next(4) == 0 {
		old["minimum"], old["exclusiveMinimum"], now["exclusiveMinimum"] = json.Number("1"), true, json.Number("1")
	}
	if m.next(4) == 0 {
		both("maximum", json.Number("2.5"))
	}
	for _, count := range []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"} {
		if m.next(6) == 0 {
			both(count, json.Number(fmt.Sprint(m.next(3))))
		}
	}
	if m.next(6) == 0 {
		both("required", []any{"a"})
	}
	if m.depth > 3 {
		return old, now
	}
	if m.next(3) == 0 {
		o, n := map[string]any{}, map[string]any{}
		for range 1 + m.next(2) {
			name := string(rune('a' + m.next(3)))
			o[name], n[name] = pair(m.schema())
		}
		old["properties"], now["properties"] = o, n
	}
	switch m.next(6) {
	case 0:
		if properties, _ := now["properties"].(map[string]any); now["required"] == nil || properties["a"] != nil { // what is required is not forbidden
			both("additionalProperties", false)
		}
	case 1:
		nested("additionalProperties")
	}
	if m.next(3) == 0 {
		nested("items")
	}
	if _, nullable := old["nullable"]; nullable {
		return old, now // beside what refuses null the two differ on purpose
	}
	switch m.next(8) {
	case 0:
		list("allOf")
	case 1:
		list("anyOf")
	case 2:
		list("oneOf")
	case 3:
		nested("not")
	}
	return old, now
}

func pair(a, b map[string]any) (x, y any) { return a, b }

// FuzzDialects compares a schema of 3.0 with the same one of 3.1, and the latter with the result of the validator
// alone.
func FuzzDialects(f *testing.F) {
	for i := range 64 {
		seed := make([]byte, 96)
		for j := range seed {
			seed[j] = byte(i*31 + j*j*7 + i*j)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 150 {
			return
		}
		m := &maker{bytes: data}
		old, now := m.schema()
		set := func(d Dialect, schema any) *Schema {
			text, err := json.Marshal(map[string]any{"components": map[string]any{"schemas": map[string]any{"X": schema}}})
			if err != nil {
				t.Fatal(err)
			}
			return schemaOf(t, d, string(text))
		}
		in30, in31 := set(OpenAPI30, old), set(OpenAPI31, now)
		c := jsonschema.NewCompiler()
		if err := c.AddResource(base+"alone", now); err != nil {
			t.Fatal(err)
		}
		alone, err := c.Compile(base + "alone")
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			value := m.value()
			agree(t, in30, value)
			agree(t, in31, value)
			a, b := in30.whole(value, Response, unlimited), in31.whole(value, Response, unlimited)
			if impossible(a) || impossible(b) {
				continue // the validator refuses what no value matches, and this one leaves it open
			}
			if len(a.Violations) != len(b.Violations) || len(a.Unjudged)+len(b.Unjudged) > 0 {
				t.Errorf("%v by %v: %v; by %v: %v", value, old, a, now, b)
			}
			if ok := alone.Validate(exactjson.ClampNumbers(value)) == nil; ok != (len(b.Violations) == 0) {
				t.Errorf("%v by %v: %v, alone it is kept: %v", value, now, b.Violations, ok)
			}
		}
	})
}

// impossible reports whether a result rests on a schema that no value matches.
func impossible(r Result) bool {
	return slices.ContainsFunc(r.Unjudged, func(h Hole) bool { return strings.HasPrefix(h.Reason, "no value keeps") })
}
