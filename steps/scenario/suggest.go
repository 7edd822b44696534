package scenario

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/refusal"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/values"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Values that a person could give for operations that never succeeded.

const (
	// mostSuggested is how many places are suggested for one operation.
	mostSuggested = 3
	// longestSays and longestExample bound what is quoted of a refusal, in characters, and an example, in bytes.
	longestSays, longestExample = 160, 600
	// openExample is the example where the type of a value is all that is known of it.
	openExample = "…"
)

// suggestUnsent returns what a file of values could give for an operation to which nothing was sent.
func (s *Scenario) suggestUnsent(op *spec.Operation, reason string) []record.Suggestion {
	var all []record.Suggestion
	for _, slot := range Unknown(op, s.Run.Promises, s.Run.resources.inferred) {
		all = append(all, record.Suggestion{
			Operation: op.ID, Key: s.keyOfSlot(op, slot), Example: jsonOf(s.exampleOf(slot.Parameter.Schema)),
			Says: "no operation shows what it names",
		})
	}
	if len(all) == 0 {
		all = []record.Suggestion{{Operation: op.ID, Says: reason}}
	}
	return all
}

// suggest returns what a file of values could give for an operation that never succeeded: the places that the refusals of its plain requests
// complain about; otherwise those in its path that nothing is known to exist for, or the whole body.
func (s *Scenario) suggest(op *spec.Operation, tried []attempt, last *Answer, b bindings) []record.Suggestion {
	if last == nil {
		return []record.Suggestion{{Operation: op.ID, Says: "no request to it could be made"}}
	}
	suggestion := func(key string, example any, says string) record.Suggestion {
		return record.Suggestion{Operation: op.ID, Key: key, Example: s.unmarked(jsonOf(example)), Says: says}
	}
	says := answerInShort(last)
	switch status := last.Status(); {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return []record.Suggestion{{Operation: op.ID, Says: says + "; another credential or role may be let in"}}
	case status == http.StatusMethodNotAllowed || status/100 != 4:
		return []record.Suggestion{{Operation: op.ID, Says: says}}
	case status == http.StatusNotFound || status == http.StatusGone:
		if slot, unknown := s.unknownIn(op, b); unknown {
			if creatable(s.Run.Promises, s.Run.resources.inferred, slot, s.Run.Target.Allowed) {
				return []record.Suggestion{{Operation: op.ID, Says: says}} // a value would only stand in for what is created
			}
			value, _ := last.Request.Value(request.PlaceOf(slot.Parameter))
			return []record.Suggestion{suggestion(s.keyOfSlot(op, slot), value, says)}
		}
	}
	var all []record.Suggestion
	for _, one := range slices.Backward(append(slices.Clone(tried), attempt{*last.Request, last})) {
		if one.answer.Status()/100 != 4 {
			continue
		}
		places := placesOf(one.request)
		for _, c := range refusal.Read(one.answer.Exchange.Response.Body, places.pointers, nil) {
			key, schema, now, there := places.placeAt(c.Pointer)
			if key = values.KeyOf(op, key); slices.ContainsFunc(all, func(known record.Suggestion) bool { return known.Key == key }) {
				continue
			}
			all = append(all, suggestion(key, s.exampleFor(c.Text, schema, now, there), strconv.Itoa(one.answer.Status())+" "+inShort(c.Text)))
		}
	}
	if len(all) > 0 {
		return all[:min(len(all), mostSuggested)]
	}
	if body, _, ok := last.Request.Body(); ok {
		if given, whole := s.Run.Promises.Given().Body(op); whole {
			body = given.Value
		}
		return []record.Suggestion{suggestion(values.KeyOf(op, "body"), body, says)}
	}
	for _, p := range op.Parameters {
		value, there := last.Request.Value(request.PlaceOf(p))
		if _, bound := b.values[request.PlaceOf(p)]; there && !bound {
			return []record.Suggestion{suggestion(values.KeyOf(op, p.Name), value, says)}
		}
	}
	return []record.Suggestion{{Operation: op.ID, Says: says}}
}

// unknownIn returns the first slot of a path for whose value nothing is known to exist; if there is none, the first with a value of the file of
// values, which may be wrong.
func (s *Scenario) unknownIn(op *spec.Operation, b bindings) (resource.Slot, bool) {
	slots := resource.SlotsOf(op)
	for _, given := range []bool{false, true} {
		for _, slot := range slots {
			_, known := b.values[request.PlaceOf(slot.Parameter)]
			if _, is := s.Run.Promises.Given().Parameter(op, slot.Parameter); !resource.Fixed(slot.Parameter) && is == given && known == given {
				return slot, true
			}
		}
	}
	return resource.Slot{}, false
}

// keyOfSlot returns the name of an entry for a path parameter. Something that an operation changes or deletes must be named for that operation.
func (s *Scenario) keyOfSlot(op *spec.Operation, slot resource.Slot) string {
	if s.Run.resources.inferred.NamesOneCollection(slot.Parameter.Name) {
		op = nil
	}
	return values.KeyOf(op, slot.Parameter.Name)
}

// requestPlaces are the places in a request that a refusal may complain about: the members of its body, and its parameters.
type requestPlaces struct {
	request  request.Request
	pointers []string
	// parameters holds the parameters by their pseudo pointers, "/" and the name.
	parameters map[string]spec.Parameter
}

