package vocabulary

import (
	"net/http"
	"slices"

	"hallmark/spec"
	"hallmark/spec/credential"
	"hallmark/spec/derive"
	"hallmark/spec/jsonpointer"
	"hallmark/steps/generate"
	"hallmark/steps/scenario"
)

// Which rule of the catalogue a step judges by, for any contract.

// statusRule returns the rule that requires a documented response of an operation: the scenario's own if it is
// about statuses, otherwise the catalogue's rule for the response.
func statusRule(s *scenario.Scenario, op spec.Operation, a *scenario.Answer, status int) string {
	if IsStatusRule(s.Run, s.Rule.ID) {
		return s.Rule.ID
	}
	return PlainRule(s, op, a, status)
}

// PlainRule returns the rule that requires the success of a plain request: the one about a parameter that it set,
// or the one for the documented response.
func PlainRule(s *scenario.Scenario, op spec.Operation, a *scenario.Answer, status int) string {
	for _, p := range op.Parameters {
		value, given := a.Arguments.Value(p.Name)
		if !given || p.In == "path" || status/100 != 2 {
			continue
		}
		if rule := valueRule(s, op, p, value); rule != "" {
			return rule
		}
	}
	return acceptedRule(s, op, status)
}

// acceptedRule returns the catalogue's rule for a documented response.
func acceptedRule(s *scenario.Scenario, op spec.Operation, status int) string {
	for _, a := range op.Responses {
		if a.Status == status {
			if r, ok := s.Run.Catalogue.ForCase(op.ID, string(derive.Answer), append([]string{a.Pointer}, a.Via...)...); ok {
				return r.ID
			}
		}
	}
	return "answer.status"
}

// IsStatusRule reports whether a rule is about statuses: answer.status, and all rules within it.
func IsStatusRule(r *scenario.Run, id string) bool {
	for id != "" {
		if id == "answer.status" {
			return true
		}
		rule, _ := r.Catalogue.Rule(id)
		id = rule.Within
	}
	return false
}

// valueRule returns the rule that requires a value of a parameter to be accepted. It is "" for a value that the
// contract does not document, such as one taken from a response.
func valueRule(s *scenario.Scenario, op spec.Operation, p spec.Parameter, value string) string {
	if !p.Allows(value) {
		return ""
	}
	for _, kind := range []derive.Kind{derive.ParameterInside, derive.ParameterMember} {
		if r, ok := s.Run.Catalogue.ForCase(op.ID, string(kind), p.Pointer); ok {
			return r.ID
		}
	}
	return ""
}

// isParameterRule reports whether a rule is the one for the success of a plain request, or about one of its
// parameters.
func isParameterRule(r *scenario.Run, op spec.Operation, id, accepted string) bool {
	if id == accepted {
		return true
	}
	rule, _ := r.Catalogue.Rule(id)
	return rule.Within == accepted && slices.ContainsFunc(op.Parameters, func(p spec.Parameter) bool {
		return p.In == "query" && slices.Contains(rule.Contract, p.Pointer)
	})
}

// extremeRule returns the rule for a value of a path parameter that may name nothing.
func extremeRule(r *scenario.Run, op *spec.Operation, p spec.Parameter) string {
	pointers := []string{p.Pointer}
	if p.Schema != nil {
		pointers = append(pointers, p.Schema.Pointer, p.Schema.Pointer+"/format")
	}
	if rule, ok := r.Catalogue.ForCase(op.ID, string(derive.PathExtreme), pointers...); ok {
		return rule.ID
	}
	return "answer.status"
}

// credentialRule returns the rule for a kind of bad credential, by its description.
func credentialRule(s *scenario.Scenario, operation, words string) string {
	op, ok := s.Run.Contract.Operation(operation)
	if !ok || op.Anonymous() {
		return "auth.required"
	}
	for _, c := range credential.WrongTokens() {
		if c.Words != words {
			continue
		}
		sec := op.Credential()
		if r, ok := s.Run.Catalogue.ForCase(op.ID, string(c.Kind), sec.Pointer, sec.SchemePointer); ok {
			return r.ID
		}
	}
	return "auth.required"
}

// isCredentialRule reports whether a rule is about bad credentials.
func isCredentialRule(r *scenario.Run, id string) bool {
	for id != "" {
		if id == "auth.required" {
			return true
		}
		rule, _ := r.Catalogue.Rule(id)
		id = rule.Within
	}
	return false
}

// unsteadyRule returns the rule that is broken when a bad credential intermittently gets another status than 401:
// auth.steady, or answer.status if the response is undocumented and no success.
func unsteadyRule(s *scenario.Scenario, a *scenario.Answer) string {
	if s.Run.NeverAnswers(a.Exchange.Operation, a.Status()) && a.Status()/100 != 2 {
		return "answer.status"
	}
	return "auth.steady"
}

func ruleHas(s *scenario.Scenario, kind derive.Kind) bool {
	return slices.Contains(s.Rule.Cases, string(kind))
}

// echoRule returns the rule that a property comes back as it was sent.
func echoRule(s *scenario.Scenario, op spec.Operation, status int, property string) (string, bool) {
	schema := schemaOf(op, status)
	if schema == nil || schema.Property(property) == nil {
		return "", false
	}
	pointer := jsonpointer.Join(schema.Pointer, "properties", property)
	rule, ok := s.Run.Catalogue.ForCase(op.ID, string(derive.Echo), pointer)
	return rule.ID, ok
}

// refusedRule returns the rule that a kind of invalid body breaks, or the one that createPet refuses all invalid
// bodies.
func refusedRule(r *scenario.Run, op spec.Operation, kind derive.Kind, pointers ...string) string {
	if rule, ok := r.Catalogue.ForCase(op.ID, string(kind), pointers...); ok {
		return rule.ID
	}
	return "create.refused"
}

// unusualRule returns the rule for the status of a response to a generated body, and whether that may be 400: not
// for a plain one.
func unusualRule(s *scenario.Scenario, op spec.Operation, d generate.ValidBody, fresh string) (string, bool) {
	if property, ok := d.Unusual(fresh); ok {
		rule := "create." + property + ".unusual"
		if _, ok := s.Run.Catalogue.Rule(rule); !ok {
			rule = acceptedRule(s, op, op.Success(http.StatusCreated))
		}
		return rule, true
	}
	return acceptedRule(s, op, op.Success(http.StatusCreated)), false
}

// schemaOf returns the schema of a response with a status, or with another status of the same class, or nil.
func schemaOf(op spec.Operation, status int) *spec.Schema {
	for _, a := range op.Responses {
		if a.Status == status {
			return a.Schema()
		}
	}
	for _, a := range op.Responses {
		if a.Status/100 == status/100 {
			return a.Schema()
		}
	}
	return nil
}
