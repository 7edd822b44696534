package spec

// Level is what a violation of a rule means for the verdict.
type Level string

// The levels of rules.
const (
	// Must: the interface states it. A violation fails the target.
	Must Level = "must"
	// Should: a general standard, or plain robustness. A violation is a warning.
	Should Level = "should"
	// Inferred: it follows from the structure of the document and the semantics of HTTP. A violation fails the target like that of a must;
	// reports state that the rule is inferred, and from what.
	Inferred Level = "inferred"
	// Open: the interface leaves it to the implementation. It is observed and can never fail.
	Open Level = "open"
)

// Fails reports whether a violation of a rule of this level fails the target.
func (l Level) Fails() bool { return l == Must || l == Inferred }

// Rule is one testable statement of the interface.
type Rule struct {
	// ID is stable and dotted, with the area first ("list.limit.maximum"). Ids are never renumbered or reused.
	ID    string `yaml:"id" json:"id"`
	Level Level  `yaml:"level" json:"level"`
	// Section is the part of the interface document that the rule comes from.
	Section string `yaml:"section" json:"section"`
	// Says is the rule in one sentence.
	Says string `yaml:"says" json:"says"`
	// Asks is the question of an open rule.
	Asks string `yaml:"asks,omitempty" json:"asks,omitempty"`
	// Source is the general standard behind a should rule ("RFC 9110, section 11.6.1"), or what an inferred rule is inferred from.
	Source string `yaml:"source,omitempty" json:"source,omitempty"`
	// Stated marks an inferred rule that a sentence made a must, which the rules file quotes or hallmark recognised in the document. The
	// sentence is in Source. Reservations that such a sentence denies are dropped.
	Stated bool `yaml:"-" json:"stated,omitempty"`
	// Within is the id of the wider rule that this one is part of. If several parts are violated in the same way, the wider rule is reported
	// as the cause.
	Within string `yaml:"within,omitempty" json:"within,omitempty"`
	// Contract holds JSON Pointers into the OpenAPI document: the constraints that encode the rule.
	Contract []string `yaml:"contract,omitempty" json:"contract,omitempty"`
	// Cases are the kinds of promises that the rule is about (see promise.Kind), if it was derived or covers derived rules.
	Cases []string `yaml:"cases,omitempty" json:"cases,omitempty"`
	// Always marks a rule that is checked on every exchange of any scenario.
	Always bool `yaml:"always,omitempty" json:"always,omitempty"`
	// Conditional marks a rule about responses that no service has to give by the document: those with an undocumented status, errors of
	// operations whose successes have no body, and headers that may be missing. If an operation succeeded and gave none, it does not apply.
	Conditional bool `yaml:"-" json:"conditional,omitempty"`
	// Operations are the operationIds that the rule is about; empty for all.
	Operations []string `yaml:"operations,omitempty" json:"operations,omitempty"`
	// Covers lists the derived rules that the rule replaces in reports, each optionally followed by a space and the part that the rule is
	// about; see [Catalogue.Resolve].
	Covers []string `yaml:"covers,omitempty" json:"covers,omitempty"`
	// Untestable is why the rule cannot be tested from outside, or "".
	Untestable string `yaml:"untestable,omitempty" json:"untestable,omitempty"`
	// Off is why the rule is switched off, or "". Such a rule is not checked, and reports give the reason.
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
