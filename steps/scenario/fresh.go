package scenario

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/values"
)

// Requests that create resources get unique names. Services refuse names that are taken, and some answer such a
// request with the existing resource, which is not the run's own.

// freshTexts returns made-up texts that a schema may allow for a name, the plainest first. A service may want an
// e-mail address where only the name of the field says so.
func freshTexts(s *Scenario, name string, schema *spec.Schema) []string {
	n := s.Run.resources.nextName()
	long := freshText(s.Run, n)
	if schema != nil && schema.Format == "uuid" {
		return []string{s.Run.resources.match(freshUUID(s.Run, n))}
	}
	if schema != nil && schema.Format == "email" {
		return []string{long + "@example.com"}
	}
	if resource.NamesAddress(name) && resource.Patterned(schema) == nil {
		return []string{long + "@example.com", long}
	}
	plain := []string{long, fmt.Sprintf("h%s%04d", s.Run.ID, n), fmt.Sprintf("H%s%04d", strings.ToUpper(s.Run.ID), n)}
	if resource.Patterned(schema) != nil && !slices.ContainsFunc(plain, func(text string) bool { return s.Run.Promises.Valid(schema, text) }) {
		return textsForPattern(s, schema, n)
	}
	return plain
}

// freshUUID returns a UUID for a number. Those of one run differ only at their ends.
func freshUUID(r *Run, n int) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(r.ID))
	of := h.Sum64()
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", of>>32, of>>16&0xffff, of>>4&0xfff, of&0xfff, n)
}

// match records that a run made up a text to be unique, and returns it.
func (r *resources) match(made string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.matched[made] = true
	return made
}

// freshNumber returns a made-up integer that a schema allows and no other request of the run used; false if none was found. Large numbers
// are unlikely to exist already.
func freshNumber(s *Scenario, schema *spec.Schema) (json.Number, bool) {
	const large, small = 900_000_000, 9_000
	h := fnv.New64a()
	_, _ = h.Write([]byte(s.Run.ID))
	n, of := s.Run.resources.nextName(), h.Sum64()
	for _, made := range []uint64{1_000_000_000 + of%large + uint64(n), 1_000 + (of+uint64(n))%small, 10 + (of+uint64(n))%90} { //nolint:gosec // n counts from 1
		value := json.Number(strconv.FormatUint(made, 10))
		if !MadeUp(s.Run, value.String()) && s.Run.Promises.Valid(schema, value) {
			s.Run.resources.match(value.String())
			return value, true
		}
	}
	return "", false
}

// textsForPattern returns texts that match the pattern of a schema and that no other request of the run used.
func textsForPattern(s *Scenario, schema *spec.Schema, n int) []string {
	const several = 8
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, s.Run.ID, n)
	found, all := promise.Matching(schema, h.Sum64(), several), s.Run.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	found = slices.DeleteFunc(found, func(text string) bool { return all.matched[text] })
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // long ones are unlikely to exist already
	for _, text := range found {
		all.matched[text] = true
	}
	return found
}

// MadeUp reports whether a run made up a text to be unique.
func MadeUp(r *Run, text string) bool {
	if strings.Contains(strings.ToLower(text), strings.ToLower(r.ID)) {
		return true
	}
	r.resources.mu.Lock()
	defer r.resources.mu.Unlock()
	return r.resources.matched[text]
}

// NamesAnother reports whether two texts hold the numbers of different names, in any spelling, that the run made up for the same member of
// requests to the same operation. The names of other members and of other operations do not count: a service may copy them. It returns false if
// one of the numbers may be cut off.
func NamesAnother(r *Run, one, other string) bool {
	a, b := nameNumber(r, one), nameNumber(r, other)
	if a == b || a == "" || len(a) != len(b) {
		return false
	}
	r.resources.mu.Lock()
	defer r.resources.mu.Unlock()
	use, known := r.resources.named[a]
	return known && r.resources.named[b] == use
}

// nameUse is what a made-up name is for: a member of the body of an operation.
type nameUse struct{ operation, member string }

// noteName records what the name with a number is for.
func (r *resources) noteName(number string, use nameUse) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.named[number] = use
}

