package promise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// Texts in JSON of which no standard says what they mean: a byte that is not UTF-8, and an escaped half of a surrogate pair. A service may refuse
// them, and may put a replacement in their place; it has no reason to break, and whatever it answers has to be JSON.

// EndsIn is a change of a text in a body, {way} one of [UnclearWays].
const EndsIn sentence.Sentence = "the text {name} in its body ends in {way}"

// unclear are the ends of texts, as they are written in JSON.
var unclear = []struct{ way, raw string }{
	{"a byte that is not UTF-8", "\xff"},
	{"half of a surrogate pair", `\ud83d`},
}

// UnclearWays returns the ways in which a text may end of which no standard says what they mean.
func UnclearWays() []string {
	var all []string
	for _, u := range unclear {
		all = append(all, u.way)
	}
	return all
}

// WithUnclearEnd returns a body as a JSON text in which the text at a pointer ends in one of the ways.
func WithUnclearEnd(value any, pointer, way string) ([]byte, error) {
	const mark = "hallmark-ends-here"
	text, there := exactjson.Lookup(value, jsonpointer.Tokens(pointer))
	was, is := text.(string)
	if !there || !is {
		return nil, fmt.Errorf("the body has no text %s", pointer)
	}
	with, ok := replaced(value, pointer, was+mark)
	if !ok {
		return nil, fmt.Errorf("the body has no place %s", pointer)
	}
	for _, u := range unclear {
		if u.way == way {
			return []byte(strings.Replace(jsonOf(with), mark, u.raw, 1)), nil
		}
	}
	return nil, fmt.Errorf("no text ends in %s", way)
}

// deriveUnclearRead adds that what was created with such a text can be read, where a service takes it.
func deriveUnclearRead(d *deriver, l life, reads string) {
	var all []Case
	for _, group := range d.groups {
		for _, c := range group {
			if c.Aspect == Unclear {
				all = append(all, Case{
					Kind: Readable, Aspect: Lives, Title: "what is created can be read where " + c.Title, Change: c.Change, Given: PlainRequest.Write(d.op.ID) + Succeeded,
					When: []string{Creates, reads}, Then: []string{IsFound}, Writes: true, Contract: []string{l.creates.Pointer, l.Reader.Pointer},
					Phase: spareOnly(d.op),
				})
			}
		}
	}
	d.group(all...)
}

// deriveUnclear adds them for one free text of a body, where the document says how the operation refuses what it does not take.
func deriveUnclear(d *deriver, s *spec.Schema, base any, chain []string) {
	if !d.refuses {
		return
	}
	for _, at := range leaves(s, base, "", 0) {
		if text, is := base.(map[string]any); !is || text == nil || at.schema.Type != "string" || len(unusualFor(d, at.schema)) == 0 || at.schema.MaxLength != nil || namesOther(lastName(at.pointer)) {
			continue
		}
		var cases []Case
		for _, u := range unclear {
			before, behind := EndsIn.Around(at.pointer)
			cases = append(cases, Case{
				Kind: Available, Part: PartUnclear, Aspect: Unclear, Title: lastName(at.pointer) + " ends in " + u.way, Change: Change{Before: before, Value: u.way, Behind: behind},
				Contract: append(slices.Clip(chain), at.schema.Pointer), Phase: spareOnly(d.op),
			})
		}
		d.group(cases...)
		return
	}
}

// spareOnly returns the phase of cases that create something the other rules do without. If an operation creates something sensitive, of
// which a run creates only a few, they come last and have what is left.
func spareOnly(op *spec.Operation) string {
	if resource.Sensitive(op) != "" {
		return lastPhase
	}
	return ""
}
