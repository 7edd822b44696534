package promise

import (
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// mutation is a valid response of an operation with one change, and the kind of promise that the change breaks;
// empty for none.
type mutation struct {
	name     string
	response spec.Response
	breaks   Kind
}

// responder makes clean responses of a contract, and mutations of them.
type responder struct {
	contract *spec.Contract
	generate *instance.Generator
}

func newResponder(c *spec.Contract) *responder {
	return &responder{c, instance.New(instance.Options{Seed: 1, Direction: instance.Response, Limit: 200, Valid: func(s *spec.Schema, value any) bool {
		v := c.Validator(s)
		return v != nil && len(serious(v.Validate(value, schema.Response).Violations)) == 0
	}})}
}

// mutations returns the mutations of the valid JSON response that a document describes; none if it describes no
// such response.
func (r *responder) mutations(a *spec.DocumentedResponse) []mutation {
	if len(a.Content) == 0 || !a.Content[0].IsJSON() || a.Content[0].Schema == nil || a.Status == 0 {
		return nil
	}
	m := &a.Content[0]
	subject := instance.Subject{Name: "the body", Edge: m.Edge}
	valid, invalid := r.generate.Valid(subject), r.generate.Invalid(subject)
	header := http.Header{"Content-Type": {m.Type}}
	for _, h := range a.Headers {
		header.Set(h.Name, jsonOf(r.generate.Valid(instance.Subject{Name: h.Name, Edge: h.Edge}).Base))
	}
	with := func(h http.Header, body string, status int) spec.Response {
		return spec.Response{Status: status, Header: h, Body: []byte(body), Size: len(body)}
	}
	changed := func(name, value string) http.Header {
		h := maps.Clone(header)
		if h.Set(name, value); value == "" {
			h.Del(name)
		}
		return h
	}
	plain := jsonOf(valid.Base)
	all := []mutation{
		{"clean", with(header, plain, a.Status), ""},
		{"another way to write the media type", with(changed("Content-Type", strings.ToUpper(m.Type)+"; charset=utf-8"), plain, a.Status), ""},
		{"blanks around the body", with(header, " \n"+plain+"\n", a.Status), ""},
		{"no body", with(header, "", a.Status), Body},
		{"a cut body", with(header, plain[:len(plain)-1], a.Status), Body},
		{"text behind the body", with(header, plain+"x", a.Status), Body},
		{"no JSON", with(header, "<html></html>", a.Status), Body},
		{"bytes that are no UTF-8", with(header, strings.Replace(plain, `"`, "\"\xff", 1), a.Status), Body},
		{"no media type", with(changed("Content-Type", ""), plain, a.Status), MediaType},
		{"HTML", with(changed("Content-Type", "text/html"), plain, a.Status), MediaType},
		{"a media type that is none", with(changed("Content-Type", "json"), plain, a.Status), MediaType},
	}
	if !strings.Contains(plain, `"`) {
		all = slices.DeleteFunc(all, func(m mutation) bool { return strings.HasPrefix(m.name, "bytes") })
	}
	for _, c := range valid.Cases {
		all = append(all, mutation{c.Description, with(header, jsonOf(c.Value), a.Status), ""})
	}
	for _, c := range invalid.Cases {
		all = append(all, mutation{c.Description, with(header, jsonOf(c.Value), a.Status), Body})
	}
	for _, h := range a.Headers {
		if h.Required {
			all = append(all, mutation{"no " + h.Name, with(changed(h.Name, ""), plain, a.Status), Headers})
		}
		if h.Schema != nil && h.Schema.Type == "integer" {
			all = append(all, mutation{h.Name + " is no integer", with(changed(h.Name, "many"), plain, a.Status), Headers})
		}
	}
	return all
}

// A change that breaks a documented response is found by the kind of promise that it breaks, and a valid response
// by none.
func TestEachMutationOfAResponseIsFound(t *testing.T) {
	count := map[Kind]int{}
	for _, name := range []string{"tests/shop/openapi.yaml", "tests/shop/library.yaml", "spec/petstore/openapi.yaml"} {
		c, err := openapi.LoadFile(filepath.Join("..", "..", filepath.FromSlash(name)), source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, r := Of(c, 1, 0), newResponder(c)
		operations := c.Operations()
		for i := range operations {
			op := &operations[i]
			for j := range op.Responses {
				for _, m := range r.mutations(&op.Responses[j]) {
					judged := p.Response(&spec.Exchange{Operation: op.ID, Request: spec.Request{Method: op.Method, URL: "http://x" + op.Path}, Response: &m.response})
					var broken []string
					for _, f := range judged.Findings {
						if kind := Kind(strings.TrimPrefix(f.Rule, p.Names[op.ID]+".")); kind.level() == spec.Must {
							broken = append(broken, string(kind))
						}
					}
					count[m.breaks]++
					if want := string(m.breaks); want == "" && len(broken) > 0 || want != "" && !slices.Contains(broken, want) {
						t.Errorf("%s, %s %s, %s: %.200q breaks %q, want %q", name, op.ID, op.Responses[j].Key, m.name, m.response.Body, broken, want)
					}
				}
			}
		}
	}
	for kind, least := range map[Kind]int{"": 100, Body: 500, MediaType: 50, Headers: 2} {
		if count[kind] < least {
			t.Errorf("%d mutations break %q, want %d", count[kind], kind, least)
		}
	}
}
