package stub

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// param is a parameter with its validator.
type param struct {
	*spec.Parameter
	place string // "query limit"
	valid *schema.Schema
	types []string
	items []string
	array bool
	// members are the types of an object's members; nil if it is not an object.
	members map[string][]string
	// form reads a query that is one value; nil for other parameters.
	form func(url.Values) map[string]any
}

func (p *param) schema() *spec.Schema {
	if p.Content != nil {
		return p.Content.Schema
	}
	return p.Schema
}

// newParam prepares a parameter of an operation.
func newParam(a *api, p *spec.Parameter) *param {
	made := &param{Parameter: p, place: p.In + " " + p.Name}
	s := made.schema()
	if s == nil {
		return made
	}
	if made.valid = a.contract.Validator(s); made.valid != nil {
		made.valid.Prepare()
	}
	if p.In == "querystring" && bare(p.Content.Type) == "application/x-www-form-urlencoded" {
		made.form = func(values url.Values) map[string]any { return formOf(a, values, p.Content) }
	}
	made.types = a.shapes.typesOf(s)
	made.array = slices.Contains(made.types, "array")
	if e := itemOf(s); e != nil {
		made.items = a.shapes.typesOf(e.Schema)
	}
	if slices.Contains(made.types, "object") {
		made.members = map[string][]string{}
		for name, m := range a.shapes.membersOf(s) {
			made.members[name] = a.shapes.typesOf(m)
		}
	}
	return made
}

// sent gives access to the parameters of a request.
type sent struct {
	request *http.Request
	query   url.Values
	texts   map[string]string
}

// readings returns the possible meanings of a parameter, by its types; none if it was not sent.
func (p *param) readings(in sent) []any {
	raw, ok := p.raw(in)
	if p.members != nil && p.In == "query" {
		if object := p.object(in.query); len(object) > 0 {
			return []any{object}
		}
	}
	if !ok {
		return nil
	}
	if p.form != nil {
		return []any{p.form(in.query)}
	}
	if p.Content != nil {
		if p.In == "querystring" {
			if text, err := url.PathUnescape(raw[0]); err == nil {
				raw[0] = text
			}
		}
		if d, err := exactjson.Decode([]byte(raw[0])); err == nil {
			return []any{d.Tree}
		}
		return []any{raw[0]}
	}
	var all []any
	if p.array {
		all = append(all, p.list(raw))
	}
	if p.members != nil {
		if object := p.flat(raw[0]); object != nil {
			all = append(all, object)
		}
	}
	return append(all, scalars(raw[0], p.types)...)
}

// raw returns the unescaped texts of a parameter; false if it was not sent.
func (p *param) raw(in sent) ([]string, bool) {
	switch p.In {
	case "querystring":
		return []string{in.request.URL.RawQuery}, in.request.URL.RawQuery != ""
	case "query":
		values, ok := in.query[p.Name]
		if !ok {
			values, ok = in.query[p.Name+"[]"]
		}
		return values, ok
	case "header":
		values := in.request.Header.Values(p.Name)
		return []string{strings.Join(values, ",")}, len(values) > 0
	case "cookie":
		cookies := in.request.CookiesNamed(p.Name)
		var values []string
		for _, c := range cookies {
			plain, err := url.PathUnescape(c.Value)
			if err != nil {
				plain = c.Value
			}
			values = append(values, plain)
		}
		return values, len(values) > 0
	}
	text, ok := in.texts[p.Name]
	switch p.Style {
	case "label":
		text = strings.TrimPrefix(text, ".")
	case "matrix":
		text = strings.TrimPrefix(strings.TrimPrefix(text, ";"), p.Name+"=")
		if p.Explode {
			text = strings.ReplaceAll(text, ";"+p.Name+"=", ",")
		}
	}
	plain, err := url.PathUnescape(text)
	if err != nil {
		plain = text
	}
	return []string{plain}, ok
}

// list returns the items of an array.
func (p *param) list(raw []string) []any {
	if len(raw) == 1 && (!p.Explode || p.In != "query") {
		separator := ","
		switch p.Style {
		case "spaceDelimited":
			separator = " "
		case "pipeDelimited":
			separator = "|"
		case "tabDelimited":
			separator = "\t"
		case "label":
			if p.Explode {
				separator = "."
			}
		}
		if raw[0] == "" {
			return []any{}
		}
		raw = strings.Split(raw[0], separator)
	}
	all := make([]any, 0, len(raw))
	for _, text := range raw {
		all = append(all, p.item(text, p.schema()))
	}
	return all
}