// nameNumber returns the digits by which the run numbered the name that a text holds, or "".
func nameNumber(r *Run, text string) string {
	_, rest, found := strings.Cut(strings.ToLower(text), strings.ToLower(r.ID))
	if !found || r.ID == "" {
		return ""
	}
	rest = strings.TrimLeftFunc(rest, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	if len(digits) < leastDigits {
		return ""
	}
	return digits
}

// leastDigits is the least number of digits in a made-up name.
const leastDigits = 4

// naming returns the members of an operation's body that get new texts.
func naming(s *Scenario, op *spec.Operation) []spec.Property {
	all := slices.Concat(resource.Naming(op), resource.Numbering(op))
	for _, chosen := range []func(*spec.Operation) (spec.Property, bool){s.Run.resources.inferred.ChosenName, s.Run.resources.inferred.ChosenID} {
		if own, ok := chosen(op); ok && !slices.ContainsFunc(all, func(p spec.Property) bool { return p.Name == own.Name }) {
			all = append(all, own)
		}
	}
	return all
}

// freshText returns the made-up text for a number.
func freshText(r *Run, n int) string { return fmt.Sprintf("%s-%05d", r.marker, n) }

// nextName returns the next unused number for a name.
func (r *resources) nextName() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names++
	return r.names
}

// renewed returns a request with new names and other values where the file of values asks for them.
func renewed(run *Run, r request.Request) request.Request {
	return filled(run, r, values.Fill{Name: func() string { return freshText(run, run.resources.nextName()) }, Created: run.resources.createdBefore})
}

// filled returns a request with the placeholders replaced in the values that the file of values gives.
func filled(run *Run, r request.Request, by values.Fill) request.Request {
	given := run.Promises.Given()
	for _, p := range r.Operation.Parameters {
		place := request.PlaceOf(p)
		if value, ok := r.Value(place); ok {
			other, asked := given.Filled(value, by)
			if _, is := given.Parameter(r.Operation, p); is && asked {
				r = r.With(place, other)
			}
		}
	}
	body, media, ok := r.Body()
	if _, whole := given.Body(r.Operation); whole && ok {
		if other, asked := given.Filled(body, by); asked {
			r = r.WithBody(media, other)
		}
		return r
	}
	for _, m := range given.Members(r.Operation) {
		body, _, _ := r.Body()
		if value, there := exactjson.Lookup(body, jsonpointer.Tokens(m.Pointer)); there {
			if other, asked := given.Filled(value, by); asked {
				r = withValue(r, m.Pointer, other)
			}
		}
	}
	return r
}

// Renamed returns a request with other new names for the names of this run in its body, and with another
// idempotency key.
func Renamed(s *Scenario, r request.Request) request.Request {
	r = Rekeyed(s, r)
	body, _, _ := r.Body()
	members, _ := body.(map[string]any)
	r = withNames(s, r, slices.DeleteFunc(naming(s, r.Operation), func(p spec.Property) bool {
		return !MadeUp(s.Run, nameOf(members[p.Name]))
	}))
	name := func() string { return freshText(s.Run, s.Run.resources.nextName()) }
	given, by := s.Run.Promises.Given(), values.Fill{Name: name}
	body, media, ok := r.Body()
	if g, whole := given.Body(r.Operation); whole && ok {
		return r.WithBody(media, refilled(s.Run, body, g.Value, by))
	}
	for _, m := range given.Members(r.Operation) {
		body, _, _ := r.Body()
		if value, there := exactjson.Lookup(body, jsonpointer.Tokens(m.Pointer)); there {
			r = withValue(r, m.Pointer, refilled(s.Run, value, m.Value, by))
		}
	}
	return r
}

// NewlyNamed reports whether all names in the body of a creation were made up for it, so that no name is a reason
// to refuse it.
func NewlyNamed(s *Scenario, r request.Request) bool {
	body, _, _ := r.Body()
	members, ok := body.(map[string]any)
	if !ok {
		return false
	}
	other := Renamed(s, r)
	for _, p := range naming(s, r.Operation) {
		pointer := jsonpointer.Join("", p.Name)
		body, _, _ := other.Body()
		renamed, _ := exactjson.Lookup(body, jsonpointer.Tokens(pointer))
		was, is := nameOf(members[p.Name]), nameOf(renamed)
		if _, there := members[p.Name]; there && (was == "" || was == is) {
			return false
		}
	}
	return true
}

