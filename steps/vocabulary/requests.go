package vocabulary

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/wire"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/written"
)

// The steps that derive requests from plain ones, for any contract. Their sentences are in package promise.

func requestSteps() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.PlainRequest.Pattern() + `(` + promise.Succeeded + `)?`, Do: stepWithTwo(givenPlainRequest)},
		{Pattern: promise.HasParameter.Pattern(), Do: func(ctx context.Context, in, name, value string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				v, err := written.Value(scenario.From(ctx), value)
				return r.With(request.Place{In: in, Name: unquoted(name)}, v), err
			})
		}},
		{Pattern: promise.NoParameter.Pattern(), Do: func(ctx context.Context, in, name string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				return r.Without(request.Place{In: in, Name: unquoted(name)}), nil
			})
		}},
		{Pattern: promise.UnknownParameter.Pattern(), Do: stepWith(givenUnknown)},
		{Pattern: promise.BodyIs.Pattern(), Do: func(ctx context.Context, value string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				v, err := written.Value(scenario.From(ctx), value)
				_, media, _ := r.Body()
				return r.WithBody(mediaOf(r, media), v), err
			})
		}},
		{Pattern: promise.InBody.Pattern(), Do: func(ctx context.Context, pointer, value string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				v, err := written.Value(scenario.From(ctx), value)
				if err != nil {
					return r, err
				}
				return applicable(r.WithBodyAt(unquoted(pointer), v))
			})
		}},
		{Pattern: promise.Below.Pattern(), Do: func(ctx context.Context, high, low string) error {
			valid := scenario.From(ctx).Run.Promises.Valid
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				changed, ok := promise.BelowIn(r, unquoted(high), unquoted(low), valid)
				if !ok {
					return r, scenario.Excusef("the contract allows no values of %s and %s in this order, or the request has none", high, low)
				}
				return changed, nil
			})
		}},
		{Pattern: promise.NotInBody.Pattern(), Do: func(ctx context.Context, pointer string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				return applicable(r.WithoutBodyAt(unquoted(pointer)))
			})
		}},
		{Pattern: promise.NoBody, Do: func(ctx context.Context) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) { return r.WithoutBody(), nil })
		}},
		{Pattern: promise.BodyReads.Pattern(), Do: func(ctx context.Context, text string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				v, err := readJSON(text)
				if err != nil {
					return r, err
				}
				_, media, _ := r.Body()
				raw, _ := v.(string)
				return r.WithMedia(mediaOf(r, media)).WithRaw([]byte(raw)), nil
			})
		}},
		{Pattern: promise.BodyWritten + `(` + promise.SeveralLines + `|` + promise.ReverseOrder + `)`, Do: func(ctx context.Context, way string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				value, media, _ := r.Body()
				text, err := promise.Written(value, way)
				return applicable(r.WithMedia(mediaOf(r, media)).WithRaw(text), err)
			})
		}},
		{Pattern: promise.BodySent + `(` + strings.Join(promise.Damages(), "|") + `)`, Do: func(ctx context.Context, way string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				value, media, ok := r.Body()
				if !ok {
					return r, scenario.Excusef("the request that succeeds has no body")
				}
				text, err := promise.Damaged(value, way)
				if err != nil {
					return r, scenario.Excusef("%v", err)
				}
				return r.WithMedia(mediaOf(r, media)).WithRaw(text), nil
			})
		}},
		{Pattern: promise.EndsIn.Pattern(), Do: func(ctx context.Context, name, way string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				value, media, ok := r.Body()
				if !ok {
					return r, scenario.Excusef("the request that succeeds has no body")
				}
				text, err := promise.WithUnclearEnd(value, unquoted(name), way)
				if err != nil {
					return r, scenario.Excusef("%v", err)
				}
				return r.WithMedia(mediaOf(r, media)).WithRaw(text), nil
			})
		}},
		{Pattern: promise.SentAs.Pattern(), Do: func(ctx context.Context, media string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) { return sentAs(r, media) })
		}},
		{Pattern: promise.AsksFor.Pattern(), Do: func(ctx context.Context, media string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				r.Accept = media
				return r, nil
			})
		}},
		{Pattern: promise.WrittenAs.Pattern(), Do: func(ctx context.Context, media string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				v, _, ok := r.Body()
				if !ok {
					return r, scenario.Excusef("the request that succeeds has no body")
				}
				return r.WithBody(media, v), nil
			})
		}},
		{Pattern: promise.NoPartHeader.Pattern(), Do: func(ctx context.Context, part, header string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				return withoutPartHeader(r, unquoted(part), unquoted(header))
			})
		}},
		{Pattern: promise.PartHeaderIs.Pattern(), Do: func(ctx context.Context, part, header, value string) error {
			return changeRequest(ctx, func(r request.Request) (request.Request, error) {
				v, err := written.Value(scenario.From(ctx), value)
				if err != nil {
					return r, err
				}
				return withPartHeader(r, unquoted(part), unquoted(header), v)
			})
		}},
		{Pattern: promise.Credential.Pattern(), Do: stepWith(givenWrongCredential)},
		{Pattern: promise.SucceedsSo, Do: step(givenSucceedsSo)},
		{Pattern: promise.Sent, Do: step(whenSentAsMade)},
		{Pattern: promise.SentTwice, Do: step(whenSentTwice)},
	}
}

