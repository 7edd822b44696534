package coverage

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Marks says what one exchange touches of its operation.
type Marks struct {
	Operation string
	Status    int
	// Succeeded reports whether the response is a success, Accepted whether it says that what was asked for was done. Judged reports whether
	// nothing of the response was left open; what is not judged is only seen.
	Succeeded, Accepted, Judged bool
	// Response is the key of the documented response; empty for an undocumented status.
	Response string
	// Media and Parameters are named as in [Operation]. Those of a request that was refused, or that breaks the contract itself, are in
	// SeenMedia and SeenParameters.
	Media, Parameters, SeenMedia, SeenParameters []string
	// Elements are the elements of schemas that values were judged by, under the names of media types and parameters.
	Elements map[string][]Element
}

// Value is the decoded body of a response. Judged reports whether the whole response was judged.
type Value struct {
	Tree   any
	Judged bool
	// Readable reports whether Tree is the body.
	Readable bool
}

// What an exchange is looked at for at most: mostVisits parts of a value, mostItems items of each array, mostSteps for each branch.
const mostVisits, mostItems, mostSteps = 2_000, 20, 10_000

// Mark returns what an exchange with a response touches. It does not know whether findings concern the exchange.
func Mark(c *spec.Contract, op *spec.Operation, ex *spec.Exchange, v Value) Marks {
	m := marker{contract: c, op: op, ex: ex, Marks: Marks{
		Operation: op.ID, Status: ex.Response.Status, Succeeded: op.Succeeds(ex.Response), Accepted: op.Accepts(ex.Response), Judged: v.Judged,
	}}
	m.response(v)
	m.request()
	return m.Marks
}

type marker struct {
	Marks
	contract *spec.Contract
	op       *spec.Operation
	ex       *spec.Exchange
}

func (m *marker) response(v Value) {
	a := m.op.ResponseFor(m.ex.Response.Status)
	if a == nil {
		return
	}
	m.Response = a.Key
	given := strings.TrimSpace(m.ex.Response.Header.Get("Content-Type"))
	if len(a.Content) == 0 || given == "" || len(m.ex.Response.Body) == 0 || m.ex.Request.Method == http.MethodHead {
		return
	}
	i := wire.Best(a.MediaTypes(), given)
	if i < 0 {
		return
	}
	media := &a.Content[i]
	m.Media = append(m.Media, ofResponse(a, media))
	if v.Readable && media.IsJSON() {
		m.walk(ofResponse(a, media), media.Schema, v.Tree, schema.Response)
	}
}

func (m *marker) request() {
	m.parameters()
	b := m.op.Body
	if b == nil || len(m.ex.Request.Body) == 0 {
		return
	}
	var types []string
	for i := range b.Content {
		types = append(types, b.Content[i].Type)
	}
	i := wire.Best(types, strings.TrimSpace(m.ex.Request.Header.Get("Content-Type")))
	if i < 0 {
		return
	}
	media := &b.Content[i]
	if !m.Accepted || !m.body(media) {
		m.SeenMedia = append(m.SeenMedia, ofRequest(media))
		return
	}
	m.Media = append(m.Media, ofRequest(media))
}

// body marks the schema of an accepted body, and reports whether the body keeps the contract, as far as that is known.
func (m *marker) body(media *spec.Media) bool {
	if !media.IsJSON() || media.IsPatch() || media.Schema == nil || m.ex.Request.Header.Get("Content-Encoding") != "" {
		return true
	}
	d, err := exactjson.Decode(m.ex.Request.Body)
	if err != nil || !m.valid(media.Schema, d.Tree, schema.Request) {
		return false
	}
	m.walk(ofRequest(media), media.Schema, d.Tree, schema.Request)
	return true
}

func (m *marker) parameters() {
	u, err := url.Parse(m.ex.Request.URL)
	if err != nil {
		return
	}
	for i := range m.op.Parameters {
		p := &m.op.Parameters[i]
		holder, sent := m.holder(p, u)
		switch {
		case !sent:
		case m.Accepted && m.parameter(p, holder):
			m.Parameters = append(m.Parameters, ofParameter(p))
		default:
			m.SeenParameters = append(m.SeenParameters, ofParameter(p))
		}
	}
}

