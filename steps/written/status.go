package written

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Status judges the status of a response by what a step expects of it: "201 or 202".
func Status(ctx context.Context, s *scenario.Scenario, a *scenario.Answer, words string) error {
	var statuses []int
	for w := range strings.SplitSeq(words, " or ") {
		n, err := atoi(w)
		if err != nil {
			return err
		}
		statuses = append(statuses, n)
	}
	s.Expects(a, statuses...)
	v := statusVerdict(a, phrase.Of("status {}", phrase.Status(statuses...)), slices.Contains(statuses, a.Status()))
	if !v.good {
		if failed, err := failedOnce(ctx, s, a, v, statuses); err != nil || failed {
			return err
		}
		if err := lookForUnread(ctx, s, a); err != nil {
			return err
		}
		rule, parts, _, err := s.LetInBy(ctx, a, func(status int) bool { return slices.Contains(statuses, status) })
		if err != nil {
			return err
		}
		v.after = s.Run.Catalogue.Resolve(rule, spec.PartsOf(parts...)...)
	}
	conclude(s, a, v)
	return nil
}

// explanation returns the rule that a wrong status breaks whatever the scenario is about: that the right credential is let in, or that what
// was created can be read. It is empty for other statuses.
func explanation(s *scenario.Scenario, a *scenario.Answer) string {
	if a.Request == nil {
		return ""
	}
	rule := ""
	if t := unread(s, a); isShutOut(a) {
		rule = s.Run.Catalogue.Resolve(s.Run.Promises.Names.Rule(a.Request.Operation.ID, promise.Success), promise.PartRight)
	} else if t != nil && !t.listed {
		rule = s.Run.Catalogue.Resolve(s.Run.Promises.Names.Rule(t.created.Request.Operation.ID, promise.Readable))
	}
	if r, known := s.Run.Catalogue.Rule(rule); !known || r.ID == s.Rule.ID || !r.Level.Fails() {
		return ""
	}
	return rule
}

// unread returns what the scenario created, has not deleted and never read with success, where a response says that it does not exist; nil
// for other responses.
func unread(s *scenario.Scenario, a *scenario.Answer) *thing {
	if a.Request == nil || a.Status() != http.StatusNotFound && a.Status() != http.StatusGone {
		return nil
	}
	for _, t := range slices.Backward(stateOf(s).things) {
		life, ok := s.Run.Promises.Life(t.created.Request.Operation)
		if ok && life.Reader != nil && life.Reader.ID == a.Request.Operation.ID && !t.read && !t.resource.Gone() && t.names(*a.Request) {
			return t
		}
	}
	return nil
}

// lookForUnread looks for what cannot be read in the list of its collection, where the scenario is about reading what exists and the run has
// waited for it. If it is listed, creating it is not what fails.
func lookForUnread(ctx context.Context, s *scenario.Scenario, a *scenario.Answer) error {
	t := unread(s, a)
	if t == nil || !t.awaited || t.listed {
		return nil
	}
	life, _ := s.Run.Promises.Life(t.created.Request.Operation)
	if life.Lister == nil || s.Rule.ID != s.Run.Catalogue.Resolve(s.Run.Promises.Names.Rule(life.Reader.ID, promise.Success)) {
		return nil
	}
	var err error
	t.listed, err = isListed(ctx, s, t, life)
	if errors.As(err, new(scenario.Stop)) {
		return nil // the list says nothing of it
	}
	return err
}

// failedOnce reports whether a response is a server error, and has an expected status when its request is repeated. Then what the scenario
// is about is not the reason, and the finding says that the operation fails at times.
func failedOnce(ctx context.Context, s *scenario.Scenario, a *scenario.Answer, v verdict, statuses []int) (bool, error) {
	if a.Status() < http.StatusInternalServerError || a.Request == nil || !s.Rule.Level.Fails() {
		return false, nil
	}
	rule := s.Run.Promises.Names.Rule(a.Request.Operation.ID, promise.Available)
	if _, known := s.Run.Catalogue.Rule(rule); !known {
		return false, nil
	}
	right, err := s.RightAgain(ctx, a, func(a *scenario.Answer) bool { return slices.Contains(statuses, a.Status()) })
	if err != nil || !right {
		return false, err
	}
	f := findingOf(a, rule, v)
	f.Parts, f.Actual = []string{promise.PartSometimes}, f.Actual.With(", and another one when the request was repeated")
	s.Find(a.Exchange, f)
	return true, nil
}

func statusVerdict(a *scenario.Answer, expected phrase.Phrase, good bool) verdict {
	return verdict{kind: spec.KindStatus, expected: expected, actual: phrase.Of("status {}", phrase.Status(a.Status())), status: a.Status(), good: good}
}

// thenClass is "the response is a success" and "each response is a refusal".
func thenClass(ctx context.Context, which, word string) error {
	s := scenario.From(ctx)
	last, err := s.Last()
	if err != nil {
		return err
	}
	all := s.Answers()
	if which == "the" {
		all = []*scenario.Answer{last}
	}
	class, expected := 2, phrase.Of("a success (2xx)")
	if word == "refusal" {
		class, expected = 4, phrase.Of("a refusal (4xx)")
	}
	for _, a := range all {
		conclude(s, a, statusVerdict(a, expected, a.Status()/100 == class))
	}
	return nil
}

// thenSomeStatus is "at least one response is 429".
func thenSomeStatus(ctx context.Context, word string) error {
	s := scenario.From(ctx)
	last, err := s.Last()
	if err != nil {
		return err
	}
	status, err := atoi(word)
	good := slices.ContainsFunc(s.Answers(), func(a *scenario.Answer) bool { return a.Status() == status })
	conclude(s, last, statusVerdict(last, phrase.Of("status {} in one of {}", phrase.Status(status), phrase.Count(len(s.Answers()), "response")), good))
	return err
}

func atoi(word string) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil {
		return 0, fmt.Errorf("%q is no number that could be counted to", word)
	}
	return n, nil
}

// goesOnWhere is "the scenario goes on where the response is an error".
func goesOnWhere(ctx context.Context, words string) error {
	a, err := scenario.From(ctx).Last()
	if err != nil {
		return err
	}
	class := a.Status() / 100
	if words == "a success" && class == 2 || words == "a refusal" && class == 4 || words == "an error" && class >= 4 || slices.Contains(strings.Split(words, " or "), strconv.Itoa(a.Status())) {
		return nil
	}
	return scenario.Excusef("%s answered %d, which is not %s", a.Exchange.Operation, a.Status(), words)
}

// thenNoServerError is "the response is no server error".
func thenNoServerError(ctx context.Context, _ string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err == nil {
		conclude(s, a, statusVerdict(a, phrase.Of("no server error (5xx)"), a.Status() < http.StatusInternalServerError))
	}
	return err
}