// nameOf returns a name as text: an identifier that a client chooses may be a number. It returns "" for other values.
func nameOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// Alike returns requests that differ from r only in naming texts that the run did not make up: each has as many
// characters, of the same kinds. If the first is refused and another accepted, the name was taken. named is false
// if the request has no such text; all is empty if no other text of the kind was found.
func Alike(s *Scenario, r request.Request) (all []request.Request, named bool) {
	const most, tries = 6, 30
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, s.Run.ID, s.Run.resources.nextName())
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	for _, p := range naming(s, r.Operation) {
		pointer := jsonpointer.Join("", p.Name)
		text, is := textAt(r, pointer)
		if body, _, _ := r.Body(); !is {
			number, _ := exactjson.Lookup(body, jsonpointer.Tokens(pointer))
			text = nameOf(number) // an identifier may be a number
		}
		if text == "" && !is || MadeUp(s.Run, text) || isGivenMember(s, r.Operation, pointer) {
			continue
		}
		if named = true; !is {
			continue
		}
		seen := map[string]bool{text: true}
		for range tries {
			other := similarText(random, text)
			if with := withText(r, pointer, other); len(all) < most && !seen[other] && validBody(s, with) {
				all = append(all, Rekeyed(s, with))
			}
			seen[other] = true
		}
	}
	return all, named
}

// similarText returns another text of the same length, with letters for letters and digits for digits.
func similarText(random *rand.Rand, text string) string {
	return strings.Map(func(r rune) rune {
		for _, kind := range []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "æðøþđħłŋœ"} {
			if strings.ContainsRune(kind, r) {
				letters := []rune(kind)
				return letters[random.IntN(len(letters))]
			}
		}
		return r
	}, text)
}

// textAt returns the text at a pointer in the body of a request; false if there is none.
func textAt(r request.Request, pointer string) (string, bool) {
	body, _, _ := r.Body()
	value, _ := exactjson.Lookup(body, jsonpointer.Tokens(pointer))
	text, is := value.(string)
	return text, is
}

// refilled returns a value with the texts filled anew that the run made up from those of a given value.
func refilled(run *Run, now, given any, by values.Fill) any {
	switch g := given.(type) {
	case string:
		if text, is := now.(string); is && strings.Contains(text, run.marker) {
			if other, asked := run.Promises.Given().Filled(g, by); asked {
				return other
			}
		}
	case map[string]any:
		if members, is := now.(map[string]any); is {
			made := maps.Clone(members)
			for name, one := range g {
				if was, there := made[name]; there {
					made[name] = refilled(run, was, one, by)
				}
			}
			return made
		}
	case []any:
		if items, is := now.([]any); is && len(items) == len(g) {
			made := slices.Clone(items)
			for i := range made {
				made[i] = refilled(run, made[i], g[i], by)
			}
			return made
		}
	}
	return now
}

// withText returns a request with another text at a pointer in its body, if there is one.
func withText(r request.Request, pointer, other string) request.Request {
	return withValue(r, pointer, other)
}

// withValue returns a request with another value at a pointer in its body, if there is one.
func withValue(r request.Request, pointer string, other any) request.Request {
	if with, err := r.WithBodyAt(pointer, other); err == nil {
		return with
	}
	return r
}

// isGivenMember reports whether the file of values sets a member of a body.
func isGivenMember(s *Scenario, op *spec.Operation, pointer string) bool {
	return slices.ContainsFunc(s.Run.Promises.Given().Members(op), func(m values.Member) bool { return m.Pointer == pointer })
}

// validBody reports whether the body of a request conforms to its schema.
func validBody(s *Scenario, r request.Request) bool {
	schema := r.Operation.Body.Schema()
	body, _, _ := r.Body()
	return schema == nil || s.Run.Promises.Valid(schema, body)
}

// unchosen returns a request without the identifier in its body, unless the client must choose it. A name is
// always the client's to choose, even if the document does not require it.
func unchosen(s *Scenario, r request.Request) request.Request {
	_, p, creates := s.Run.resources.inferred.Creates(r.Operation)
	if _, name := s.Run.resources.inferred.ChosenName(r.Operation); name {
		return r
	}
	if body, _, ok := r.Body(); ok && creates && len(p.Sent) == 1 && len(p.Path) > 0 {
		members, _ := body.(map[string]any)
		pointer := jsonpointer.Join("", p.Sent[0].Name)
		if _, there := members[p.Sent[0].Name]; there && !isGivenMember(s, r.Operation, pointer) {
			if without, err := r.WithoutBodyAt(pointer); err == nil && validBody(s, without) {
				return without
			}
		}
	}
	return r
}

