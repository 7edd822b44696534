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

// Catalogue holds all rules in report order. It is immutable after loading.
type Catalogue struct {
	Rules []Rule

	digest string
	byID   map[string]int
	// byPlace maps pointers to the indexes of the rules that name them.
	byPlace map[string][]int
	// covered are the derived rules that others cover, by id.
	covered map[string]coverage
	// kept are the covered rules as they were derived, by id; see [Catalogue.Covered].
	kept map[string]Rule
}

// LoadCatalogue parses a catalogue. It returns an error only if the text cannot be parsed; use Check to find mistakes in the rules.
func LoadCatalogue(data []byte) (*Catalogue, error) {
	entries, err := ReadRules(data)
	if err != nil {
		return nil, fmt.Errorf("the rules cannot be read: %w", err)
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("the rules cannot be read: %w", wrongRules(0, "it is empty; it must be a list of rules"))
	}
	rules := make([]Rule, len(entries))
	for i, e := range entries {
		rules[i] = e.Rule
	}
	sum := sha256.Sum256(data)
	return RestoreCatalogue(rules, digestOf(sum[:])), nil
}

func digestOf(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// NewCatalogue returns a catalogue of rules that come from no file. Its digest is that of their JSON, which is written rule by rule:
// encoding/json would keep the memory for all of it.
func NewCatalogue(rules []Rule) (*Catalogue, error) {
	sum, before := sha256.New(), "["
	for _, r := range rules {
		data, err := json.Marshal(r)
		if err != nil {
			return nil, fmt.Errorf("the rules cannot be written: %w", err)
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

// RestoreCatalogue returns a catalogue with the given rules and digest.
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

// Rule returns the rule with an id. For a covered derived rule it returns the rule that covers it.
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

// Digest returns the digest of the catalogue's text ("sha256:…").
func (c *Catalogue) Digest() string { return c.digest }

// Similar returns the id most similar to an unknown one, or "". An id that contains all parts of the unknown one in order, such as
// "removeItem.deleted.gone" for "removeItem.gone", is preferred.
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

// holdsParts reports whether an id contains the parts of another id in order.
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

// ForCase returns the rule that a derived case of an operation belongs to: among the rules for this kind of case and this operation,
// the one that names the innermost place. The pointers lead to the constraint, from the outside in (Edge.Chain, then the keyword): a
// status outside its enum belongs to different rules in the body of a creation and in the filter of a list, although both refer to the
// same enum.
func (c *Catalogue) ForCase(operation, kind string, pointers ...string) (Rule, bool) {
	return c.deepest(pointers, func(r Rule) bool {
		return slices.Contains(r.Cases, kind) && r.appliesTo(operation)
	})
}

// appliesTo reports whether a rule is about an operation.
func (r Rule) appliesTo(operation string) bool {
	return len(r.Operations) == 0 || slices.Contains(r.Operations, operation)
}

// deepest returns, among the rules that qualify, the one that names the innermost of the pointers. If several do, it prefers the one that
// names the longest part of it, then one limited to operations, then the first.
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

// places maps pointers to the indexes of the rules that name them.
func places(rules []Rule) map[string][]int {
	all := map[string][]int{}
	for i, r := range rules {
		for _, p := range r.Contract {
			all[p] = append(all[p], i)
		}
	}
	return all
}

// Owner returns the rule that a violation of a schema keyword ("type", "required/0") in a response of an operation belongs to. The chain
// leads to the schema from the outside in and ends with it (Edge.Chain). An empty keyword means the schema as a whole.
func (c *Catalogue) Owner(operation string, chain []string, keyword string) (Rule, bool) {
	if keyword != "" && len(chain) > 0 {
		chain = append(slices.Clip(chain), chain[len(chain)-1]+"/"+keyword)
	}
	return c.deepest(chain, func(r Rule) bool {
		return r.Always && r.Level == Must && r.appliesTo(operation) && !isEnvelope(r.ID)
	})
}
