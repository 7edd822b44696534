package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// listForms returns the steps about lists.
func listForms() []scenario.Form {
	return append(slices.Concat(pageForms(), sortForms(), keyForms()), []scenario.Form{
		{Pattern: promise.WithinLimit.Pattern(), Do: listed(withinLimit)},
		{Pattern: promise.EachHas.Pattern(), Do: listed(eachHas, anyOfMeaning)},
		{Pattern: promise.NothingTwice, Do: func(ctx context.Context) error { return listed(noDuplicates)(ctx, "") }},
		{Pattern: promise.Shows.Pattern(), Do: movedBy(looksForIt)},
		{Pattern: promise.Lists.Pattern(), Do: movedBy(lists)},
		{Pattern: promise.IsNotListed, Do: then(isNotListed)},
		{Pattern: promise.LooksFor.Pattern(), Do: whenLookedFor},
		{Pattern: promise.NoneIsThere, Do: thenNoTrace},
		{Pattern: promise.ForTwoValues.Pattern(), Do: whenForTwoValues},
		{Pattern: promise.NotTheOthers, Do: thenApart},
	}...)
}

// listJudge judges one response of a list. name is the name in the step.
type listJudge func(s *scenario.Scenario, a *scenario.Answer, items []resource.Item, name string) judgement

// alternativeMeaning returns what the parameters of a list may mean other than inferred, or "".
type alternativeMeaning func(ctx context.Context, s *scenario.Scenario, life resource.Life, m *scenario.Making, name string) (string, error)

// listed returns a step that judges the last response. It reports a violation that a second response confirms,
// unless the parameters may mean something else.
func listed(judge listJudge, others ...alternativeMeaning) func(context.Context, string) error {
	return func(ctx context.Context, name string) error {
		s := scenario.From(ctx)
		m, err := s.Making()
		if err != nil {
			return err
		}
		a, err := s.Last()
		if err != nil {
			return err
		}
		life, ok := promise.LifeListed(s.Run.Promises, m.Request.Operation)
		if !ok || a.Status()/100 != 2 {
			return scenario.Excusef("%s shows no list: status %d", m.Request.Operation.ID, a.Status())
		}
		first := judge(s, a, life.Items(a.Value.Tree), unquoted(name))
		if !first.broken() {
			if first.kept {
				s.Kept(s.Rule.ID)
			}
			return nil
		}
		for _, other := range others {
			meaning, err := other(ctx, s, life, m, unquoted(name))
			if err != nil {
				return err
			}
			if meaning != "" {
				observe(s, a, meaning)
				return nil
			}
		}
		again, err := s.Ask(ctx, m.Request, m.Credential, s.Pickle.Name+", once more")
		if err != nil {
			return err
		}
		second := judgement{}
		if again.Status()/100 == 2 {
			second = judge(s, again, life.Items(again.Value.Tree), unquoted(name))
		}
		if !second.broken() || s.Rule.Level == spec.Open {
			observe(s, a, first.finding.Actual.String())
			return nil
		}
		f := first.finding
		f.Exchanges = []int{a.Exchange.Seq}
		s.Find(a.Exchange, f)
		return nil
	}
}

// withinLimit implements "it shows no more than <limit>".
func withinLimit(s *scenario.Scenario, a *scenario.Answer, items []resource.Item, name string) judgement {
	value, _ := a.Request.Value(request.Place{In: "query", Name: name})
	limit, err := strconv.Atoi(fmt.Sprint(value))
	n := max(len(items), a.Items)
	switch {
	case err != nil || n < limit:
		return judgement{at: a}
	case n <= limit:
		return judgement{at: a, kept: true}
	}
	return wrong(s, a, spec.KindTooLarge, phrase.Of("at most {}", phrase.Count(limit, "item")), phrase.Of("{}", phrase.Count(n, "item")))
}

// eachHas implements "each of its items has the asked <member>".
func eachHas(s *scenario.Scenario, a *scenario.Answer, items []resource.Item, name string) judgement {
	return hasAsked(s, *a.Request, a, items, name)
}

