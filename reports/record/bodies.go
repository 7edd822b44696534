package record

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// BodySearch is the search for a body that the service accepts, after it refused each plain body of an operation, or a second one that differs
// from the first only in its names.
type BodySearch struct {
	Operation string `json:"operation"`
	// Sent is the number of other bodies that were sent. Withheld reports whether none was, because each call of the operation matters.
	Sent     int  `json:"sent,omitempty"`
	Withheld bool `json:"withheld,omitempty"`
	// Accepted reports whether a body was accepted. With, Without and Other are the JSON Pointers of the members that it has beyond the
	// smallest refused body, that it lacks of the largest one, and that have another value in it.
	Accepted bool     `json:"accepted,omitempty"`
	With     []string `json:"with,omitempty"`
	Without  []string `json:"without,omitempty"`
	Other    []string `json:"other,omitempty"`
	// Named lists the JSON Pointers of the members that the refusals complain about.
	Named []string `json:"named,omitempty"`
	// Again lists what must differ for the operation to succeed once more, such as "other dates"; it is empty if nothing need, or nothing helps.
	Again []string `json:"again,omitempty"`
	// After lists the operations that must succeed first for the same resource, in their order.
	After []string `json:"after,omitempty"`
}

// OfPlain reports whether the service refused each plain body.
func (b *BodySearch) OfPlain() bool {
	return b.Withheld || b.Accepted || b.Sent > 0 || len(b.Named) > 0
}

// Found reports whether the search found something.
func (b *BodySearch) Found() bool { return b.Accepted || len(b.Again) > 0 || len(b.After) > 0 }

// Sentence says what the search found, or why it found nothing, without a full stop.
func (b *BodySearch) Sentence() string {
	again := ""
	if len(b.Again) > 0 {
		again = "succeeds once more only with " + text.Enumerate(b.Again, "and")
	}
	if len(b.After) > 0 {
		if again != "" {
			again = ", and " + again
		}
		again = "succeeds only after " + text.Enumerate(b.After, "and") + again
	}
	switch {
	case (!b.OfPlain() || !b.Accepted && len(b.After) > 0) && again != "":
		return b.Operation + " " + again
	case !b.Accepted:
		return b.Operation + " never succeeded" + b.Refused()
	case again != "":
		again = "; it " + again
	}
	var differs []string
	for _, part := range []struct {
		says  string
		names []string
	}{{"with ", b.With}, {"without ", b.Without}, {"with another value of ", b.Other}} {
		if len(part.names) > 0 {
			differs = append(differs, part.says+text.Enumerate(part.names, "and"))
		}
	}
	says := b.Operation + " was refused with each plain body, and accepted "
	if len(differs) == 0 {
		return says + "with another one" + again
	}
	return says + strings.Join(differs, ", ") + "; other values of these members are not judged" + again
}

// Refused continues a sentence that begins with an operation that never succeeded: which bodies were refused, too, and which members the
// refusals name.
func (b *BodySearch) Refused() string {
	says := ""
	if b.Sent > 0 {
		says = ", not even with " + others(b.Sent) + " that the contract allows"
	}
	if b.Withheld {
		says = ", and no other bodies are tried, because each call matters"
	}
	if len(b.Named) > 0 {
		says += "; the refusals name " + text.Enumerate(b.Named, "and")
	}
	return says
}

// others returns a number of other bodies in words.
func others(n int) string {
	if n == 1 {
		return "the other body"
	}
	return "one of " + text.Number(n) + " other bodies"
}

// PlusBodySearches adds the searches of another part of a run. A body that was accepted counts more than one that was refused.
func PlusBodySearches(all, more []BodySearch) []BodySearch {
	all = slices.Clone(all)
	for _, one := range more {
		i := slices.IndexFunc(all, func(known BodySearch) bool { return known.Operation == one.Operation })
		if i < 0 {
			all = append(all, one)
			continue
		}
		one.Again = union(all[i].Again, one.Again)
		one.After = union(all[i].After, one.After)
		all[i].Again, all[i].After = one.Again, one.After
		switch {
		case one.Accepted && !all[i].Accepted:
			all[i] = one
		case one.Accepted == all[i].Accepted:
			all[i].Sent = max(all[i].Sent, one.Sent)
			all[i].Named = union(all[i].Named, one.Named)
		}
	}
	return all
}