// holder returns the text that holds a parameter, and whether the parameter was sent.
func (m *marker) holder(p *spec.Parameter, u *url.URL) (text string, sent bool) {
	switch p.In {
	case wire.InPath:
		return "", true
	case wire.InQuery:
		for pair := range strings.SplitSeq(u.RawQuery, "&") {
			name, _, _ := strings.Cut(pair, "=")
			if plainName, err := url.QueryUnescape(name); err == nil && (plainName == p.Name || strings.HasPrefix(plainName, p.Name+"[")) {
				return u.RawQuery, true
			}
		}
		return "", m.explodes(p, u)
	case wire.InHeader:
		lines := m.ex.Request.Header.Values(p.Name)
		return strings.Join(lines, ", "), len(lines) > 0
	case wire.InCookie:
		r := http.Request{Header: m.ex.Request.Header}
		_, err := r.Cookie(p.Name)
		return strings.Join(m.ex.Request.Header.Values("Cookie"), "; "), err == nil
	}
	return u.RawQuery, u.RawQuery != ""
}

// explodes reports whether a query holds members of an object that is sent as one parameter for each.
func (m *marker) explodes(p *spec.Parameter, u *url.URL) bool {
	if !p.Explode || p.Schema == nil || p.Style == "deepObject" {
		return false
	}
	query := u.Query()
	return slices.ContainsFunc(p.Schema.Properties, func(q spec.Property) bool { return query.Has(q.Name) })
}

// parameter marks the schema of an accepted parameter, and reports whether its value keeps the contract, as far as that is known.
func (m *marker) parameter(p *spec.Parameter, holder string) bool {
	if holder == "" && p.In == wire.InPath {
		holder = m.segment(p)
	}
	if holder == "" || !readable(p) {
		return true
	}
	read, err := request.Param(m.op, request.PlaceOf(*p)).Parse(holder, request.HintOf(p.Schema))
	if err != nil || !read.Present || read.Truncated {
		return true
	}
	for _, value := range read.Values {
		if m.valid(p.Schema, value, schema.Request) {
			m.walk(ofParameter(p), p.Schema, value, schema.Request)
			return true
		}
	}
	return len(read.Values) == 0
}

// segment returns the text of a path parameter that is a segment of its own; otherwise it returns "".
func (m *marker) segment(p *spec.Parameter) string {
	u, err := url.Parse(m.ex.Request.URL)
	if err != nil {
		return ""
	}
	template, path := strings.Split(strings.Trim(m.op.Path, "/"), "/"), strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	i := slices.Index(template, "{"+p.Name+"}")
	if at := len(path) - len(template) + i; i >= 0 && at >= 0 {
		return path[at]
	}
	return ""
}

// valid reports whether a value certainly keeps a schema.
func (m *marker) valid(s *spec.Schema, value any, d schema.Direction) bool {
	v := m.contract.Validator(s)
	if v == nil {
		return false
	}
	if keeps, known := v.Settles(value, d); known {
		return keeps
	}
	r := v.ValidateWithin(value, d, mostSteps)
	return len(r.Violations) == 0 && len(r.Unjudged) == 0
}

// walk marks the elements of a schema that a value is judged by.
func (m *marker) walk(of string, s *spec.Schema, value any, d schema.Direction) {
	w := walker{marker: m, direction: d, left: mostVisits, marked: map[Element]bool{}}
	w.value(s, value, nil)
	if len(w.order) == 0 {
		return
	}
	if m.Elements == nil {
		m.Elements = map[string][]Element{}
	}
	m.Elements[of] = w.order
}

type walker struct {
	*marker
	direction schema.Direction
	left      int
	marked    map[Element]bool
	order     []Element
}

func (w *walker) mark(s *spec.Schema, a Aspect, index int) {
	if e := (Element{s, a, index}); !w.marked[e] {
		w.marked[e] = true
		w.order = append(w.order, e)
	}
}

// value marks what a value is judged by. around are the schemas that the same value is being judged by.
func (w *walker) value(s *spec.Schema, value any, around []*spec.Schema) {
	if w.left--; s == nil || w.left < 0 || slices.Contains(around, s) {
		return
	}
	around = append(slices.Clip(around), s)
	w.keywords(s, value)
	switch v := value.(type) {
	case map[string]any:
		w.object(s, v)
	case []any:
		for i, item := range v[:min(len(v), mostItems)] {
			switch {
			case i < len(s.PrefixItems):
				w.value(s.PrefixItems[i].Schema, item, nil)
			case s.Items != nil:
				w.value(s.Items.Schema, item, nil)
			}
		}
	}
	if s.Ref != nil {
		w.value(s.Ref.Schema, value, around)
	}
	for _, e := range s.AllOf {
		w.value(e.Schema, value, around)
	}
	w.branches(s, value, around)
}

