package schema

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// unit is what is compiled at once: a schema and all that is written within it. References lead to other units by
// rules. So each unit is compiled when a value first needs it, and the total cost is that of the parts: the
// compiler takes quadratic time.
type unit struct {
	key      unitKey
	number   int
	resource string
	aliases  [][2]string

	once   sync.Once
	schema *jsonschema.Schema
	// nodes is the number of schemas in the compiled unit.
	nodes int

	quickOnce sync.Once
	quick     *quick
}

// unitKey distinguishes the interpretations of a schema.
type unitKey struct {
	pointer string
	exempt  exemptions
	// plain reports whether null was already handled.
	plain bool
}

// edge leads from a rule to a unit.
type edge struct {
	key unitKey
	// dynamic is the name of a $dynamicAnchor, when the edge leads to the outermost resource that has it.
	dynamic string
	once    sync.Once
	unit    *unit
}

// unitAt returns the unit of a key.
func unitAt(s *Set, key unitKey) *unit {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.units[key]; u != nil {
		return u
	}
	u := &unit{key: key, number: len(s.numbered)}
	s.units[key] = u
	s.numbered = append(s.numbered, u)
	return u
}

func follow(s *Set, e *edge) *unit {
	e.once.Do(func() { e.unit = unitAt(s, e.key) })
	return e.unit
}

// compiled returns the unit compiled for the validator.
func (u *unit) compiled(s *Set) *jsonschema.Schema {
	u.once.Do(func() {
		u.resource = s.resourceOf(u.key.pointer)
		t := translator{set: s, unit: u}
		compiled, err := compile(urlOf(u.number), t.root())
		u.nodes = t.nodes
		if err != nil {
			// The compiler accepts every translation; an unforeseen failure is not a mistake in the value.
			h := s.hole(u.key.pointer, "the schema cannot be compiled: %v", err)
			unknown := &rule{set: s, pointer: u.key.pointer, holes: []Hole{h}}
			compiled = &jsonschema.Schema{Location: urlOf(u.number), Extensions: []jsonschema.SchemaExt{unknown}}
		}
		u.schema = compiled
	})
	return u.schema
}

// alias records that a place of the translation corresponds to another one in the document.
func (u *unit) alias(translated, original string) {
	u.aliases = append(u.aliases, [2]string{translated, original})
}

// original returns the pointer in the document of a place in the translation.
func (u *unit) original(fragment string) string {
	pointer := u.key.pointer + fragment
	for _, a := range slices.Backward(u.aliases) {
		if jsonpointer.Within(pointer, a[0]) {
			pointer = a[1] + pointer[len(a[0]):]
		}
	}
	return pointer
}

// base is the prefix of the URLs of units. The validator does not check schemas below json-schema.org against a
// metaschema: the translation is well-formed, and a malformed place should affect only itself.
const base = "https://json-schema.org/hallmark/"

func urlOf(number int) string { return base + strconv.Itoa(number) }

// place returns the pointer in the document of an address that the validator names.
func place(s *Set, address string) string {
	location, fragment, _ := strings.Cut(address, "#")
	number, err := strconv.Atoi(strings.TrimPrefix(location, base))
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || number < 0 || number >= len(s.numbered) {
		return ""
	}
	plain, err := url.PathUnescape(fragment)
	if err != nil {
		plain = fragment
	}
	return s.numbered[number].original(plain)
}

// compile compiles one translated unit.
func compile(address string, schema any) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(nowhere{})
	c.RegisterVocabulary(&jsonschema.Vocabulary{URL: base + "vocabulary", Compile: ruleOf})
	c.AssertVocabs()
	if err := c.AddResource(address, schema); err != nil {
		return nil, err
	}
	return c.Compile(address)
}

// nowhere loads nothing: a unit refers to no other URL.
type nowhere struct{}

func (nowhere) Load(address string) (any, error) {
	return nil, fmt.Errorf("unexpected reference to %s", address)
}