// hasAsked judges the items of a response by the value that a request gives for a parameter with the name of a member.
func hasAsked(s *scenario.Scenario, r request.Request, a *scenario.Answer, items []resource.Item, name string) judgement {
	asked, there := r.Value(request.Place{In: "query", Name: name})
	if list, several := asked.([]any); several && len(list) == 1 {
		asked = list[0]
	}
	if !there {
		return judgement{at: a}
	}
	kept := false
	for i, item := range items {
		is, shown := item.Members[name]
		switch like := behaviour.Alike(asked, is, shown); {
		case like <= behaviour.Normal:
			kept = true
		case like == behaviour.Another:
			j := wrong(s, a, spec.KindDiffers, phrase.Of("{} in {}, as was asked for", phrase.JSON(exactjson.Describe(asked)), phrase.Field(name)), phrase.Of("{}", phrase.JSON(exactjson.Describe(is))))
			j.finding.Detail = name
			j.finding.Actual = j.finding.Actual.With(" (item {})", phrase.Number(i+1))
			return j
		}
	}
	return judgement{at: a, kept: kept}
}

// noDuplicates implements "nothing is in it twice".
func noDuplicates(s *scenario.Scenario, a *scenario.Answer, items []resource.Item, _ string) judgement {
	seen := map[string]bool{}
	for _, item := range items {
		id := fmt.Sprint(item.Identifier)
		if seen[id] {
			j := wrong(s, a, spec.KindDuplicate, phrase.Of("each resource once"), phrase.Of("{} twice", phrase.JSON(id))).withIdentifier(id)
			if life, ok := promise.LifeListed(s.Run.Promises, a.Request.Operation); ok && scenario.IsGivenTwice(s.Run, scenario.Shown(life.Slot, a.Request, item.Identifier)) &&
				j.under(s, promise.Distinct, life.Creator.Operation.ID) {
				j.finding.Actual = j.finding.Actual.With(", the identifier that two creations returned")
			}
			return j
		}
		seen[id] = true
	}
	return judgement{at: a, kept: len(items) > 1}
}

// lists implements "<operation> lists what there is". It waits until a resource is listed or, after its deletion,
// no longer listed.
func lists(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		r, with, err := requestAbout(ctx, s, in, op)
		if err != nil {
			return err
		}
		var shown map[string]any
		a, err := Until(ctx, s, func() (*scenario.Answer, error) {
			w, err := wholeList(ctx, s, in.story.life, r, with)
			var item resource.Item
			var at *scenario.Answer
			if item, at, in.shown = w.showing(in.isListedAs); in.shown {
				shown, in.place = item.Members, item.Pointer
			}
			return at, err
		}, func(a *scenario.Answer) bool { return in.shown == (len(in.deleted) == 0) || a.Status()/100 != 2 })
		if err != nil {
			return err
		}
		in.listed, in.items = append(in.listed, in.note(a)), append(in.items, shown)
		if a.Status()/100 != 2 {
			return scenario.Excusef("%s shows no list: status %d", op.ID, a.Status())
		}
		if len(in.deleted) == 0 && !in.shown {
			return scenario.Excusef("%s does not show what was created", op.ID)
		}
		return nil
	}
}

// isNotListed implements "it is not listed any more".
func isNotListed(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.listed) < 2 || len(in.deleted) == 0 {
		return judgement{}, fmt.Errorf("nothing was listed and deleted before this step")
	}
	a := in.listed[len(in.listed)-1]
	switch {
	case !in.shown:
		return judgement{at: a, kept: true}, nil
	case in.deleted[0].Status() == 202 && !in.removed:
		return judgement{at: a, meaning: "the deletion was only accepted (202), and is not done"}, nil
	}
	if name := deletionMark(in.items[0], in.items[len(in.items)-1]); name != "" {
		return judgement{at: a, meaning: "it may be marked as deleted by " + name}, nil
	}
	if in.givenAgain(s, in.items[len(in.items)-1]) {
		return judgement{at: a, meaning: "its identifier was assigned again"}, nil
	}
	j := wrong(s, a, spec.KindUnexpected, phrase.Of("a list without what was deleted"), phrase.Of("{} in it", phrase.JSON(fmt.Sprint(in.resource.Identifier()))))
	j.finding.Pointer = in.place
	return j, nil
}

