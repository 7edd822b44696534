package schema

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"hallmark/spec/jsonpointer"
)

// unit is what is compiled at once: a schema and all that is written within it. Where it refers to others, rules lead to
// other units. So each is compiled when a value first needs it, and the whole costs no more than its parts: the compiler
// needs a time that grows with the square of what it is given.
type unit struct {
	key      unitKey
	number   int
	resource string
	aliases  [][2]string

	once   sync.Once
	schema *jsonschema.Schema
	// nodes is how many schemas stand in the compiled unit.
	nodes int

	quickOnce sync.Once
	quick     *quick
}

// unitKey tells the readings of a schema apart.
type unitKey struct {
	pointer string
	exempt  exemptions
	// plain reports whether null was admitted already.
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

// compiled returns the unit as the validator takes it.
func (u *unit) compiled(s *Set) *jsonschema.Schema {
	u.once.Do(func() {
		u.resource = s.resourceOf(u.key.pointer)
		t := translator{set: s, unit: u}
		compiled, err := compile(urlOf(u.number), t.root())
		u.nodes = t.nodes
		if err != nil {
			// The translation holds nothing that the compiler refuses; what it did not foresee is no fault of a value.
			h := s.hole(u.key.pointer, "the schema cannot be compiled: %v", err)
			unknown := &rule{set: s, pointer: u.key.pointer, holes: []Hole{h}}
			compiled = &jsonschema.Schema{Location: urlOf(u.number), Extensions: []jsonschema.SchemaExt{unknown}}
		}
		u.schema = compiled
	})
	return u.schema
}

// alias notes that what stands at a place of the translation stands at another one in the document.
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

// base begins the addresses of units. The validator holds what stands below json-schema.org against no metaschema: the
// translation is well formed already, and one place that is not should cost no more than that place.
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

// nowhere loads nothing: a unit leads to no other address.
type nowhere struct{}

func (nowhere) Load(address string) (any, error) {
	return nil, fmt.Errorf("nothing is loaded, %s neither", address)
}