// givenPlainRequest implements "a plain request to <operation> [that succeeds]".
func givenPlainRequest(ctx context.Context, s *scenario.Scenario, operation, succeeds string) error {
	if _, err := s.Operation(unquoted(operation)); err != nil {
		return err
	}
	op, _ := s.Run.Contract.Operation(unquoted(operation))
	if succeeds == "" {
		plain, known, err := scenario.Succeeded(ctx, s, op)
		if err != nil {
			return err
		}
		if known {
			s.Make(&scenario.Making{Request: plain.Request, Credential: plain.Answer.Credential, Plain: plain, Changed: true})
			return nil
		}
		r, with, err := s.PlainRequest(ctx, op)
		if err != nil {
			return err
		}
		s.Make(&scenario.Making{Request: r, Credential: with})
		return nil
	}
	plain, err := s.Plain(ctx, op)
	if err != nil {
		return err
	}
	s.Make(&scenario.Making{Request: plain.Request, Credential: plain.Answer.Credential, Plain: plain})
	return nil
}

// changeRequest modifies the request being built.
func changeRequest(ctx context.Context, how func(request.Request) (request.Request, error)) error {
	m, err := scenario.From(ctx).Making()
	if err != nil {
		return err
	}
	m.Request, err = how(m.Request)
	m.Request = m.Plain.Rebound(m.Request)
	m.Changed = true
	return err
}

// applicable excuses a scenario whose change has no place in the request that succeeded.
func applicable(r request.Request, err error) (request.Request, error) {
	if err != nil {
		return r, scenario.Excusef("%v", err)
	}
	return r, nil
}

// givenUnknown implements "its path parameter <name> belongs to nothing".
func givenUnknown(_ context.Context, s *scenario.Scenario, name string) error {
	m, err := s.Making()
	if err != nil {
		return err
	}
	name = unquoted(name)
	for _, p := range m.Request.Operation.Parameters {
		if p.In != "path" || p.Name != name {
			continue
		}
		value, ok := unknownID(s, m.Request.Operation, p)
		if !ok {
			return scenario.Excusef("the contract allows no value of %s that certainly does not exist", name)
		}
		m.Request = m.Request.With(request.PlaceOf(p), value)
		return nil
	}
	return fmt.Errorf("%s has no path parameter %s", m.Request.Operation.ID, name)
}

