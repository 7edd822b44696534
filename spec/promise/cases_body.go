package promise

import (
	"fmt"
	"slices"
	"strings"

	words "github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/promise/doubt"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/sentence"
	"github.com/hallmark-kit/hallmark/spec/values"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// boundary separates the parts of trial multipart bodies.
const boundary = "hallmark-boundary"

// bodies derives cases for the body of an operation.
type bodies struct {
	*deriver
	body  *spec.RequestBody
	chain []string
	// media is the media type of plain requests, sent its name in requests, and kind how it is serialized.
	media *spec.Media
	sent  string
	kind  wire.MediaKind
	// base is the value that cases are variants of.
	base    any
	subject instance.Subject
	// valid holds the allowed bodies.
	valid instance.Cases
}

// body adds bodies, both allowed and faulty.
func (d *deriver) body() {
	b := d.op.Body
	if b == nil {
		return
	}
	x := bodies{deriver: d, body: b, chain: append([]string{b.Pointer}, b.Via...)}
	if ignoresBody(d.op.Method) {
		return // the document does not say whether the service reads it
	}
	x.presence()
	x.mediaTypes()
	if !x.choose() {
		return
	}
	x.malformed()
	x.allowed()
	x.faults()
	x.partHeaders()
}

// choose selects the media type of plain requests, as Requests does; false if nothing can be said about its
// values.
func (x *bodies) choose() bool {
	for _, m := range media(x.body) {
		if m.Schema == nil {
			if kind := wire.KindOf(m.Type); kind == wire.KindBinary || kind == wire.KindText {
				return false
			}
			continue
		}
		x.subject = instance.Subject{Name: "the body", Edge: m.Edge, Outer: append(slices.Clone(x.chain), m.Pointer), Examples: m.Examples}
		base := x.generate.Base(x.subject)
		if base == nil {
			continue
		}
		sent := wire.Concrete(m.Type)
		if _, err := request.New(x.op).WithBody(sent, base).Write(boundary); err != nil {
			continue
		}
		if _, object := base.(map[string]any); !object && wire.KindOf(sent) == wire.KindMultipart {
			return false // OpenAPI does not say how other values are read from parts
		}
		x.media, x.sent, x.kind, x.base = &m, sent, wire.KindOf(sent), base
		x.valid = x.generate.Valid(x.subject)
		return true
	}
	return false
}

// presence adds requests without a body. If an empty body may be a value of the media type, it cannot be
// distinguished from none.
func (x *bodies) presence() {
	// Documents that say nothing make a body optional, which is seldom meant, so leaving it out is not tried.
	empty := slices.ContainsFunc(x.body.Content, func(m spec.Media) bool { return !x.rulesOutEmpty(&m) })
	if x.body.Required && !empty {
		x.group(
			Case{Kind: BodyMissing, Aspect: x.fault(), Title: "there is no body", Change: Change{Before: NoBody}, Contract: x.chain},
			Case{Kind: BodyMissing, Aspect: x.fault(), Title: "the body is empty", Change: changeOf(BodyReads, `""`), Contract: x.chain},
		)
	}
}

// rulesOutEmpty reports whether a media type has no empty body.
func (x *bodies) rulesOutEmpty(m *spec.Media) bool {
	switch wire.KindOf(wire.Concrete(m.Type)) {
	case wire.KindJSON:
		return true
	case wire.KindForm, wire.KindMultipart:
		if m.Schema != nil && m.Schema.Item() != nil {
			return false // a list without items has no parts
		}
		return m.Schema != nil && !x.options.Valid(m.Schema, map[string]any{})
	case wire.KindText, wire.KindBinary:
		return m.Schema != nil && m.Schema.Type == "string" && !x.options.Valid(m.Schema, "")
	case wire.KindXML, wire.KindYAML:
		return true
	case wire.KindLines, wire.KindSequence, wire.KindEvents, wire.KindForeign:
	}
	return false
}

// foreign are media types that hardly any document lists; the first that the document does not allow is sent.
var foreign = []string{"application/x-hallmark", "x-hallmark/unknown"}

// mediaTypes adds the same body in a media type that the document does not list. It must be refused if the
// document says how, and must not cause a server error in any case.
func (x *bodies) mediaTypes() {
	refused := exactly(x.op, 415) != nil
	var listed []string
	for _, m := range x.body.Content {
		listed = append(listed, m.Type)
	}
	for _, other := range foreign {
		if wire.Best(listed, other) < 0 {
			c := Case{
				Kind: Robust, Aspect: Unlisted, Title: "the body is sent as " + other + ", which the contract does not list", Change: changeOf(SentAs, other),
				Contract: x.chain,
			}
			if refused {
				c.Kind, c.Aspect = MediaTypeRefused, Breaks
			}
			x.group(c)
			return
		}
	}
}

// malformed adds bodies that are invalid in the media type, but close to the plain one.
func (x *bodies) malformed() {
	var cases, extended []Case
	add := func(change Change, title string) {
		cases = append(cases, Case{Kind: BodyMalformed, Aspect: x.fault(), Title: title, Change: change, Contract: x.chain})
	}
	reads := changeOf(BodyReads, `"nonesuch"`)
	switch x.kind {
	case wire.KindJSON:
		for _, w := range damages {
			// Applied to the plain request as sent, with its new names and existing ids. Otherwise a service that accepts
			// such a body would refuse it for its contents.
			if _, err := Damaged(x.base, w.way); err != nil {
				continue
			}
			change := Change{Before: BodySent, Value: w.way}
			if w.extension {
				extended = append(extended, Case{Kind: BodyExtended, Aspect: x.fault(), Title: w.title, Change: change, Contract: x.chain})
			} else {
				add(change, w.title)
			}
		}
		add(reads, "the body is a bare word")
	case wire.KindMultipart:
		if x.rulesOutEmpty(x.media) {
			add(reads, "the body has no parts and no boundary")
		}
	case wire.KindXML:
		add(reads, "the body is a bare word")
	case wire.KindBinary, wire.KindForm, wire.KindText, wire.KindLines, wire.KindSequence, wire.KindEvents, wire.KindYAML, wire.KindForeign:
	}
	x.group(cases...)
	x.group(extended...)
}

// allowed adds bodies that the contract states, and the plain one in each other media type that it lists.
func (x *bodies) allowed() {
	var cases, texts []Case
	options := request.BodyOptions(x.op, x.sent, boundary)
	valid := x.valid
	for _, c := range valid.Cases {
		at := schemaAt(c, x.media.Schema)
		first, proven := shorterFirst(c, at, lastName(c.Pointer))
		if proven && !x.given(c.Pointer) {
			texts = append(texts, x.wide(c, at, valid.Base, options)...)
		}
		if known := stated(c, at, lastName(c.Pointer), valid.Base); known {
			proven = false
		} else if !proven {
			continue
		}
		if doubt.Doubtful(x.media.Schema, c.Value) || x.given(c.Pointer) || x.depends(c.Pointer, c.Kind == instance.OptionalLeftOut) {
			continue
		}
		if s := openAt(wire.SurvivesBody(x.sent, c.Value, options), c.Differs); s.Fate != wire.Carried || s.Open != "" || s.Absent {
			continue
		}
		change, ok := bodyChange(valid.Base, c.Value, c.Differs)
		switch {
		case !ok:
		case !proven && x.unshown(c): // it may be refused, but must not cause a server error
			texts = append(texts, Case{Kind: Available, Aspect: Allowed, Title: c.Description, Change: change, Contract: placesOf(c)})
		case !proven && x.deep(valid.Base, c):
			if before, found := x.neighbour(valid, c); found {
				cases = append(cases, Case{Kind: Accepted, Aspect: Differs, Title: c.Description, First: before, Change: change, Contract: placesOf(c)})
			}
		case !proven:
			cases = append(cases, Case{Kind: Accepted, Aspect: Differs, Title: c.Description, Change: change, Contract: placesOf(c)})
		default:
			other, made := replaced(c.Value, c.Pointer, first)
			before, differs := bodyChange(valid.Base, other, c.Pointer)
			if made && differs && x.options.Valid(x.media.Schema, other) {
				texts = append(texts, Case{Kind: Accepted, Aspect: Differs, Title: c.Description, First: before, Change: change, Contract: placesOf(c)})
			}
		}
	}
	bare := wire.SurvivesBody(x.sent, x.base, options)
	for _, c := range valid.Cases {
		if left, ok := x.leftOut(c); ok && c.Kind == instance.Example && bare.Fate == wire.Carried && bare.Open == "" { // the first plain request has it
			cases = append(cases, left)
		}
	}
	x.baseCases = append(x.baseCases, x.asInBase(valid, options)...)
	for _, m := range x.body.Content {
		if m.Type == x.media.Type || m.Schema != x.media.Schema || wire.Concrete(m.Type) != m.Type || m.IsPatch() {
			continue
		}
		if s := wire.SurvivesBody(m.Type, x.base, request.BodyOptions(x.op, m.Type, boundary)); s.Fate == wire.Carried && s.Open == "" && !s.Absent {
			cases = append(cases, Case{
				Kind: Accepted, Aspect: Differs, Title: "the body is written as " + m.Type, Change: changeOf(WrittenAs, m.Type),
				Contract: append(slices.Clone(x.chain), m.Pointer),
			})
		}
	}
	for i := range cases {
		if cases[i].Change.Before == NotInBody.Beginning() {
			cases[i].Part = PartLeftOut
		}
	}
	x.group(withoutDuplicates(cases)...)
	x.group(withoutDuplicates(texts)...)
}

// twoBytes is a character with two bytes in UTF-8 and one unit in UTF-16. Unicode normalization does not decompose
// it.
const twoBytes = "ø"

// wide returns the case of the longest text that a schema allows, in characters of two bytes: maxLength counts
// characters. The service must first accept a text of half the length, which has as many bytes as an ASCII text of
// full length.
func (x *bodies) wide(c instance.Case, s *spec.Schema, base any, options wire.BodyOptions) []Case {
	value, _ := exactjson.Lookup(c.Value, jsonpointer.Tokens(c.Pointer))
	text, _ := value.(string)
	most := len([]rune(text))
	if s.MaxLength == nil || int64(most) != *s.MaxLength || most < 2 || int64(most/2) < int64(leastLength(s)) {
		return nil
	}
	full, made := replaced(c.Value, c.Pointer, strings.Repeat(twoBytes, most))
	half, also := replaced(c.Value, c.Pointer, strings.Repeat(twoBytes, most/2))
	if !made || !also || !x.options.Valid(x.media.Schema, full) || !x.options.Valid(x.media.Schema, half) || doubt.Doubtful(x.media.Schema, full) {
		return nil
	}
	if s := openAt(wire.SurvivesBody(x.sent, full, options), c.Pointer); s.Fate != wire.Carried || s.Open != "" || s.Absent {
		return nil
	}
	first, one := bodyChange(base, half, c.Pointer)
	change, two := bodyChange(base, full, c.Pointer)
	if !one || !two {
		return nil
	}
	title := fmt.Sprintf("%s has %s of two bytes, as many as may be", lastName(c.Pointer), words.Count(most, "character"))
	return []Case{{Kind: Accepted, Aspect: Differs, Title: title, First: first, Change: change, Contract: placesOf(c)}}
}

// withoutDuplicates removes cases with the same changes as an earlier one.
func withoutDuplicates(all []Case) []Case {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(c Case) bool {
		step := c.First.Step() + "\n" + c.Change.Step()
		defer func() { seen[step] = true }()
		return seen[step]
	})
}

