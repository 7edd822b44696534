package spec

// Finding is one broken rule, seen in one or more exchanges.
type Finding struct {
	// Rule is the id of the broken rule.
	Rule string `json:"rule"`
	// Expected and Actual are short phrases: "at most 3 animals", "30 animals".
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
	// Where names the place in words: "GET /pets?limit=3 → 200, the array's length".
	Where string `json:"where"`
	// Status is the response's status (RFC 9110, section 15) where that is what is wrong; 0 where something else is.
	Status int `json:"status,omitempty"`
	// Header is the name of the response's header that is wrong or missing, if it is about one.
	Header string `json:"header,omitempty"`
	// Pointer is the JSON Pointer (RFC 6901) of the place in the response's body; empty for the whole body or when the
	// place is not in the body.
	Pointer string `json:"pointer,omitempty"`
	// Contract is the JSON Pointer into the OpenAPI document of the constraint that is broken; may be empty.
	Contract string `json:"contract,omitempty"`
	// Exchanges are the numbers (Exchange.Seq) of the exchanges that show it, the decisive one last. Where the request of
	// one names something that an earlier response showed first, the exchange of that response is among them.
	Exchanges []int `json:"exchanges"`
	// About names the resources that it is about, where it is about certain ones.
	About About `json:"about,omitzero"`
	// Cause is equal for findings that have one cause; within a run they are shown once, with a count.
	Cause string `json:"cause"`
	// After names the rule whose breach brought this one about, where that is certain: a consequence, not a cause.
	After string `json:"after,omitempty"`
	// Story tells, for what was generated, the smallest case that shows it: how it was found, then the requests one by one.
	Story []string `json:"story,omitempty"`
}

// About names resources by their ids, and says what a finding shows of them.
type About struct {
	// IDs are the ids as decimal text.
	IDs []string `json:"ids"`
	// Shows is what is wrong with them; empty when it is none of the following.
	Shows Shown `json:"shows,omitempty"`
}

// Shown is what a finding shows of the resources that it is about.
type Shown string

const (
	// Missing resources are not found where they have to be.
	Missing Shown = "missing"
	// Ambiguous ids name more than one resource, so that nothing else can be told by them.
	Ambiguous Shown = "ambiguous"
	// Another resource than the one that was asked for came back.
	Another Shown = "another"
	// Misplaced resources are shown where they do not belong.
	Misplaced Shown = "misplaced"
	// Differs reports whether a resource is not as it was shown before.
	Differs Shown = "differs"
)

// Observation is what a target does where the interface leaves the response to it.
type Observation struct {
	// Rule is the id of the open rule.
	Rule string `json:"rule"`
	// Asked says what was asked ("limit is 0"), Answer what came ("400, code invalid_limit").
	Asked  string `json:"asked"`
	Answer string `json:"answer"`
	// Exchange is the number of the exchange that shows it.
	Exchange int `json:"exchange,omitempty"`
}
