package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Catalogue holds all rules in report order. It is immutable after loading.
type Catalogue struct {
	Rules []Rule

	digest string
	byID   map[string]int
	// covered are the derived rules that others cover, by id.
	covered map[string]coverage
	// kept are the covered rules as they were derived, by id; see [Catalogue.Covered].
	kept map[string]Rule
}

func digestOf(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// NewCatalogue returns a catalogue of rules that come from no file. Its digest is that of their JSON, which is written rule by rule:
// encoding/json would keep the memory for all of it.
func NewCatalogue(rules []Rule) (*Catalogue, error) {
	sum, before := sha256.New(), "["
	for _, r := range rules {
		r.Conditional = false // it follows from the contract, which has a digest of its own
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
	c.covered = coverageOf(rules)
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
