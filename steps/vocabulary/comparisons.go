package vocabulary

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/phrase"
	"hallmark/steps/check"
	"hallmark/steps/scenario"
	"hallmark/steps/truncate"
	"hallmark/steps/written"
)

// The steps that compare what came back with what was sent, or with an earlier response.

// thenEcho implements "what was sent comes back[, if it was accepted]" and "its <property> is what was sent".
func thenEcho(_ context.Context, s *scenario.Scenario, property string, onlyIfAccepted bool) error {
	if s.Run.Promises != nil {
		return written.Echo(s, property, onlyIfAccepted)
	}
	a, err := s.Last()
	if err != nil {
		return err
	}
	op, err := s.Operation(a.Exchange.Operation)
	if err != nil {
		return err
	}
	if a.Status()/100 != 2 {
		if onlyIfAccepted && a.Status() == 400 {
			observeRefusal(s, a)
		}
		return nil // another step judges the status
	}
	if a.Sent == nil || op.Body == nil {
		return fmt.Errorf("nothing was sent that could come back")
	}
	for _, p := range op.Body.Properties() {
		if property == "" || property == p.Name {
			JudgeEcho(s, a, op, p.Name)
		}
	}
	return nil
}

// observeRefusal records that an unusual but valid value was refused, as the service may.
func observeRefusal(s *scenario.Scenario, a *scenario.Answer) {
	if rule, ok := s.Run.Catalogue.Rule("create.value.refused"); ok {
		s.Observe(observation(s, a, rule.ID, s.Pickle.Name))
	}
}

// JudgeEcho compares a property that was sent with the returned one, exactly.
func JudgeEcho(s *scenario.Scenario, a *scenario.Answer, op spec.Operation, property string) {
	sent, given := a.Sent.Values[property]
	back, there := a.Value.At("/" + property)
	if !given || a.Value.Tree == nil {
		return // the schema judges properties that were not sent
	}
	if _, isText := sent.(string); isText && !check.IsUnicode(a.Sent.Raw) {
		return // services may replace invalid Unicode as they like
	}
	rule, ok := echoRule(s, op, a.Status(), property)
	if !ok {
		return
	}
	if there && !sameType(sent, back.Tree) {
		return // the schema finds wrong types
	}
	same := there && back.Equal(exactjson.Value{Tree: sent, Valid: true})
	expected, actual := jsonValue(sent), phrase.Of("it is absent")
	if there {
		actual = phrase.Of("{}", jsonValue(back.Tree))
	}
	if same {
		s.Kept(rule)
		return
	}
	if schema := schemaOf(op, a.Status()); !there && schema != nil && slices.Contains(schema.Required, property) {
		return // the schema finds missing required properties
	}
	f := spec.Finding{
		Rule: rule, Kind: spec.KindDiffers, Expected: phrase.Of("{}, as it was sent", expected), Actual: actual,
		Where: check.Place(a.Exchange).At("/" + property), Pointer: "/" + property, Cause: rule,
	}
	if s.Run.Extension.IsOthers(a) {
		f.About.Shows = spec.Another
	}
	s.Find(a.Exchange, f)
}

// thenHeld implements "it is what that response held": the response reached by a link shows what the start of the
// link showed.
func thenHeld(_ context.Context, s *scenario.Scenario) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	if a.Status()/100 != 2 {
		return nil
	}
	for from, before := range s.Earlier() {
		for parameter := range a.Path {
			link, ok := linkBetween(s, from, a.Exchange.Operation, parameter)
			if !ok {
				continue
			}
			pointer := link.Parameters[parameter]
			whole, ok := before.Value.At(pointer[:strings.LastIndexByte(pointer, '/')])
			op, known := s.Run.Contract.Operation(a.Exchange.Operation)
			if !ok || !known {
				continue
			}
			// Other clients may change what this run did not create; the scenario's rule says what must stay.
			compareWithEarlier(s, before.Exchange, a, whole, schemaOf(*op, a.Status()), s.Rule.ID, !s.Run.Creates(from))
		}
	}
	return nil
}

// compareWithEarlier judges that a response shows the documented properties of an earlier one. If other clients
// may act, it compares required properties only.
func compareWithEarlier(s *scenario.Scenario, first *spec.Exchange, a *scenario.Answer, before exactjson.Value, schema *spec.Schema, rule string, onlyRequired bool) {
	if schema == nil {
		return
	}
	same, differs := 0, false
	defer func() {
		if same > 0 && !differs {
			s.Kept(rule)
		}
	}()
	for _, p := range schema.Properties {
		if onlyRequired && !p.Required {
			continue
		}
		was, had := before.At("/" + p.Name)
		is, has := a.Value.At("/" + p.Name)
		switch {
		case had && has && was.Equal(is):
			same++
			continue
		case had == has && (!had || !sameType(was.Tree, is.Tree)), p.Required && (!had || !has):
			continue // nothing to compare, or a finding of the schema
		}
		differs = true
		text := func(v exactjson.Value, there bool) phrase.Phrase {
			if !there {
				return phrase.Of("it is absent")
			}
			return phrase.Of("{}", jsonValue(v.Tree))
		}
		after := ""
		if op, ok := s.Run.Contract.Operation(first.Operation); ok && s.Run.Creates(op.ID) && !had {
			after, _ = echoRule(s, *op, first.Response.Status, p.Name) // the first response may lack what was created
		}
		s.Find(a.Exchange, spec.Finding{
			Rule: rule, Kind: spec.KindDiffers, After: after, Expected: phrase.Of("{}: ", phrase.Field(p.Name)).Then(text(was, had)).With(", as it was answered before"), Actual: text(is, has),
			Where: check.Place(a.Exchange).At("/" + p.Name), Pointer: "/" + p.Name, Exchanges: []int{first.Seq, a.Exchange.Seq},
			Cause: rule + " " + p.Name,
		})
	}
}

// sameType reports whether two decoded values have the same JSON type.
func sameType(a, b any) bool {
	switch a.(type) {
	case string:
		_, ok := b.(string)
		return ok
	case json.Number:
		_, ok := b.(json.Number)
		return ok
	case bool:
		_, ok := b.(bool)
		return ok
	}
	return true
}

// jsonValue returns a value as findings show it.
func jsonValue(v any) phrase.Value {
	switch v := v.(type) {
	case string:
		return truncate.String(v)
	case json.Number:
		return phrase.JSON(v.String())
	}
	return phrase.JSON(exactjson.Value{Tree: v, Valid: true}.String())
}
