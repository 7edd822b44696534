package spec

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/source"
)

// Adapt returns the catalogue, which is that of the contract own, as it reads for another contract: each rule names the
// places at which that contract says the same, and its sentence holds that contract's numbers and words. Parameters are
// found by their names, required properties too, whatever their order, and references are followed. Silent returns the
// rules of which the contract says nothing.
func (c *Catalogue) Adapt(own, contract *Contract) (adapted *Catalogue, err error) {
	if own.Digest() == contract.Digest() {
		return c, nil
	}
	defer func() { // a document that a reference of it leads out of, or round in circles
		if r := recover(); r != nil {
			wrong, is := r.(*source.Error)
			if !is {
				wrong = source.Errorf(0, "it cannot be read: %v", r)
			}
			err = wrong
		}
	}()
	a := adapter{own: own, other: contract}
	words := a.words()
	copied := *c
	adapted = &copied
	adapted.silent = map[string]string{}
	adapted.Rules = slices.Clone(c.Rules)
	for i := range adapted.Rules {
		r := &adapted.Rules[i]
		replace := a.numbers(r.Contract)
		r.Says, r.Asks = words.Replace(replace(r.Says)), words.Replace(replace(r.Asks))
		if was, is, ok := a.success(r.Operations); ok {
			r.Says = strings.ReplaceAll(r.Says, was, is)
		}
		if len(r.Contract) == 0 {
			continue
		}
		there := a.move(r.Contract)
		if len(there) == 0 {
			adapted.silent[r.ID] = "the contract says nothing of it: it has no " + r.Contract[0]
		}
		r.Contract = there
	}
	adapted.byPlace = places(adapted.Rules)
	return adapted, nil
}

// Silent holds the rules of which the contract says nothing that the catalogue was adapted to, with the reason. They do not
// apply.
func (c *Catalogue) Silent() map[string]string { return c.silent }

// adapter finds the places of one contract in another.
type adapter struct{ own, other *Contract }

// follow returns where the object stands that a pointer leads to. Where a reference leads nowhere Adapt fails.
func follow(d *source.Document, pointer string) string {
	at, err := d.Follow(pointer)
	if err != nil {
		//nolint:forbidigo // Adapt returns it as its error
		panic(err)
	}
	return at
}

// move returns where the other contract says what stands at the pointers.
func (a adapter) move(pointers []string) []string {
	var out []string
	for _, p := range pointers {
		there, ok := a.at(p)
		if !ok {
			continue
		}
		out = append(out, there)
		// What stands here itself may stand in a component there, and is said of that then.
		if stands := follow(a.other.doc, there); stands != there && follow(a.own.doc, p) == p {
			out = append(out, stands)
		}
	}
	return out
}

// at returns the place of the other contract that a pointer into the own one stands for.
func (a adapter) at(pointer string) (string, bool) {
	from, to := "", ""
	for _, token := range jsonpointer.Tokens(pointer) {
		from, to = follow(a.own.doc, from), follow(a.other.doc, to)
		here, there := a.own.doc.Node(from), a.other.doc.Node(to)
		next := jsonpointer.Join(to, token)
		if here != nil && here.Kind == source.SequenceNode && there != nil {
			i := a.index(jsonpointer.Join(from, token), to, there)
			if i < 0 {
				return "", false
			}
			next = jsonpointer.Index(to, i)
		}
		if a.other.doc.Node(next) == nil && strings.HasSuffix(to, "/responses") {
			next = a.response(to, token)
		}
		if a.other.doc.Node(next) == nil {
			return "", false
		}
		from, to = jsonpointer.Join(from, token), next
	}
	return to, true
}