// unknownID returns a value that a schema allows and that names nothing, in all likelihood.
func unknownID(s *scenario.Scenario, op *spec.Operation, p spec.Parameter) (any, bool) {
	schema := p.Schema
	if schema == nil {
		return nil, false
	}
	id := s.Run.FreshID()
	if schema.Type == "string" && len(schema.Enum) == 0 {
		for _, text := range []string{"hallmark-none-" + id, "none-" + id, "h" + id, "H" + id, id, (id + id)[:24], (id + id)[:32]} {
			if s.Run.Promises.Valid(schema, text) {
				return text, true
			}
		}
	}
	if scenario.Creatable(s.Run, op, p) {
		if text, ok := rareText(schema, id); ok && s.Run.Promises.Valid(schema, text) {
			return text, true
		}
	}
	if !schema.Simple() || len(schema.Enum) > 0 {
		return nil, false
	}
	switch {
	case schema.Type == "integer" && (schema.Format == "int32" || schema.Maximum != ""):
		if most, ok := spec.IntegerOf(schema.Maximum); schema.Maximum != "" && (!ok || most < 1<<30) {
			return nil, false
		}
		n, _ := strconv.ParseInt(id, 10, 64)
		return exactNumber(strconv.FormatInt(1<<29+n%(1<<28), 10)), true
	case schema.Type == "integer":
		// Beyond 2^53 many services lose digits or refuse the number.
		n, _ := strconv.ParseInt(id, 10, 64)
		return exactNumber(strconv.FormatInt(1<<52+n%(1<<51), 10)), true
	case schema.Format == "uuid":
		return fmt.Sprintf("%08x-0000-4000-8000-%s", id[:4], (id + id)[:12]), true
	case (schema.Type == "string" || schema.Type == "") && schema.Format == "" && schema.MaxLength == nil && schema.MinLength == nil:
		return "hallmark-none-" + id, true
	}
	return nil, false
}

// rareText returns a text that matches the pattern of a schema and is one of very many. It returns false if
// matching texts differ in a few places only, since one of them may exist.
func rareText(schema *spec.Schema, seed string) (string, bool) {
	const several, places = 12, 10 // ten decimal digits match one in a store of a million with a probability of 1 in 10,000
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return "", false
	}
	all := promise.Matching(schema, n, several)
	longest := ""
	for _, text := range all {
		if len(text) > len(longest) {
			longest = text
		}
	}
	differ := 0
	for i := range len(longest) {
		if slices.ContainsFunc(all, func(text string) bool { return i < len(text) && text[i] != longest[i] }) {
			differ++
		}
	}
	return longest, differ >= places
}

// withoutPartHeader removes a header from a part of the request that succeeds.
func withoutPartHeader(r request.Request, part, header string) (request.Request, error) {
	body, _, _ := r.Body()
	members, _ := body.(map[string]any)
	if _, there := members[part]; !there || !r.HasPartHeader(part, header) {
		return r, scenario.Excusef("the request that succeeds has no part %s with a header %s", part, header)
	}
	return r.WithoutPartHeader(part, header), nil
}

// withPartHeader sets a header of a part of the request that succeeds to another value.
func withPartHeader(r request.Request, part, header string, value any) (request.Request, error) {
	if _, err := withoutPartHeader(r, part, header); err != nil {
		return r, err
	}
	_, media, _ := r.Body()
	for _, m := range r.Operation.Body.Content {
		if wire.Concrete(m.Type) != media {
			continue
		}
		headers := m.Encoding[part].Headers
		if i := slices.IndexFunc(headers, func(h spec.Header) bool { return h.Name == header }); i >= 0 {
			return applicable(r.WithPartHeader(part, &headers[i], value))
		}
	}
	return r, scenario.Excusef("the contract has no header %s for the part %s", header, part)
}

// givenWrongCredential implements "its credential is <words>".
func givenWrongCredential(ctx context.Context, s *scenario.Scenario, words string) error {
	m, err := s.Making()
	if err != nil {
		return err
	}
	m.Credential, err = s.Wrong(ctx, m.Request.Operation, words)
	if no, ok := errors.AsType[credentials.Impossible](err); ok {
		if needsOther(words) {
			return scenario.Inapplicablef("%s", no.Reason)
		}
		return scenario.Excusef("%s", no.Reason)
	}
	return err
}

