package spec

import "github.com/hallmark-kit/hallmark/spec/phrase"

// Finding is a violated rule, observed in one or more exchanges.
type Finding struct {
	// Rule is the id of the violated rule.
	Rule string `json:"rule"`
	// Operation is the id of the operation of the decisive exchange; empty for a request that the contract does not define.
	Operation string `json:"operation,omitempty"`
	// Kind is the kind of defect. Detail distinguishes defects of one kind: the JSON type or media type that was received, or the name of the
	// missing field. Both are the same in the next run. Records of earlier versions have neither.
	Kind   FindingKind `json:"kind,omitempty"`
	Detail string      `json:"detail,omitempty"`
	// Expected and Actual are short phrases: "at most 3 animals", "30 animals".
	Expected phrase.Phrase `json:"expected,omitzero"`
	Actual   phrase.Phrase `json:"actual,omitzero"`
	// Where is the place, such as "GET /pets?limit=3 → 200, the array's length".
	Where phrase.Place `json:"where,omitzero"`
	// Status is the status of the response (RFC 9110, section 15) if that is wrong, otherwise 0.
	Status int `json:"status,omitempty"`
	// Header is the name of the wrong or missing response header, if the finding is about one.
	Header string `json:"header,omitempty"`
	// Pointer is the JSON Pointer (RFC 6901) of the place in the response body; empty for the whole body, and for places elsewhere.
	Pointer string `json:"pointer,omitempty"`
	// Contract is the JSON Pointer of the violated constraint in the OpenAPI document; may be empty.
	Contract string `json:"contract,omitempty"`
	// Parts are what the finding is about, by which other rules may cover its rule: places of the contract (JSON Pointers), from the outside
	// in, and words for cases; see [PartsOf].
	Parts []string `json:"-"`
	// Exchanges are the numbers (Exchange.Seq) of the exchanges that show it, the decisive one last. If a request uses a value from an
	// earlier response, the exchange of that response is included.
	Exchanges []int `json:"exchanges"`
	// About identifies the resources that the finding is about, if any.
	About About `json:"about,omitzero"`
	// Cause is the same for findings with the same cause. A run reports them once, with a count.
	Cause string `json:"cause"`
	// After is the rule whose violation certainly caused this one. The finding is then a consequence, not a cause.
	After string `json:"after,omitempty"`
}

// FindingKind is a kind of defect.
type FindingKind string

const (
	// KindStatus is an unexpected status; Finding.Status has it.
	KindStatus FindingKind = "wrong-status"
	// KindMissing is a missing body, header or field.
	KindMissing FindingKind = "missing"
	// KindUnreadable is a response that violates HTTP, or a body that is not JSON.
	KindUnreadable FindingKind = "unreadable"
	// KindDied is a request that never gets a response: the target crashes or closes the connection.
	KindDied FindingKind = "died"
	// KindMediaType is an undocumented Content-Type.
	KindMediaType FindingKind = "wrong-media-type"
	// KindType is a value with another JSON type than the schema's.
	KindType FindingKind = "wrong-type"
	// KindEnum is a value that the enum does not list.
	KindEnum FindingKind = "not-listed"
	// KindFormat is a value that violates the schema's format.
	KindFormat FindingKind = "wrong-format"
	// KindTooSmall is a value below the minimum, or one with too few characters or items.
	KindTooSmall FindingKind = "too-small"
	// KindTooLarge is a value above the maximum, or one with too many characters or items.
	KindTooLarge FindingKind = "too-large"
	// KindForbidden is a value or a field that the schema does not allow.
	KindForbidden FindingKind = "not-allowed"
	// KindRepeated is a field that occurs more than once in an object, with different values.
	KindRepeated FindingKind = "repeated-field"
	// KindDiffers is a value other than the one sent, shown before, or shown elsewhere in the response.
	KindDiffers FindingKind = "different-value"
	// KindAnother is another resource than the requested one.
	KindAnother FindingKind = "another-resource"
	// KindDuplicate is an identifier shared by two resources, or a resource that a list contains twice.
	KindDuplicate FindingKind = "duplicate"
	// KindLost is a resource that is not found although it must exist.
	KindLost FindingKind = "lost-resource"
	// KindUnexpected is a resource that is found although it must not exist.
	KindUnexpected FindingKind = "unexpected-resource"
)

// About identifies resources, and states what a finding shows about them.
type About struct {
	// IDs are the ids in decimal.
	IDs []string `json:"ids"`
	// Shows is what is wrong with them; empty if it is none of the following.
	Shows Symptom `json:"shows,omitempty"`
}

// Symptom is what a finding shows about its resources.
type Symptom string

const (
	// Missing resources are not found although they must exist.
	Missing Symptom = "missing"
	// Ambiguous ids identify more than one resource, so nothing else can be concluded from them.
	Ambiguous Symptom = "ambiguous"
	// Another resource than the requested one was returned.
	Another Symptom = "another"
	// Misplaced resources appear where they do not belong.
	Misplaced Symptom = "misplaced"
	// Differs means that a resource is not as it was shown before.
	Differs Symptom = "differs"
)

// Observation is the behavior of a target where the interface leaves it open.
type Observation struct {
	// Rule is the id of the open rule.
	Rule string `json:"rule"`
	// Asked describes the request ("limit is 0"), Answer the response ("400, code invalid_limit").
	Asked  string `json:"asked"`
	Answer string `json:"answer"`
	// Reading is the answer without anything that services choose freely, such as the number of resources and their own words. Answers of
	// different services are compared by it. Count is the number of resources in the response, or nil if that does not matter. Records of
	// earlier versions have neither.
	Reading string `json:"reading,omitempty"`
	Count   *int64 `json:"count,omitempty"`
	// Exchange is the number of the exchange.
	Exchange int `json:"exchange,omitempty"`
}

// Decisive returns the number of the exchange that shows the finding, the last of its exchanges, or 0.
func (f Finding) Decisive() int {
	if len(f.Exchanges) == 0 {
		return 0
	}
	return f.Exchanges[len(f.Exchanges)-1]
}

// Map returns the finding with change applied to each text that may come from the service, except its story.
func (f Finding) Map(change func(string) string) Finding {
	f.Expected, f.Actual, f.Where = f.Expected.Map(change), f.Actual.Map(change), f.Where.Map(change)
	f.Detail, f.Pointer, f.Cause = change(f.Detail), change(f.Pointer), change(f.Cause)
	return f
}
