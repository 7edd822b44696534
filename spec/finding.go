package spec

import "hallmark/spec/phrase"

// Finding is one broken rule, seen in one or more exchanges.
type Finding struct {
	// Rule is the id of the broken rule.
	Rule string `json:"rule"`
	// Operation is the id of the operation whose response is wrong, that of the decisive exchange; empty for a request beyond
	// the contract.
	Operation string `json:"operation,omitempty"`
	// Kind says what sort of defect it is, Detail tells those of one kind apart: the JSON type or the media type that came, the
	// name of the field that is missing. Both are the same in the next run. Records of earlier versions have neither.
	Kind   Kind   `json:"kind,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Expected and Actual read as short phrases: "at most 3 animals", "30 animals".
	Expected phrase.Phrase `json:"expected,omitzero"`
	Actual   phrase.Phrase `json:"actual,omitzero"`
	// Where is the place, which reads as "GET /pets?limit=3 → 200, the array's length".
	Where phrase.Place `json:"where,omitzero"`
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
	// Story is, for what was generated, the smallest case that shows it: how it was found, then the requests one by one.
	Story []string `json:"story,omitempty"`
}

// Kind is a sort of defect.
type Kind string

const (
	// KindStatus is a response's status that is not one of those expected; Finding.Status holds it.
	KindStatus Kind = "wrong-status"
	// KindMissing is a body, a header or a field that is not there.
	KindMissing Kind = "missing"
	// KindUnreadable is a response that breaks HTTP, or a body that is no JSON text.
	KindUnreadable Kind = "unreadable"
	// KindDied is a request that gets no response each time: the target does not survive it, or breaks its connection.
	KindDied Kind = "died"
	// KindMediaType is a Content-Type that is not documented.
	KindMediaType Kind = "wrong-media-type"
	// KindType is a value of another JSON type than the schema's.
	KindType Kind = "wrong-type"
	// KindEnum is a value that is none of those listed.
	KindEnum Kind = "not-listed"
	// KindFormat is a value that is not of the schema's format.
	KindFormat Kind = "wrong-format"
	// KindTooSmall is less than the minimum, or fewer characters or items.
	KindTooSmall Kind = "too-small"
	// KindTooLarge is more than the maximum, or more characters or items.
	KindTooLarge Kind = "too-large"
	// KindForbidden is a value or a field that the schema does not allow.
	KindForbidden Kind = "not-allowed"
	// KindRepeated is a field that an object holds more than once, with different values.
	KindRepeated Kind = "repeated-field"
	// KindDiffers is a value that is not the one sent, or shown before, or shown elsewhere in the response.
	KindDiffers Kind = "different-value"
	// KindAnother is another resource than the one that was asked for.
	KindAnother Kind = "another-resource"
	// KindDuplicate is an identifier of two resources, or a resource that a list holds twice.
	KindDuplicate Kind = "duplicate"
	// KindLost is a resource that is not found where it has to be.
	KindLost Kind = "lost-resource"
	// KindUnexpected is a resource that is found where it must not be.
	KindUnexpected Kind = "unexpected-resource"
)

// About names resources by their ids, and says what a finding shows of them.
type About struct {
	// IDs are the ids as decimal text.
	IDs []string `json:"ids"`
	// Shows is what is wrong with them; empty when it is none of the following.
	Shows Symptom `json:"shows,omitempty"`
}

// Symptom is what a finding shows of the resources that it is about.
type Symptom string

const (
	// Missing resources are not found where they have to be.
	Missing Symptom = "missing"
	// Ambiguous ids name more than one resource, so that nothing else can be told by them.
	Ambiguous Symptom = "ambiguous"
	// Another resource than the one that was asked for came back.
	Another Symptom = "another"
	// Misplaced resources are shown where they do not belong.
	Misplaced Symptom = "misplaced"
	// Differs reports whether a resource is not as it was shown before.
	Differs Symptom = "differs"
)

// Observation is what a target does where the interface leaves the response to it.
type Observation struct {
	// Rule is the id of the open rule.
	Rule string `json:"rule"`
	// Asked says what was asked ("limit is 0"), Answer what came ("400, code invalid_limit").
	Asked  string `json:"asked"`
	Answer string `json:"answer"`
	// Reading is the answer without what services may choose freely: how many resources there are, and words of their own. By it
	// the answers of services are compared. Count is how many resources the response held; nil where that was not the question.
	// Records of earlier versions have neither.
	Reading string `json:"reading,omitempty"`
	Count   *int64 `json:"count,omitempty"`
	// Exchange is the number of the exchange that shows it.
	Exchange int `json:"exchange,omitempty"`
}

// Decisive returns the number of the exchange that shows the finding, the last of those that it takes; 0 for none.
func (f Finding) Decisive() int {
	if len(f.Exchanges) == 0 {
		return 0
	}
	return f.Exchanges[len(f.Exchanges)-1]
}

// Map returns the finding with each text changed in which a service may have had its say, save its story.
func (f Finding) Map(change func(string) string) Finding {
	f.Expected, f.Actual, f.Where = f.Expected.Map(change), f.Actual.Map(change), f.Where.Map(change)
	f.Detail, f.Pointer, f.Cause = change(f.Detail), change(f.Pointer), change(f.Cause)
	return f
}
