package lifecycle

import (
	"context"
	"fmt"
	"math/bits"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

// Resources that no operation reads are looked up in their list.

// looksForIt implements "<operation> is looked through for it". It waits until the list shows it, at most for the
// patience of the run.
func looksForIt(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		if in.created.Status() != http.StatusCreated {
			if err := requireOwned(in); err != nil {
				return err
			}
		}
		return lookForIt(ctx, s, in, op, 0)
	}
}

// lookForIt searches a list for a resource until it is there, or the patience of the run plus more ends.
func lookForIt(ctx context.Context, s *scenario.Scenario, in *instance, op *spec.Operation, more time.Duration) error {
	r, with, err := requestAbout(ctx, s, in, op)
	if err != nil {
		return err
	}
	var members map[string]any
	ask := func() (*scenario.Answer, error) {
		w, err := wholeUntil(ctx, s, in.story.life, r, with, in.isListedAs)
		item, at, shown := w.showing(in.isListedAs)
		if in.list, in.shown = w, shown; shown {
			members = item.Members
		}
		return at, err
	}
	done := func(a *scenario.Answer) bool { return in.shown || a.Status()/100 != 2 }
	a, err := UntilWithin(ctx, s.Run.Patience.Patient()+more, ask, done)
	if err != nil {
		return err
	}
	if !in.shown && a.Status()/100 != 2 && !in.list.ended {
		return scenario.Excusef("%s shows no list: status %d", op.ID, a.Status())
	}
	if !in.shown {
		in.notePages(in.list)
	}
	shown := *in.note(a)
	shown.Value = exactjson.Value{}
	if in.shown {
		shown.Value = exactjson.Value{Tree: truncatedCopy(members), Valid: true}
	}
	in.reads = append(in.reads, &shown)
	s.SetAnswers(a)
	return nil
}

// isListedAs reports whether an item of a list is the resource of an instance.
func (in *instance) isListedAs(i resource.Item) bool {
	return fmt.Sprint(i.Identifier) == fmt.Sprint(in.resource.Identifier())
}

// inList judges whether the list shows the created resource. a is its last response.
func inList(ctx context.Context, s *scenario.Scenario, in *instance, a *scenario.Answer) (judgement, error) {
	if !in.shown && unlistable(in, in.list) == "" { // an index may be some seconds behind
		if err := lookForIt(ctx, s, in, in.story.life.Lister.Operation, s.Run.Patience.Lag()); err != nil {
			return judgement{}, err
		}
		a = in.reads[len(in.reads)-1]
	}
	if in.shown {
		return judgement{at: a, kept: true}, nil
	}
	if why := unlistable(in, in.list); why != "" {
		return judgement{at: a, meaning: why}, nil
	}
	return wrong(s, a, spec.KindLost, phrase.Of("{}, which was created", phrase.JSON(fmt.Sprint(in.resource.Identifier()))),
		phrase.Of("a list of {} without it", phrase.Count(len(in.list.items()), "item"))).withIdentifier(in.resource.Identifier()), nil
}

// unlistable returns why a list may not show a created resource, or "": the list may be partial by default, for
// this client, or for now.
func unlistable(in *instance, w walk) string {
	n := len(w.items())
	shown, ok := in.story.life.Created(in.created.Value.Tree)
	switch {
	case in.created.Status() != http.StatusCreated:
		return fmt.Sprintf("the creation was answered with status %d, which does not mean that it is done", in.created.Status())
	case !w.ended || w.cut() || w.round:
		return "the list was not read to its end"
	case w.unnamed():
		return "the list shows an item without its identifier, which may be it"
	case !resource.Whole(in.story.life.Lister.Operation):
		return "the list has parameters whose absence may leave it out"
	case capped(n):
		return fmt.Sprintf("the list shows %d, which may be its maximum", n)
	case unsettledAfterCreation(in.story.life, in.created) != "":
		return "it is " + unsettledAfterCreation(in.story.life, in.created) + ", and may not be listed yet"
	case !ok:
		return "the creation does not show what it made"
	}
	if name := hides(shown); name != "" {
		return "it may not be listed because of its " + name
	}
	return ""
}

// capped reports whether a list of n items may be truncated: services limit lists to round numbers.
func capped(n int) bool { return n >= 5 && (n%5 == 0 || bits.OnesCount(uint(n)) == 1) }

// Names of members whose truth value, and texts, say whether something is visible to everybody.
var (
	openNames   = regexp.MustCompile(`(?i)publi|approv|activ|enabl|verif|confirm|visib|availab|listed|accept|ready|live|online|releas|moderat|process|valid`)
	closedNames = regexp.MustCompile(`(?i)draft|privat|hidden|internal|archiv|delet|disabl|pend|unlist|lock|inactiv|expir|revok|clos|spam|temp`)
	closedTexts = regexp.MustCompile(`(?i)^(internal|archiv|delet|disabl|pend|unlist|lock|inactiv|expir|revok|clos|spam|temp|secret|author|owner|admin|staff|me$|none|no$|off$)`)
)

// hides returns the name of a member that says the resource may not be visible to everybody, or not yet; or "".
func hides(shown map[string]any) string {
	for name, value := range shown {
		switch v := value.(type) {
		case bool:
			if v && closedNames.MatchString(name) || !v && openNames.MatchString(name) {
				return name
			}
		case string:
			if resource.HasWord(name, "visibility", "audience", "scope", "access", "privacy", "status", "state", "phase", "stage") && closedTexts.MatchString(v) {
				return name
			}
		}
	}
	return ""
}

// leastExcerpt is the minimum length, in bytes, of an excerpt of a text in a list.
const leastExcerpt = 16

// excerpt reports whether a list shows only the beginning of a text, as lists do.
func excerpt(d behaviour.Difference) bool {
	was, text := d.Was.(string)
	is, also := d.Is.(string)
	if !text || !also {
		return false
	}
	plain := strings.Join(strings.Fields(is), " ")
	for _, mark := range []string{"…", "...", "[...]", "(...)", "&hellip;"} {
		plain = strings.TrimSpace(strings.TrimSuffix(plain, mark))
	}
	return len(is) >= leastExcerpt && len(is) < len(was) && truncate.Begins(strings.Join(strings.Fields(was), " "), plain)
}