// withNames returns a request with new names for some members of its body.
func withNames(s *Scenario, r request.Request, naming []spec.Property) request.Request {
	id, chosen := s.Run.resources.inferred.ChosenID(r.Operation)
	for _, p := range naming {
		now, _, _ := r.Body()
		members, _ := now.(map[string]any)
		pointer := jsonpointer.Join("", p.Name)
		if _, number := members[p.Name].(json.Number); number && chosen && p.Name == id.Name && !isGivenMember(s, r.Operation, pointer) {
			if value, ok := freshNumber(s, p.Schema); ok {
				if with, err := r.WithBodyAt(pointer, value); err == nil && validBody(s, with) {
					r = with
				}
			}
			continue
		}
		was, is := members[p.Name].(string)
		if !is || isGivenMember(s, r.Operation, pointer) {
			continue
		}
		texts := freshTexts(s, p.Name, p.Schema)
		if name := freshText(s.Run, s.Run.resources.nextName()); strings.Contains(was, s.Run.marker) && len(was) > len(name) {
			texts = append([]string{madeUpName(s.Run).ReplaceAllLiteralString(was, name)}, texts...) // what is around it was accepted
		}
		i := slices.IndexFunc(texts, func(text string) bool { return s.Run.Promises.Valid(p.Schema, text) })
		if i < 0 {
			continue
		}
		if with, err := r.WithBodyAt(pointer, texts[i]); err == nil && validBody(s, with) {
			r = with
			s.Run.resources.noteName(nameNumber(s.Run, texts[i]), nameUse{r.Operation.ID, p.Name})
		}
	}
	return r
}

// madeUpName matches the names that [freshText] makes.
func madeUpName(r *Run) *regexp.Regexp {
	return regexp.MustCompile(regexp.QuoteMeta(r.marker) + `-\d+`)
}

// freshFirst returns the requests with new names in their bodies and without identifiers that the client need not
// choose; then those with only one new name, since not every text that looks like a name is one; then the
// originals; and last those without a body. fresh is the number of the first group.
func freshFirst(s *Scenario, candidates []request.Request) (all []request.Request, fresh int) {
	const mostNames = 3
	var single, behind, bare []request.Request
	for _, r := range candidates {
		r = Rekeyed(s, r)
		if _, _, body := r.Body(); !body {
			bare = append(bare, r)
			continue
		}
		naming := naming(s, r.Operation)
		named := withNames(s, unchosen(s, r), naming)
		all = append(all, named)
		if named.Equal(r) {
			continue
		}
		if len(naming) > 1 {
			for _, p := range naming[:min(len(naming), mostNames)] {
				if one := withNames(s, unchosen(s, r), []spec.Property{p}); !one.Equal(r) {
					single = append(single, one)
				}
			}
		}
		if id, ok := s.Run.resources.inferred.ChosenID(r.Operation); ok { // it may be needed although the document does not require it
			if one := withNames(s, r, append(slices.Clip(naming), id)); !one.Equal(r) && !one.Equal(named) {
				behind = append(behind, one)
			}
		}
		behind = append(behind, r)
	}
	return slices.Concat(all, single, behind, bare), len(all)
}

// WithNewKey returns a request with an unused idempotency key; false if its operation takes none, the file of
// values sets it, or no valid key was found.
func WithNewKey(s *Scenario, r request.Request) (request.Request, bool) {
	p := resource.IdempotencyKey(r.Operation)
	if p == nil {
		return r, false
	}
	if _, given := s.Run.Promises.Given().Parameter(r.Operation, *p); given {
		return r, false
	}
	// Keys of one run differ only at their ends, so a service that compares only their beginnings takes them for one.
	texts := append([]string{freshUUID(s.Run, s.Run.resources.nextName())}, freshTexts(s, p.Name, p.Schema)...)
	for _, text := range texts {
		if p.Schema == nil || s.Run.Promises.Valid(p.Schema, text) {
			return r.With(request.PlaceOf(*p), text), true
		}
	}
	return r, false
}

// Rekeyed returns a request with a new idempotency key if it has one: with the key of another request, a service
// would repeat its earlier response.
func Rekeyed(s *Scenario, r request.Request) request.Request {
	if p := resource.IdempotencyKey(r.Operation); p != nil {
		if _, there := r.Value(request.PlaceOf(*p)); there {
			r, _ = WithNewKey(s, r)
		}
	}
	return r
}