// index returns the place of the item of a list that is the same as one of the own contract: the parameter of that name, or that value.
func (a adapter) index(own, list string, there *source.Node) int {
	name := func(d *source.Document, at string) string {
		at = follow(d, at)
		if n := d.Node(at); n != nil && n.Kind == source.ScalarNode {
			return n.Value
		}
		n, _ := d.Child(at, "name")
		in, _ := d.Child(at, "in")
		if n == nil || in == nil {
			return ""
		}
		return in.Value + " " + n.Value
	}
	wanted := name(a.own.doc, own)
	for i := range there.Content {
		if wanted != "" && name(a.other.doc, jsonpointer.Index(list, i)) == wanted {
			return i
		}
	}
	return -1
}

// response returns the response that stands for the success of an operation, where another status than usual is documented.
func (a adapter) response(responses, status string) string {
	for _, key := range a.other.doc.Keys(responses) {
		if strings.HasPrefix(status, "2") && len(key) == 3 && strings.HasPrefix(key, "2") {
			return jsonpointer.Join(responses, key)
		}
	}
	return jsonpointer.Join(responses, status)
}

// success returns the statuses by which an operation succeeds here and there, when they differ.
func (a adapter) success(operations []string) (was, is string, ok bool) {
	if len(operations) != 1 {
		return "", "", false
	}
	status := func(c *Contract) string {
		op, found := c.Operation(operations[0])
		if !found {
			return ""
		}
		for _, answer := range op.Answers {
			if answer.Status/100 == 2 {
				return strconv.Itoa(answer.Status)
			}
		}
		return ""
	}
	was, is = status(a.own), status(a.other)
	return was, is, was != "" && is != "" && was != is
}

// aNumber is a number as sentences write it.
var aNumber = regexp.MustCompile(`\b\d+\b`)

// numbers returns what puts the other contract's bounds and defaults into a sentence about the places.
func (a adapter) numbers(pointers []string) func(string) string {
	changed := map[string]string{}
	for _, p := range pointers {
		for _, below := range []string{"", "/schema/minimum", "/schema/maximum", "/schema/default"} {
			was := a.own.doc.Node(p + below)
			if was == nil || was.Kind != source.ScalarNode || was.ShortTag() != "!!int" {
				continue
			}
			changed[was.Value] = "any number"
			if there, ok := a.at(p + below); ok {
				changed[was.Value] = a.other.doc.Node(there).Value
			}
		}
	}
	return func(sentence string) string {
		if len(changed) == 0 {
			return sentence
		}
		return aNumber.ReplaceAllStringFunc(sentence, func(n string) string {
			if is, ok := changed[n]; ok {
				return is
			}
			return n
		})
	}
}

// words returns what puts the other contract's words and its days of removal into a sentence.
func (a adapter) words() *strings.Replacer {
	var pairs []string
	for _, op := range a.own.operations {
		there, ok := a.other.Operation(op.ID)
		if !ok {
			continue
		}
		for _, p := range op.Parameters {
			was, is := enumWords(op.Parameters, p.Name), enumWords(there.Parameters, p.Name)
			if len(was) > 0 && len(is) > 0 && !slices.Equal(was, is) {
				pairs = append(pairs, text.Enumerate(was, "and"), text.Enumerate(is, "and"), "the "+numeral(len(was)), "the "+strconv.Itoa(len(is)))
			}
		}
		if !op.Sunset.IsZero() && !there.Sunset.IsZero() && !op.Sunset.Equal(there.Sunset) {
			const day = "2 January 2006"
			pairs = append(pairs, op.Sunset.Format(day), there.Sunset.Format(day))
		}
	}
	return strings.NewReplacer(pairs...)
}

// enumWords returns the values that a parameter may have, without their quotes; none where it may have any.
func enumWords(parameters []Parameter, name string) []string {
	var out []string
	for _, p := range parameters {
		if p.Name == name && p.Schema != nil {
			for _, literal := range p.Schema.Enum {
				out = append(out, strings.Trim(literal, `"`))
			}
		}
	}
	return out
}

// numeral writes a small number as sentences do.
func numeral(n int) string {
	words := []string{"none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	if n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}
