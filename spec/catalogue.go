package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"hallmark/internal/text"
)

// Catalogue is all rules, in the order of the reports. It never changes after loading.
type Catalogue struct {
	Rules []Rule

	digest string
	byID   map[string]int
	// byPlace are the indexes of rules by the pointers that they name.
	byPlace map[string][]int
	// covered are the rules that are told by others, by their ids.
	covered map[string]coverage
	// kept are the covered rules as they were derived, by their ids; see [Catalogue.Covered].
	kept map[string]Rule
}

// LoadCatalogue reads a catalogue. It finds only what makes the text unreadable; Check finds what is wrong with the rules.
func LoadCatalogue(data []byte) (*Catalogue, error) {
	entries, err := ReadRules(data)
	if err != nil {
		return nil, fmt.Errorf("the catalogue of rules cannot be read: %w", err)
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("the catalogue of rules cannot be read: %w", wrongRules(0, "it is empty; it must be a list of rules"))
	}
	rules := make([]Rule, len(entries))
	for i, e := range entries {
		rules[i] = e.Rule
	}
	return RestoreCatalogue(rules, CatalogueDigest(data)), nil
}

// CatalogueDigest returns what identifies a catalogue's text ("sha256:…"), see [Catalogue.Digest].
func CatalogueDigest(data []byte) string {
	sum := sha256.Sum256(data)
	return digestOf(sum[:])
}

func digestOf(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// NewCatalogue returns a catalogue of rules that no text holds. It is identified by their JSON, which is made rule by rule: encoding/json
// would keep the memory that the whole takes.
func NewCatalogue(rules []Rule) (*Catalogue, error) {
	sum, before := sha256.New(), "["
	for _, r := range rules {
		data, err := json.Marshal(r)
		if err != nil {
			return nil, fmt.Errorf("the catalogue of rules cannot be written: %w", err)
		}
		_, _ = io.WriteString(sum, before)
		_, _ = sum.Write(data)
		before = ","
	}
	if before == "[" {
		_, _ = io.WriteString(sum, before)
	}
	_, _ = io.WriteString(sum, "]")
	return RestoreCatalogue(rules, digestOf(sum.Sum(nil))), nil
}

// RestoreCatalogue returns the catalogue that has those rules and that digest.
func RestoreCatalogue(rules []Rule, digest string) *Catalogue {
	c := &Catalogue{Rules: rules, digest: digest, byID: make(map[string]int, len(rules))}
	for i, r := range rules {
		if _, twice := c.byID[r.ID]; !twice {
			c.byID[r.ID] = i
		}
	}
	c.byPlace, c.covered = places(rules), coverageOf(rules)
	return c
}

// Rule returns the rule of that id or, of a derived rule that is covered, the rule that it is told by.
func (c *Catalogue) Rule(id string) (Rule, bool) {
	i, ok := c.byID[id]
	if !ok {
		i, ok = c.byID[c.covered[id].whole]
	}
	if !ok {
		return Rule{}, false
	}
	return c.Rules[i], true
}

// Digest returns what identifies the text of the catalogue ("sha256:…").
func (c *Catalogue) Digest() string { return c.digest }

// Similar returns the id that is most like an unknown one; empty when none is much like it. Ids that hold each of its parts in their
// order, as "removeItem.deleted.gone" holds those of "removeItem.gone", are more like it than any other.
func (c *Catalogue) Similar(id string) string {
	ids := make([]string, 0, len(c.Rules))
	longer := ""
	for _, r := range c.Rules {
		ids = append(ids, r.ID)
		if holdsParts(r.ID, id) && (longer == "" || len(r.ID) < len(longer)) {
			longer = r.ID
		}
	}
	if longer != "" {
		return longer
	}
	return text.Similar(id, ids)
}

// holdsParts reports whether an id holds the parts of another one in their order.
func holdsParts(id, of string) bool {
	parts := strings.Split(id, ".")
	for part := range strings.SplitSeq(of, ".") {
		i := slices.IndexFunc(parts, func(p string) bool { return strings.EqualFold(p, part) })
		if i < 0 {
			return false
		}
		parts = parts[i+1:]
	}
	return true
}

// ForCase returns the rule that a derived case of an operation belongs to: one that holds the kind of case and speaks of
// the operation, and of these the one that names the innermost place. The pointers are the way to the constraint, from
// the outside in (Edge.Chain, then the keyword): a status beyond its enum is one rule's where a new animal is sent and
// another's where a list is filtered, though both lead to the same enum.
func (c *Catalogue) ForCase(operation, kind string, pointers ...string) (Rule, bool) {
	return c.deepest(pointers, func(r Rule) bool {
		return slices.Contains(r.Cases, kind) && r.speaksOf(operation)
	})
}

// speaksOf reports whether a rule is about an operation.
func (r Rule) speaksOf(operation string) bool {
	return len(r.Operations) == 0 || slices.Contains(r.Operations, operation)
}

// deepest returns, among the rules that qualify, the one whose contract names the innermost of the pointers; where several
// rules do, the one that names the longest part of it, then one that is limited to operations, then the first.
func (c *Catalogue) deepest(pointers []string, qualifies func(Rule) bool) (Rule, bool) {
	for _, pointer := range slices.Backward(pointers) {
		for p := pointer; p != ""; p = p[:max(strings.LastIndexByte(p, '/'), 0)] {
			best := -1
			for _, i := range c.byPlace[p] {
				if r := c.Rules[i]; qualifies(r) && (best < 0 || len(c.Rules[best].Operations) == 0 && len(r.Operations) > 0) {
					best = i
				}
			}
			if best >= 0 {
				return c.Rules[best], true
			}
		}
	}
	return Rule{}, false
}

// places returns the indexes of rules by the pointers that they name.
func places(rules []Rule) map[string][]int {
	all := map[string][]int{}
	for i, r := range rules {
		for _, p := range r.Contract {
			all[p] = append(all[p], i)
		}
	}
	return all
}

// Owner returns the rule that a breach of a schema's keyword ("type", "required/0") belongs to, in the responses of an
// operation. The chain is the way to the schema, from the outside in, its own place last (Edge.Chain). The empty keyword
// stands for the schema as a whole.
func (c *Catalogue) Owner(operation string, chain []string, keyword string) (Rule, bool) {
	if keyword != "" && len(chain) > 0 {
		chain = append(slices.Clip(chain), chain[len(chain)-1]+"/"+keyword)
	}
	return c.deepest(chain, func(r Rule) bool {
		return r.Always && r.Level == Must && r.speaksOf(operation) && !isEnvelope(r.ID)
	})
}
