package record

import (
	"cmp"

	"github.com/hallmark-kit/hallmark/spec"
)

// Opinion is the second judge's opinion of the findings of a cause that rest on a schema.
type Opinion struct {
	// Finding is the Cause of the findings, see spec.Finding.Cause, and Rule the rule that they break.
	Finding string `json:"finding"`
	Rule    string `json:"rule"`
	// Exchange is the number of the exchange that the second judge examined.
	Exchange int `json:"exchange,omitempty"`
	spec.Opinion
}

// Of reports whether the opinion is about a finding.
func (o *Opinion) Of(f *spec.Finding) bool { return o.Rule == f.Rule && o.Finding == f.Cause }

// OpinionText describes an opinion for readers. It is empty if the second judge was not consulted.
func OpinionText(o *spec.Opinion) string {
	if o == nil || o.Says == "" {
		return ""
	}
	said := "second judge: " + string(o.Says)
	switch {
	case o.Known != "":
		return said + ", as is known (" + o.Known + "): " + cmp.Or(o.Reason, "it gives no reason")
	case o.Says == spec.Agreed || o.Reason == "":
		return said
	}
	return said + ": " + o.Reason
}
