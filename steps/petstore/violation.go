package petstore

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/steps/check"
	"hallmark/steps/truncate"
)

// JudgeHistories splits the events by id and gives a finding for each history that the interface does not allow. Those of
// one cause are told once, by the shortest history.
func JudgeHistories(events []Event, head string) []spec.Finding {
	var out []spec.Finding
	for _, h := range histories(events) {
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

// histories splits events into the histories of their ids, in the order in which these begin.
func histories(events []Event) []history {
	slices.SortStableFunc(events, byBeginning)
	at := map[string]int{}
	var out []history
	for _, e := range events {
		i, known := at[e.ID]
		if !known {
			i = len(out)
			at[e.ID], out = i, append(out, nil)
		}
		out[i] = append(out[i], e)
	}
	return out
}

// finding says what is wrong with a smallest history.
func (h history) finding() spec.Finding {
	var created, other *Event
	for i := range h {
		switch e := &h[i]; {
		case e.Kind != Created:
			other = e
		case created != nil:
			other = e
		default:
			created = e
		}
	}
	f := spec.Finding{}
	for _, e := range h {
		if !slices.Contains(f.Exchanges, e.Exchange.Seq) {
			f.Exchanges = append(f.Exchanges, e.Exchange.Seq)
		}
	}
	// The decisive exchange comes last.
	f.Exchanges = append(slices.DeleteFunc(f.Exchanges, func(seq int) bool { return seq == other.Exchange.Seq }), other.Exchange.Seq)
	f.Where = check.Place(other.Exchange)
	f.Operation, f.About.IDs = other.Exchange.Operation, []string{other.ID}
	switch {
	case other.Kind == Created || other.Ended < created.Begun:
		f.Rule, f.Kind, f.Pointer = "create.id.unique", spec.KindDuplicate, "/id"
		f.Expected, f.Actual = phrase.Of("an id that no other animal has"), phrase.Of("the id {} for two animals", phrase.ID(other.ID))
		f.Cause, f.About.Shows = f.Rule, spec.Ambiguous
	case other.Kind == NotRead:
		f.Rule, f.Kind, f.Status = "get.created", spec.KindStatus, http.StatusNotFound
		f.Expected, f.Actual = phrase.Of("status {}", phrase.Status(http.StatusOK)), phrase.Of("status {}", phrase.Status(http.StatusNotFound))
		f.Cause, f.About.Shows = "get.created: status 404", spec.Missing
	case other.Kind == NotListed:
		f.Rule, f.Kind = "list.complete", spec.KindLost
		f.Expected = phrase.Of("the animal with the id {}, whose creation had been answered before", phrase.ID(other.ID))
		f.Actual = phrase.Of("it is not there, and the list holds the whole store")
		f.Cause, f.About.Shows = f.Rule, spec.Missing
	default:
		f.Rule, f.Kind = "pet.identity", spec.KindDiffers
		if other.Kind == Read {
			f.Rule = "get.created"
		}
		field, was, is := "name", truncate.String(created.Animal.Name), truncate.String(other.Animal.Name)
		if created.Animal.Name == other.Animal.Name {
			field, was, is = "categoryId", phrase.JSON(created.Animal.Category), phrase.JSON(other.Animal.Category)
		}
		f.Expected = phrase.Of("{} {}, as it was answered on creation", phrase.Field(field), was)
		f.Actual = phrase.Of("{}", is)
		f.Where = f.Where.At("/" + field)
		if other.Kind == Read {
			f.Pointer = "/" + field
		}
		f.Cause, f.About.Shows = f.Rule+" "+field, spec.Differs
	}
	return f
}

// story returns a history as numbered requests, with clients and times.
func (h history) story(head string) []string {
	out := []string{head + ":"}
	for i, e := range h {
		out = append(out, fmt.Sprintf("%d. client %d, %s to %s: %s%s", i+1, e.Client+1, millis(e.Begun), millis(e.Ended), check.Trace(e.Exchange, "animal"), e.remark()))
	}
	return out
}

// remark says what a list shows of the id.
func (e Event) remark() string {
	switch e.Kind {
	case Listed:
		return ", among them " + strings.Join([]string{e.ID, truncate.Quoted(e.Animal.Name)}, " ")
	case NotListed:
		return ", without " + e.ID
	default:
		return "" // the others show one animal, which their own words name
	}
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

// KeptBy lists the rules that events put to the test and kept: those of ids that were created here, and met again. An id
// whose history is not allowed, or could not be judged, shows none.
func KeptBy(events []Event, findings []spec.Finding) []string {
	rules := map[string]bool{}
	for _, h := range histories(events) {
		h = h.judgeable()
		if len(h) < 2 || h.verdict() != porcupine.Ok {
			continue
		}
		for _, e := range h {
			if e.Kind == Read {
				rules["get.created"] = true
			}
			if e.Kind == Listed {
				rules["pet.identity"] = true
				rules["list.complete"] = rules["list.complete"] || e.Whole
			}
		}
	}
	for _, f := range findings {
		delete(rules, f.Rule)
	}
	maps.DeleteFunc(rules, func(_ string, kept bool) bool { return !kept })
	return slices.Sorted(maps.Keys(rules))
}