func placesOf(r request.Request) requestPlaces {
	all := requestPlaces{request: r, parameters: map[string]spec.Parameter{}}
	body, _, _ := r.Body()
	all.pointers = membersOf(body, "", 0)
	if r.Operation.Body != nil {
		for _, name := range resource.MemberNames(r.Operation.Body.Schema()) {
			if pointer := jsonpointer.Join("", name); !slices.Contains(all.pointers, pointer) {
				all.pointers = append(all.pointers, pointer)
			}
		}
	}
	for _, p := range r.Operation.Parameters {
		if pointer := jsonpointer.Join("", p.Name); !slices.Contains(all.pointers, pointer) {
			all.pointers, all.parameters[pointer] = append(all.pointers, pointer), p
		}
	}
	slices.Sort(all.pointers)
	return all
}

// placeAt returns how a file of values names a place, its schema, and its value in the request, if it has one.
func (p requestPlaces) placeAt(pointer string) (key string, schema *spec.Schema, now any, there bool) {
	if parameter, is := p.parameters[pointer]; is {
		now, there = p.request.Value(request.PlaceOf(parameter))
		return parameter.Name, parameter.Schema, now, there
	}
	body, _, _ := p.request.Body()
	tokens := jsonpointer.Tokens(pointer)
	now, there = exactjson.Lookup(body, tokens)
	return pointer, resource.At(promise.BodySchema(p.request), tokens), now, there
}

// exampleFor returns a value for a place that a refusal complains about: one that the sentence demands, the one that was sent, or one of the
// document.
func (s *Scenario) exampleFor(sentence string, schema *spec.Schema, now any, there bool) any {
	if there {
		for _, value := range demanded(s, sentence, now) {
			if schema == nil || s.Run.Promises.Valid(schema, value) {
				return value
			}
		}
		return now
	}
	return s.exampleOf(schema)
}

// exampleOf returns a value that the document names for a schema, or one of its type to be replaced.
func (s *Scenario) exampleOf(schema *spec.Schema) any {
	if schema == nil {
		return openExample
	}
	texts := slices.Clone(resource.EnumOf(schema))
	for _, e := range schema.Examples {
		texts = append(texts, e.JSON)
	}
	for _, one := range append(texts, schema.Default, schema.Const) {
		if d, err := exactjson.Decode([]byte(one)); one != "" && err == nil && s.Run.Promises.Valid(schema, d.Tree) {
			return d.Tree
		}
	}
	for _, one := range []any{openExample, json.Number("1"), true, []any{}, map[string]any{}} {
		if s.Run.Promises.Valid(schema, one) {
			return one
		}
	}
	return openExample
}

// unmarked returns an example with the placeholder for a new name instead of the names that the run made up.
func (s *Scenario) unmarked(example string) string {
	return regexp.MustCompile(regexp.QuoteMeta(s.Run.marker)+`-\d+`).ReplaceAllString(example, "{new}")
}

// jsonOf returns a value as JSON on one line, which YAML reads, too.
func jsonOf(value any) string {
	if _, file := value.(wire.File); file {
		return "{file: " + openExample + "}"
	}
	var out strings.Builder
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	if err := to.Encode(value); err != nil || out.Len() > longestExample {
		return openExample
	}
	return strings.TrimSpace(out.String())
}

// answerInShort is a response in a few words: its status and the sentence in it.
func answerInShort(a *Answer) string {
	return strings.TrimSpace(strconv.Itoa(a.Status()) + " " + inShort(refusal.Sentence(a.Exchange.Response.Body)))
}

// inShort returns a text on one line, shortened.
func inShort(sentence string) string {
	return text.Truncate(strings.Join(strings.Fields(text.Visible(sentence)), " "), longestSays)
}

// Suggestions returns the values that a person could give for operations that never succeeded, in the order of the contract.
func (r *Run) Suggestions() []record.Suggestion {
	var all []record.Suggestion
	failed, found := map[string]bool{}, map[string][]record.Suggestion{}
	operations := r.Contract.Operations()
	for _, op := range operations {
		p := r.plains.entry(op.ID)
		leave, ok := p.search.Try()
		if !ok {
			continue // a scenario that hangs is searching
		}
		failed[op.ID], found[op.ID] = p.known && p.none != "", p.suggested
		leave()
	}
	for i := range operations {
		op := &operations[i]
		if !failed[op.ID] {
			continue
		}
		for _, one := range found[op.ID] {
			if one.Key == "" {
				one.After = r.neededFirst(op, failed)
			}
			one.Says, one.Example = inShort(r.Client.Redactor.Text(one.Says)), r.Client.Redactor.Text(one.Example)
			all = append(all, one)
		}
	}
	return all
}

// neededFirst returns the operation that creates what a request needs, and never succeeded; "" if there is none.
func (r *Run) neededFirst(op *spec.Operation, failed map[string]bool) string {
	from := r.resources.inferred
	needed := resource.SlotsOf(op)
	for _, at := range from.References(op) {
		if at.Required {
			needed = append(needed, at.Slot)
		}
	}
	for _, slot := range needed {
		creators := from.Creators(slot)
		if len(creators) == 0 || creators[0].Operation.ID == op.ID {
			continue
		}
		if !slices.ContainsFunc(creators, func(p resource.Producer) bool { return !failed[p.Operation.ID] }) {
			return creators[0].Operation.ID
		}
	}
	return ""
}