func (w *walker) object(s *spec.Schema, object map[string]any) {
	for i := range s.Properties {
		p := &s.Properties[i]
		value, present := object[p.Name]
		if !present {
			w.mark(s, Absent, i)
			continue
		}
		w.mark(s, Present, i)
		w.value(p.Schema, value, nil)
	}
	if s.AdditionalProperties == nil || len(s.PatternProperties) > 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(object)) { // in one order: how many values are visited is bounded
		if s.Property(name) == nil {
			w.mark(s, Additional, 0)
			w.value(s.AdditionalProperties.Schema, object[name], nil)
		}
	}
}

// branches marks the alternatives that a value takes.
func (w *walker) branches(s *spec.Schema, value any, around []*spec.Schema) {
	for i, e := range s.OneOf {
		w.branch(s, OneOf, i, e.Schema, value, around)
	}
	for i, e := range s.AnyOf {
		w.branch(s, AnyOf, i, e.Schema, value, around)
	}
	if s.If != nil && (s.Then != nil || s.Else != nil) {
		aspect, next := Else, s.Else
		if w.valid(s.If.Schema, value, w.direction) {
			aspect, next = Then, s.Then
		}
		w.mark(s, aspect, 0)
		if next != nil {
			w.value(next.Schema, value, around)
		}
	}
	object, is := value.(map[string]any)
	if d := s.Discriminator; is && d != nil && len(s.OneOf)+len(s.AnyOf) == 0 {
		for i, m := range d.Mapping {
			if object[d.Property] == m.Value {
				w.mark(s, Mapped, i)
				w.value(m.Schema, value, around)
			}
		}
	}
}

func (w *walker) branch(s *spec.Schema, a Aspect, i int, next *spec.Schema, value any, around []*spec.Schema) {
	if next != nil && w.left > 0 && w.valid(next, value, w.direction) {
		w.mark(s, a, i)
		w.value(next, value, around)
	}
}

// keywords marks the type of a value, the value itself in an enum, and the plain keywords that apply.
func (w *walker) keywords(s *spec.Schema, value any) {
	kind := kindOf(value)
	for i, t := range s.Types {
		if t == kind || t == "integer" && kind == "number" && isInteger(value) {
			w.mark(s, Type, i)
			if t == "integer" {
				break
			}
		}
	}
	w.enum(s, value)
	for _, p := range plain {
		if (p.kind == "" || p.kind == kind) && p.in(s) {
			w.mark(s, p.aspect, 0)
		}
	}
}

func (w *walker) enum(s *spec.Schema, value any) {
	if len(s.Enum) > MostValues {
		w.mark(s, Enum, whole)
		return
	}
	for i, text := range s.Enum {
		if plain, is := value.(string); is && !strings.Contains(text, `\`) { // the common case
			if text == `"`+plain+`"` {
				w.mark(s, Enum, i)
				return
			}
			continue
		}
		if d, err := exactjson.Decode([]byte(text)); err == nil && exactjson.Equal(d.Tree, value) {
			w.mark(s, Enum, i)
			return
		}
	}
}

// kindOf returns the JSON type of a value, without telling integers from other numbers.
func kindOf(value any) string {
	switch value.(type) {
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
	}
	return "object"
}

func isInteger(value any) bool {
	n, is := value.(json.Number)
	_, integer := exactjson.CanonicalInt(n)
	return is && integer
}

// Pointer returns the place of the element in the document.
func (e Element) Pointer() string {
	at := func(keyword string, i int) string {
		return jsonpointer.Index(jsonpointer.Join(e.Schema.Pointer, keyword), i)
	}
	switch e.Aspect {
	case Present, Absent:
		return jsonpointer.Join(e.Schema.Pointer, "properties", e.Schema.Properties[e.Index].Name)
	case OneOf:
		return at("oneOf", e.Index)
	case AnyOf:
		return at("anyOf", e.Index)
	default:
		return e.Schema.Pointer
	}
}
