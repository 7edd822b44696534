package steps

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hallmark/spec"
	"hallmark/steps/check"
)

// judgeHistories splits the events by id and gives a finding for each history that the interface does not allow. Those of
// one cause are told once, by the shortest history.
func judgeHistories(events []event, head string) []spec.Finding {
	var out []spec.Finding
	for _, h := range byID(events) {
		h = h.judgeable().smallest()
		if h == nil {
			continue
		}
		f := h.finding()
		f.Story = h.story(head)
		at := slices.IndexFunc(out, func(g spec.Finding) bool { return g.Cause == f.Cause })
		if at < 0 {
			out = append(out, f)
		} else if len(f.Exchanges) < len(out[at].Exchanges) {
			out[at] = f
		}
	}
	return out
}

// byID splits events into the histories of their ids, in the order in which these begin.
func byID(events []event) []history {
	slices.SortStableFunc(events, byBeginning)
	at := map[string]int{}
	var out []history
	for _, e := range events {
		i, known := at[e.id]
		if !known {
			i = len(out)
			at[e.id], out = i, append(out, nil)
		}
		out[i] = append(out[i], e)
	}
	return out
}

// finding says what is wrong with a smallest history.
func (h history) finding() spec.Finding {
	var created, other *event
	for i := range h {
		switch e := &h[i]; {
		case e.deed != deedCreated:
			other = e
		case created != nil:
			other = e
		default:
			created = e
		}
	}
	f := spec.Finding{}
	for _, e := range h {
		if !slices.Contains(f.Exchanges, e.ex.Seq) {
			f.Exchanges = append(f.Exchanges, e.ex.Seq)
		}
	}
	// The decisive exchange comes last.
	f.Exchanges = append(slices.DeleteFunc(f.Exchanges, func(seq int) bool { return seq == other.ex.Seq }), other.ex.Seq)
	f.Where = check.Place(other.ex)
	f.About.IDs = []string{other.id}
	switch {
	case other.deed == deedCreated || other.ended < created.begun:
		f.Rule, f.Pointer = "create.id.unique", "/id"
		f.Expected, f.Actual = "an id that no other animal has", "the id "+other.id+" for two animals"
		f.Cause, f.About.Shows = f.Rule, spec.Ambiguous
	case other.deed == deedNotRead:
		f.Rule, f.Expected, f.Actual, f.Status = "get.created", "status 200", "status 404", 404
		f.Cause, f.About.Shows = "get.created: status 404", spec.Missing
	case other.deed == deedNotListed:
		f.Rule = "list.complete"
		f.Expected = fmt.Sprintf("the animal with the id %s, whose creation had been answered before", other.id)
		f.Actual = "it is not there, and the list holds the whole store"
		f.Cause, f.About.Shows = f.Rule, spec.Missing
	default:
		f.Rule = "pet.identity"
		if other.deed == deedRead {
			f.Rule = "get.created"
		}
		field, was, is := "name", quoted(created.animal.name), quoted(other.animal.name)
		if created.animal.name == other.animal.name {
			field, was, is = "categoryId", created.animal.category, other.animal.category
		}
		f.Expected, f.Actual = field+" "+was+", as it was answered on creation", is
		f.Where += ", /" + field
		f.Cause, f.About.Shows = f.Rule+" "+field, spec.Differs
	}
	return f
}

// story tells a history as numbered requests, with clients and times.
func (h history) story(head string) []string {
	out := []string{head + ":"}
	for i, e := range h {
		out = append(out, fmt.Sprintf("%d. client %d, %s to %s: %s%s", i+1, e.client+1, millis(e.begun), millis(e.ended), check.Trace(e.ex), e.remark()))
	}
	return out
}

// remark says what a list shows of the id.
func (e event) remark() string {
	switch e.deed {
	case deedListed:
		return ", among them " + strings.Join([]string{e.id, quoted(e.animal.name)}, " ")
	case deedNotListed:
		return ", without " + e.id
	default:
		return "" // the others show one animal, which their own words name
	}
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