// deep reports whether a case is about a place in a part that the base lacks: the part adds more than the case is
// about, which a service may refuse for reasons that no schema expresses.
func (x *bodies) deep(base any, c instance.Case) bool {
	tokens := jsonpointer.Tokens(c.Pointer)
	if len(tokens) < 2 {
		return false
	}
	_, there := exactjson.Lookup(base, tokens[:len(tokens)-1])
	return !there
}

// neighbour returns the change to a body that has the part of a case, and another value at its place, which the
// service must accept first; false if none is known.
func (x *bodies) neighbour(valid instance.Cases, c instance.Case) (Change, bool) {
	try := func(other any, made bool) (Change, bool) {
		if !made || sameText(other, c.Value) || !x.options.Valid(x.media.Schema, other) {
			return Change{}, false
		}
		return bodyChange(valid.Base, other, c.Pointer)
	}
	if change, ok := try(leftOut(c.Value, c.Pointer)); ok {
		return change, true
	}
	tokens := jsonpointer.Tokens(c.Pointer)
	for _, other := range valid.Cases {
		if other.Pointer != c.Pointer {
			continue
		}
		if value, there := exactjson.Lookup(other.Value, tokens); there {
			if change, ok := try(replaced(c.Value, c.Pointer, value)); ok {
				return change, true
			}
		}
	}
	return Change{}, false
}

