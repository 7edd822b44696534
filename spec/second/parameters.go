package second

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// structured reports whether only non-scalar parameters are concerned: all faults are about them, or all scalar
// ones are right according to the first judge.
func structured(q question, v evidence) bool {
	switch q {
	case aboutRefusal, aboutSoundRequest:
		for _, f := range v.result.Faults {
			p := parameterOf(v.operation, f.Parameter)
			if p == nil || isSimple(p) {
				return false
			}
		}
		return true
	case aboutAcceptance:
		return aboutParameters(v.rule) && slices.ContainsFunc(v.operation.Parameters, func(p spec.Parameter) bool { return !isSimple(&p) && isSent(&p, v.exchange) }) &&
			!slices.ContainsFunc(v.operation.Parameters, func(p spec.Parameter) bool { return isSimple(&p) && breaks(&p, v) })
	case aboutResponse, aboutSoundResponse, none:
	}
	return false
}

// aboutParameters reports whether a rule speaks of the parameters of requests, and not of bodies.
func aboutParameters(rule spec.Rule) bool {
	return len(rule.Contract) > 0 && !slices.ContainsFunc(rule.Contract, func(pointer string) bool { return !strings.Contains(pointer, "/parameters/") })
}

// parameterOf returns the parameter with a name, or nil.
func parameterOf(op *spec.Operation, name string) *spec.Parameter {
	for i := range op.Parameters {
		if strings.EqualFold(op.Parameters[i].Name, name) {
			return &op.Parameters[i]
		}
	}
	return nil
}

// isSimple reports whether a parameter is a single scalar.
func isSimple(p *spec.Parameter) bool {
	if p.Content != nil || p.Schema == nil {
		return false
	}
	return slices.Contains([]string{"string", "integer", "number", "boolean"}, p.Schema.Type)
}

// isSent reports whether a request holds something of a parameter.
func isSent(p *spec.Parameter, ex *spec.Exchange) bool {
	_, query, _ := strings.Cut(ex.Request.URL, "?")
	switch p.In {
	case "query":
		values, _ := url.ParseQuery(query) // malformed pairs are dropped
		for name := range values {
			if name == p.Name || strings.HasPrefix(name, p.Name+"[") {
				return true
			}
		}
		// The members of an object may be separate pairs.
		return len(values) > 0 && p.Schema != nil && p.Schema.Type == "object"
	case "header":
		return canonical(ex.Request.Header).Get(p.Name) != ""
	}
	return p.In == "path" || p.In == "querystring" || p.In == "cookie" && len(canonical(ex.Request.Header)["Cookie"]) > 0
}

// breaks reports whether, by the first judge, a simple parameter in query or header is not as it has to be.
func breaks(p *spec.Parameter, v evidence) bool {
	var sent []string
	switch p.In {
	case "query":
		_, query, _ := strings.Cut(v.exchange.Request.URL, "?")
		values, err := url.ParseQuery(query)
		if err != nil {
			return true
		}
		sent = values[p.Name]
	case "header":
		sent = canonical(v.exchange.Request.Header).Values(http.CanonicalHeaderKey(p.Name))
	default:
		return false
	}
	if len(sent) == 0 {
		return p.Required
	}
	judge := v.contract.Validator(p.Schema)
	if judge == nil {
		return true
	}
	var value any = sent[0]
	switch p.Schema.Type {
	case "integer", "number":
		if !json.Valid([]byte(sent[0])) {
			return true
		}
		value = json.Number(sent[0])
	case "boolean":
		value = sent[0] == "true"
	}
	return !judge.Keeps(value, schema.Request)
}