// deletionMark returns the member that may mark a resource as deleted, by its name or by a changed state, or "".
func deletionMark(before, after map[string]any) string {
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if resource.Deleted(name, after[name]) || resource.StateLike(name) && !same(before[name], after[name]) {
			return name
		}
	}
	return ""
}

// refusedTrace is the result of a search for refused creations.
type refusedTrace struct {
	found []string
	at    *scenario.Answer
	// refused holds the refusals by the names that were sent.
	refused map[string]scenario.RefusedName
}

// whenLookedFor implements "what was refused is looked for in <operation>".
func whenLookedFor(ctx context.Context, _ string) error {
	s := scenario.From(ctx)
	m, life, err := makingList(s)
	if err != nil {
		return err
	}
	refused := scenario.Refused(s.Run, life.Creator.Operation)
	if len(refused) == 0 {
		return scenario.Excusef("nothing was refused that a list could show by its name")
	}
	w, err := wholeList(ctx, s, life, fewestParameters([]request.Request{m.Request}), m.Credential)
	if err != nil {
		return err
	}
	t := &refusedTrace{at: w.last, refused: refused}
	for _, p := range w.pages {
		for _, item := range p.items {
			for _, value := range item.Members {
				if text, is := value.(string); is && refused[text].Exchange > 0 && !slices.Contains(t.found, text) {
					t.found, t.at = append(t.found, text), p.answer
				}
			}
		}
	}
	s.Life = t
	s.SetAnswers(t.at)
	return nil
}

// leastTraces is how many refused creations must be listed: a single one may have another reason.
const leastTraces = 2

// thenNoTrace implements "none of it is there".
func thenNoTrace(ctx context.Context) error {
	s := scenario.From(ctx)
	t, ok := s.Life.(*refusedTrace)
	switch {
	case !ok:
		return fmt.Errorf("nothing was looked for before this step")
	case t.at.Status()/100 != 2:
		return scenario.Excusef("nothing was listed: status %d", t.at.Status())
	case len(t.found) == 0:
		s.Kept(s.Rule.ID)
	case len(t.found) < leastTraces || s.Rule.Level == spec.Open:
		observe(s, t.at, "a list shows "+strconv.Quote(t.found[0])+", whose creation was refused")
	default:
		slices.Sort(t.found)
		parts := t.byPart()
		for _, part := range slices.Sorted(maps.Keys(parts)) {
			names := parts[part]
			j := wrong(s, t.at, spec.KindUnexpected, phrase.Of("nothing that was refused"), phrase.Of("{} and {}, whose creation was refused", phrase.Text(names[0]), phrase.Text(names[1])))
			j.finding.Exchanges = []int{t.refused[names[0]].Exchange, t.refused[names[1]].Exchange, t.at.Exchange.Seq}
			if s.Pickle.Covered != "" {
				j.finding.Rule, j.finding.Parts = s.Pickle.Covered, []string{part}
			}
			s.Find(t.at.Exchange, j.finding)
		}
	}
	return nil
}

// byPart returns the names that were found, those refused for their credential apart from others if there are enough of them.
func (t *refusedTrace) byPart() map[string][]string {
	parts := map[string][]string{}
	for _, name := range t.found {
		part := ""
		if status := t.refused[name].Status; status == http.StatusUnauthorized || status == http.StatusForbidden {
			part = promise.PartUnauthorized
		}
		parts[part] = append(parts[part], name)
	}
	for part, names := range parts {
		if len(names) < leastTraces {
			delete(parts, part)
		}
	}
	if len(parts) == 0 {
		parts[""] = t.found
	}
	return parts
}