// item returns an item of an array, which in Swagger 2.0 may be an array itself.
func (p *param) item(text string, list *spec.Schema) any {
	inner := itemSchema(list)
	if inner == nil || inner.CollectionFormat == "" {
		return scalars(text, p.items)[0]
	}
	separator := map[string]string{"ssv": " ", "tsv": "\t", "pipes": "|"}[inner.CollectionFormat]
	if separator == "" {
		separator = ","
	}
	all := []any{}
	if text == "" {
		return all
	}
	for one := range strings.SplitSeq(text, separator) {
		if innermost := itemSchema(inner); innermost != nil && innermost.CollectionFormat == "" {
			all = append(all, scalars(one, innermost.Types)[0])
		} else {
			all = append(all, p.item(one, inner))
		}
	}
	return all
}

// flat returns an object whose names and values are in one text; nil if it is not one.
func (p *param) flat(text string) map[string]any {
	object := map[string]any{}
	separator := ","
	if p.Explode {
		switch p.Style {
		case "label":
			separator = "."
		case "matrix":
			separator = ";"
		}
	}
	all := strings.Split(text, separator)
	if p.Explode {
		for _, pair := range all {
			name, value, ok := strings.Cut(pair, "=")
			if !ok {
				return nil
			}
			object[name] = scalars(value, p.members[name])[0]
		}
		return object
	}
	if len(all)%2 != 0 {
		return nil
	}
	for i := 0; i < len(all); i += 2 {
		object[all[i]] = scalars(all[i+1], p.members[all[i]])[0]
	}
	return object
}

// object returns an object whose members are parameters of their own.
func (p *param) object(query url.Values) map[string]any {
	object := map[string]any{}
	for name, values := range query {
		switch {
		case p.Style == "deepObject":
			rest, ok := strings.CutPrefix(name, p.Name+"[")
			if !ok {
				continue
			}
			path := strings.Split(strings.TrimSuffix(rest, "]"), "][")
			setNested(object, path, values, p.members[path[0]])
		case p.Explode && p.Style == "form" && p.members[name] != nil:
			setNested(object, []string{name}, values, p.members[name])
		}
	}
	return object
}

// setNested sets a member of an object, or of one below it.
func setNested(object map[string]any, path, values, types []string) {
	for len(path) > 1 && path[1] != "" {
		below, ok := object[path[0]].(map[string]any)
		if !ok {
			below = map[string]any{}
			object[path[0]] = below
		}
		object, path, types = below, path[1:], nil
	}
	if slices.Contains(types, "array") || len(values) > 1 {
		list := []any{}
		for _, v := range values {
			list = append(list, scalars(v, nil)[0])
		}
		object[path[0]] = list
		return
	}
	object[path[0]] = scalars(values[0], types)[0]
}

// scalars returns the possible meanings of a text as a value of some types, the best first. Without types,
// anything is possible.
func scalars(text string, types []string) []any {
	var all []any
	can := func(t string) bool { return len(types) == 0 || slices.Contains(types, t) }
	if (can("integer") || can("number")) && exactjson.IsNumber(text) {
		all = append(all, json.Number(text))
	}
	if can("boolean") && (text == "true" || text == "false") {
		all = append(all, text == "true")
	}
	if slices.Contains(types, "null") && (text == "" || text == "null") {
		all = append(all, nil)
	}
	if can("string") || len(all) == 0 {
		all = append(all, text)
	}
	return all
}

// conforms reports whether a value matches a schema, as far as that can be determined.
func conforms(v *schema.Schema, value any, d schema.Direction) bool {
	kept, _ := conformsWithin(v, value, d, math.MaxInt)
	return kept
}

// conformsWithin is conforms with a limit on the steps. It also returns how many it took.
func conformsWithin(v *schema.Schema, value any, d schema.Direction, most int) (kept bool, steps int) {
	if v == nil {
		return true, 0
	}
	kept, known, steps := v.SettlesWithin(value, d, most)
	if known {
		return kept, steps
	}
	r := v.ValidateWithin(exactjson.ClampNumbers(value), d, most-steps)
	return !slices.ContainsFunc(r.Violations, func(v schema.Violation) bool {
		// Several branches of oneOf are often the same, or one allows what another does: a response that matches one of
		// them matches all.
		_, several := v.Actual.([]int)
		return !v.Advice && (d != schema.Response || v.Keyword != "oneOf" || !several)
	}), steps + r.Steps
}

// parse returns the value of a parameter; false if it does not match the schema, with the reason.
func (p *param) parse(in sent) (value any, there bool, wrong string) {
	readings := p.readings(in)
	if len(readings) == 0 {
		if p.Required {
			return nil, false, "the " + p.In + " parameter " + p.Name + " is missing"
		}
		return nil, false, ""
	}
	for _, r := range readings {
		if conforms(p.valid, r, schema.Request) {
			return r, true, ""
		}
	}
	if raw, _ := p.raw(in); p.AllowEmpty && len(raw) == 1 && raw[0] == "" {
		return "", true, ""
	}
	return nil, false, "the " + p.In + " parameter " + p.Name + " is not as documented"
}

// smallInt returns a number that certainly fits an int; false for any other text.
func smallInt(text string) (int, bool) {
	n, err := strconv.ParseInt(text, 10, 31)
	return int(n), err == nil
}
