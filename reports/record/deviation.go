package record

import (
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Deviation is a known violation: one that is accepted for a reason and until a certain day. It covers findings about one rule.
type Deviation struct {
	// Rule is the id of the broken rule.
	Rule string `json:"rule"`
	// Operation, Kind, Place and Detail are compared with those of findings; an empty one matches anything. An entry without a Kind was
	// written by an earlier version and covers findings by their message.
	Operation string           `json:"operation,omitempty"`
	Kind      spec.FindingKind `json:"kind,omitempty"`
	Place     string           `json:"place,omitempty"`
	Detail    string           `json:"detail,omitempty"`
	// Message is what a finding said when the entry was written, see [Message]. In an entry of an earlier version it is the start of the
	// messages.
	Message string `json:"message"`
	// Reason says why the violation is accepted; Link leads to the discussion.
	Reason string `json:"reason"`
	Link   string `json:"link"`
	// Expires is the last day (UTC) on which the deviation is valid, as in 2027-01-31.
	Expires string `json:"expires"`
}

// NewDeviation returns the deviation for the defect that a finding shows, without a reason, a link or a day.
func NewDeviation(f spec.Finding) Deviation {
	k := f.Key()
	return Deviation{Rule: k.Rule, Operation: k.Operation, Kind: k.Kind, Place: k.Place, Detail: k.Detail, Message: Message(f)}
}

// Entry returns the deviation's key as written in the file: "operation: listPets, kind: too-large, place: body".
func (d Deviation) Entry() string {
	var parts []string
	for _, part := range [][2]string{{"operation", d.Operation}, {"kind", string(d.Kind)}, {"place", d.Place}, {"detail", d.Detail}} {
		if part[1] != "" {
			parts = append(parts, part[0]+": "+part[1])
		}
	}
	return strings.Join(parts, ", ")
}

// Message returns a finding on one line, as every report writes it.
func Message(f spec.Finding) string {
	return "expected " + text.Elide(text.Visible(f.Expected.String()), 120) + ", actual " + text.Elide(text.Visible(f.Actual.String()), 120)
}

// Covers reports whether the deviation's key matches a finding.
func (d Deviation) Covers(f spec.Finding) bool {
	if d.Rule != f.Rule {
		return false
	}
	if d.ByMessage() {
		return d.Message != "" && strings.HasPrefix(Message(f), d.Message)
	}
	k := f.Key()
	return d.Kind == k.Kind && (d.Operation == "" || d.Operation == k.Operation) && (d.Place == "" || d.Place == k.Place) &&
		(d.Detail == "" || d.Detail == k.Detail)
}

// ByMessage reports whether the deviation was written by an earlier version and covers findings whose message starts with its own.
func (d Deviation) ByMessage() bool { return d.Kind == "" }

// Overlaps reports whether one of two deviations covers everything that the other one covers.
func (d Deviation) Overlaps(other Deviation) bool {
	if d.Rule != other.Rule || d.Kind != other.Kind {
		return false
	}
	if d.ByMessage() {
		return strings.HasPrefix(d.Message, other.Message) || strings.HasPrefix(other.Message, d.Message)
	}
	return d.within(other) || other.within(d)
}

// within reports whether the other deviation of the same kind covers everything that this one does.
func (d Deviation) within(other Deviation) bool {
	in := func(part, whole string) bool { return whole == "" || part == whole }
	return in(d.Operation, other.Operation) && in(d.Place, other.Place) && in(d.Detail, other.Detail)
}

// Over reports whether the last day is over, as it is for an unreadable day: the file's reader rejects those.
func (d Deviation) Over(now time.Time) bool {
	day, err := time.Parse(time.DateOnly, d.Expires)
	return err != nil || !now.Before(day.AddDate(0, 0, 1))
}