// given reports whether a place in the body, or one above it, is given: other values may be refused for reasons
// that no schema expresses.
func (x *bodies) given(pointer string) bool {
	if _, whole := x.options.given.Body(x.op); whole {
		return true
	}
	return slices.ContainsFunc(x.options.given.Members(x.op), func(m values.Member) bool {
		return pointer == m.Pointer || strings.HasPrefix(pointer, m.Pointer+"/")
	})
}

// faults adds bodies with one fault that remains however a server parses them.
func (x *bodies) faults() {
	invalid, valid := x.generate.Invalid(x.subject), x.valid
	options := request.BodyOptions(x.op, x.sent, boundary)
	sound, other, ok := x.validAsRead(invalid.Base, options)
	if !ok {
		return
	}
	all := newKinds()
	for _, c := range invalid.Cases {
		if c.Value == nil && !x.body.Required {
			continue // popular parsers do not distinguish null from no body
		}
		value, made := c.Value, true
		if other {
			value, made = withFault(sound, c)
		}
		if !made || !x.wrongAsRead(value, c, options) {
			continue
		}
		change, ok := bodyChange(invalid.Base, c.Value, c.Differs)
		if !ok || x.contradicted(value, c) {
			continue
		}
		fault := Case{Kind: bodyKind(c), Aspect: x.fault(), Title: c.Description, Change: change, Contract: placesOf(c)}
		if c.Kind == instance.Null {
			fault.Part = PartNull
		}
		switch {
		case c.Differs != c.Pointer && !sameText(c.Repaired, invalid.Base): // another branch, which must be accepted first
			fault.First, _ = bodyChange(invalid.Base, c.Repaired, c.Differs)
		case x.deep(invalid.Base, c):
			fault.First, _ = x.neighbour(valid, c) // a service that ignores the part finds no fault in it
		}
		all.addCase(c.Kind, fault)
	}
	x.groups = append(x.groups, all.groups...)
}