// needsOther reports whether a wrong credential is a valid one of another scheme or role, which a run need not have.
func needsOther(words string) bool {
	return words == credential.WithoutScope || strings.HasPrefix(words, credential.OfScheme)
}

// givenSucceedsSo implements "it succeeds so as well".
func givenSucceedsSo(ctx context.Context, s *scenario.Scenario) error {
	m, err := s.Making()
	if err != nil {
		return err
	}
	a, err := s.Ask(ctx, m.Request, m.Credential, "what the case goes on from")
	if err != nil {
		return err
	}
	if !a.Succeeded() {
		return scenario.Excusef("the service accepts no generated value there: status %d", a.Status())
	}
	m.Plain.Request, m.Plain.Answer = m.Request, a
	m.Request = scenario.Renamed(s, m.Request)
	return nil
}

// whenSentAsMade implements "it is sent".
func whenSentAsMade(ctx context.Context, s *scenario.Scenario) error {
	m, err := s.Making()
	if err != nil {
		return err
	}
	s.SetAnswers()
	if m.Changed && m.Plain.Answer != nil && m.Request.Equal(m.Plain.Request) {
		s.AddAnswer(m.Plain.Answer.Whole()) // the request that succeeded is the same
		return nil
	}
	a, err := s.Ask(ctx, m.Request, m.Credential, s.Pickle.Name)
	if err == nil {
		a, err = scenario.AskAnew(ctx, s, m, a, s.Pickle.Name)
	}
	if err != nil {
		return err
	}
	s.AddAnswer(a)
	return nil
}

// whenSentTwice implements "it is sent twice, word for word". The second response, unless it is a server error, is
// the service's own choice, and may have a status that no document has to list: a refusal, or the existing
// resource.
func whenSentTwice(ctx context.Context, s *scenario.Scenario) error {
	m, err := s.Making()
	if err != nil {
		return err
	}
	s.SetAnswers()
	for n := range 2 {
		a, err := s.Ask(ctx, m.Request, m.Credential, s.Pickle.Name)
		switch {
		case err != nil:
			return err
		case n == 0 && !a.Succeeded():
			return scenario.Excusef("%s refuses it: status %d", m.Request.Operation.ID, a.Status())
		case n == 1 && a.Status()/100 < 5 && m.Request.Operation.ResponseFor(a.Status()) == nil:
			return scenario.Excusef("%s is answered differently if the same exists already: status %d", m.Request.Operation.ID, a.Status())
		case n == 1:
			s.AddAnswer(a)
		}
	}
	return nil
}

// mediaOf returns the media type of the request's body, or the first documented one.
func mediaOf(r request.Request, media string) string {
	if media == "" && r.Operation.Body != nil {
		if m := r.Operation.Body.JSON(); m != nil {
			return m.Type
		}
		if all := r.Operation.Body.Content; len(all) > 0 {
			return all[0].Type
		}
	}
	return media
}

// sentAs returns the request with the same body under another Content-Type.
func sentAs(r request.Request, media string) (request.Request, error) {
	w, err := r.Write("hallmark")
	if err != nil || w.Body == nil {
		return r, scenario.Excusef("the request that succeeds has no body")
	}
	return r.WithMedia(media).WithRaw(w.Body), nil
}

// readJSON parses the JSON text of a step.
func readJSON(text string) (any, error) {
	d, err := exactjson.Decode([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s is no JSON: %w", text, err)
	}
	return d.Tree, nil
}

// unquoted returns a name as steps write it, without its quotes.
func unquoted(name string) string {
	if strings.HasPrefix(name, `"`) {
		if text, err := strconv.Unquote(name); err == nil {
			return text
		}
	}
	return name
}
