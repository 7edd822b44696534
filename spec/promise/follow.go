package promise

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Source is what the runtime expressions of a link are evaluated against: a request, and its response with the
// decoded body.
type Source struct {
	Request  request.Request
	Exchange *spec.Exchange
	Body     any
}

// Follow returns a request to the target of a link, with the link's values for r's parameters. It returns an error
// if the response lacks a value, or the link sets no value for a path parameter.
func Follow(l spec.Link, r request.Request, from Source) (request.Request, error) {
	given := map[request.Place]bool{}
	set := func(name string, value any) error {
		p, ok := placeNamed(r.Operation, name)
		if !ok {
			return fmt.Errorf("%s has no parameter %s", r.Operation.ID, name)
		}
		given[p] = true
		if n, is := value.(json.Number); is {
			if whole, ok := exactjson.CanonicalInt(n); ok {
				value = json.Number(whole) // 1.0 is an integer, but no server expects it in this form in a URL
			}
		}
		r = r.With(p, value)
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(l.Parameters)) {
		value, there := exactjson.Lookup(from.Body, jsonpointer.Tokens(l.Parameters[name]))
		if !there || value == nil {
			return r, fmt.Errorf("the response has no %s", l.Parameters[name])
		}
		if err := set(name, value); err != nil {
			return r, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.Others)) {
		value, err := from.evaluate(l.Others[name])
		if err != nil {
			return r, err
		}
		if err := set(name, value); err != nil {
			return r, err
		}
	}
	for _, p := range r.Operation.Parameters {
		if p.In == wire.InPath && !given[request.PlaceOf(p)] {
			return r, fmt.Errorf("the link does not say what %s is", p.Name)
		}
	}
	return r, nil
}

// placeNamed returns the place of a parameter by its name in a link, such as "id" or "path.id".
func placeNamed(op *spec.Operation, name string) (request.Place, bool) {
	for _, p := range op.Parameters {
		if p.Name == name || p.In+"."+p.Name == name {
			return request.PlaceOf(p), true
		}
	}
	return request.Place{}, false
}

// evaluate returns the value of a runtime expression, or of a constant with embedded expressions.
func (s Source) evaluate(text string) (any, error) {
	if strings.HasPrefix(text, "$") {
		return s.expression(text)
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{$")
		b.WriteString(before)
		expression, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			if found {
				b.WriteString("{$" + rest)
			}
			return b.String(), nil
		}
		value, err := s.expression("$" + expression)
		if err != nil {
			return nil, err
		}
		fmt.Fprint(&b, value)
		text = after
	}
}

// expression evaluates one runtime expression (OpenAPI, Runtime Expressions).
func (s Source) expression(text string) (any, error) {
	missing := fmt.Errorf("%s stands for nothing", text)
	word, rest, _ := strings.Cut(text, ".")
	switch text {
	case "$url":
		return s.Exchange.Request.URL, nil
	case "$method":
		return s.Exchange.Request.Method, nil
	case "$statusCode":
		return strconv.Itoa(s.Exchange.Response.Status), nil
	}
	source, name, _ := strings.Cut(rest, ".")
	pointer, inBody := strings.CutPrefix(rest, "body")
	pointer = strings.TrimPrefix(pointer, "#")
	var value any
	there := false
	switch {
	case word == "$response" && inBody:
		value, there = exactjson.Lookup(s.Body, jsonpointer.Tokens(pointer))
	case word == "$response" && source == "header":
		value, there = s.Exchange.Response.Header.Get(name), s.Exchange.Response.Header.Get(name) != ""
	case word == "$request" && inBody:
		body, _, ok := s.Request.Body()
		if ok {
			value, there = exactjson.Lookup(body, jsonpointer.Tokens(pointer))
		}
	case word == "$request" && source == "header":
		value, there = s.Exchange.Request.Header.Get(name), s.Exchange.Request.Header.Get(name) != ""
	case word == "$request" && (source == wire.InPath || source == wire.InQuery):
		if value, there = s.Request.Value(request.Place{In: source, Name: name}); there {
			break
		}
		if u, err := url.Parse(s.Exchange.Request.URL); err == nil && source == wire.InQuery {
			value, there = u.Query().Get(name), u.Query().Has(name)
		}
	}
	if !there || value == nil {
		return nil, missing
	}
	return value, nil
}