// contradicted reports whether the document itself has an example with the fault of a case, so that a service may
// accept it.
func (x *bodies) contradicted(value any, c instance.Case) bool {
	if x.kind != wire.KindJSON || x.options.within == nil {
		return false
	}
	document := doubt.Document{Validator: x.options.within, Direction: schema.Request}
	if !document.Contradicts(x.media.Schema, x.media.Examples, jsonpointer.Tokens(c.Pointer)) {
		return false
	}
	v := x.options.within(x.media.Schema)
	if v == nil {
		return false
	}
	sure, _ := document.Uncontradicted(x.media.Schema, x.media.Examples, v.ValidateWithin(value, schema.Request, mostWork).Violations)
	return len(serious(sure)) == 0
}

// bodyKind returns the kind of promise that a faulty body tests.
func bodyKind(c instance.Case) Kind {
	switch {
	case c.Kind == instance.LeftOut:
		return PropertyMissing
	case c.Kind == instance.Unknown:
		return PropertyUnknown
	case c.Pointer == "" && (c.Kind == instance.Type || c.Kind == instance.Null || c.Kind == instance.NoVariant):
		return BodyType
	}
	return PropertyValue
}

// bodyChange returns the difference between a base and a value, at a pointer or the nearest place above it that
// the base has; false if there is none.
func bodyChange(base, value any, pointer string) (Change, bool) {
	if sameText(base, value) {
		return Change{}, false
	}
	tokens := jsonpointer.Tokens(pointer)
	for len(tokens) > 1 {
		if _, there := exactjson.Lookup(base, tokens[:len(tokens)-1]); there {
			break
		}
		tokens = tokens[:len(tokens)-1]
	}
	if len(tokens) == 0 {
		return changeOf(BodyIs, jsonText(value)), true
	}
	pointer = jsonpointer.Join("", tokens...)
	was, had := exactjson.Lookup(base, tokens)
	is, has := exactjson.Lookup(value, tokens)
	switch {
	case !has && had:
		return changeOf(NotInBody, sentence.Quoted(pointer)), true
	case has && (!had || !sameText(was, is)):
		return changeOf(InBody, pointer, jsonText(is)), true
	}
	return changeOf(BodyIs, jsonText(value)), true
}
