package spec

// Level says what a broken rule means for the verdict.
type Level string

// The levels of rules.
const (
	// Must: the interface states it. A broken one makes the target violated.
	Must Level = "must"
	// Should: a general standard, or plain robustness. A broken one is a warning.
	Should Level = "should"
	// Inferred: it follows from the shape of the document and the meaning of HTTP. A broken one makes the target violated, as a must
	// does; reports say that it is inferred, and of what.
	Inferred Level = "inferred"
	// Open: the interface leaves it to the implementation. It is observed and can never fail.
	Open Level = "open"
)

// Fails reports whether a broken rule of the level makes the target violated.
func (l Level) Fails() bool { return l == Must || l == Inferred }

// Rule is one testable statement of the interface.
type Rule struct {
	// ID is stable and dotted: area first ("list.limit.maximum"). Ids are added, never renumbered or reused.
	ID    string `yaml:"id" json:"id"`
	Level Level  `yaml:"level" json:"level"`
	// Section names the part of the interface document that the rule comes from.
	Section string `yaml:"section" json:"section"`
	// Says is the rule in one sentence.
	Says string `yaml:"says" json:"says"`
	// Asks is the question that an open rule puts to the target.
	Asks string `yaml:"asks,omitempty" json:"asks,omitempty"`
	// Source is the general standard behind a should rule ("RFC 9110, section 11.6.1"), or what an inferred rule is inferred from.
	Source string `yaml:"source,omitempty" json:"source,omitempty"`
	// Within is the id of the wider rule that this one is a part of. When several parts of a rule are broken in the same
	// way, the wider rule is the cause and leads.
	Within string `yaml:"within,omitempty" json:"within,omitempty"`
	// Contract holds JSON Pointers into the OpenAPI document: the constraints that encode the rule.
	Contract []string `yaml:"contract,omitempty" json:"contract,omitempty"`
	// Cases names the kinds of derived cases that belong to the rule (see derive.Kind).
	Cases []string `yaml:"cases,omitempty" json:"cases,omitempty"`
	// Always marks a rule that is judged on every exchange, whichever scenario made it.
	Always bool `yaml:"always,omitempty" json:"always,omitempty"`
	// Operations are the operationIds that the rule speaks of; empty for all.
	Operations []string `yaml:"operations,omitempty" json:"operations,omitempty"`
	// Covers names the derived rules that the rule is told in place of, each perhaps with a blank and the part of it that the rule is
	// about; see [Catalogue.Resolve].
	Covers []string `yaml:"covers,omitempty" json:"covers,omitempty"`
	// Untestable says why the rule cannot be tested from outside; empty for all others.
	Untestable string `yaml:"untestable,omitempty" json:"untestable,omitempty"`
	// Off says why the rule is switched off; empty for all others. Nothing is judged by it, and reports give the reason.
	Off string `yaml:"off,omitempty" json:"off,omitempty"`
}

// Area returns the first segment of the rule's id ("list").
func (r Rule) Area() string {
	for i := 0; i < len(r.ID); i++ {
		if r.ID[i] == '.' {
			return r.ID[:i]
		}
	}
	return r.ID
}
