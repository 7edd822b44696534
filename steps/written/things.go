package written

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/lifecycle"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// givenCreated is "a created "ticket" [called "mine"] [with {…}]".
func givenCreated(ctx context.Context, word, name, members string) error {
	s := scenario.From(ctx)
	op, err := creating(s, unquoted(word))
	if err != nil {
		return err
	}
	return create(ctx, s, op, name, members)
}

// givenSeveral is "3 created "tickets" [with {…}]". All are created concurrently, except for the first, which shows whether any can be,
// and for the last, which later steps mean by "it" and take for the newest.
func givenSeveral(ctx context.Context, number, word, members string) error {
	s := scenario.From(ctx)
	n, err := times(number)
	if err != nil {
		return err
	}
	op, err := creating(s, unquoted(word))
	if err != nil {
		return err
	}
	if n < 4 { // nothing is left to be concurrent
		return createInTurn(ctx, s, op, members, n)
	}
	if err := createInTurn(ctx, s, op, members, 1); err != nil {
		return err
	}
	if err := createTogether(ctx, s, op, members, n-2); err != nil {
		return err
	}
	return createInTurn(ctx, s, op, members, 1)
}

// createInTurn makes n resources, one after another.
func createInTurn(ctx context.Context, s *scenario.Scenario, op *spec.Operation, members string, n int) error {
	for range n {
		if err := create(ctx, s, op, "", members); err != nil {
			return err
		}
	}
	return nil
}

// crowded are the statuses of services that refuse what comes at the same time as something else.
var crowded = []int{http.StatusConflict, http.StatusLocked, http.StatusTooManyRequests, http.StatusServiceUnavailable}

// createTogether makes n resources concurrently, each with a name of its own.
func createTogether(ctx context.Context, s *scenario.Scenario, op *spec.Operation, members string, n int) error {
	calls, answers, errs := make([]call, n), make([]*scenario.Answer, n), make([]error, n)
	for i := range calls {
		var err error
		if calls[i], err = prepare(ctx, s, op, nil, withMembers(members)); err != nil {
			return err
		}
	}
	concurrently(n, s.Run.Client.Gate.Most(), func(i int) {
		answers[i], errs[i] = s.Ask(ctx, calls[i].request, calls[i].with, s.Pickle.Name)
	})
	for i, a := range answers {
		if errs[i] != nil {
			return errs[i]
		}
		a, err := found(ctx, s, calls[i], a)
		if err == nil && slices.Contains(crowded, a.Status()) {
			err = createInTurn(ctx, s, op, members, 1)
		} else if err == nil {
			err = took(s, a, "")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// givenCreatedBy is "what "openTicket" creates [called "mine"] [with {…}]".
func givenCreatedBy(ctx context.Context, name, called, members string) error {
	s := scenario.From(ctx)
	op, err := operation(s, name)
	if err != nil {
		return err
	}
	return create(ctx, s, op, called, members)
}

// creating returns the operation that creates what a word names.
func creating(s *scenario.Scenario, word string) (*spec.Operation, error) {
	all := scenario.Creating(s.Run, word)
	switch len(all) {
	case 0:
		return nil, fmt.Errorf("no operation is known to create a %q%s; name the operation: what \"OPERATION\" creates", word, meant(word, scenario.Created(s.Run)))
	case 1:
		return all[0], nil
	}
	var names []string
	for _, op := range all {
		names = append(names, op.ID)
	}
	return nil, fmt.Errorf("%s create a %q; say which: what %q creates", text.Enumerate(names, "and"), word, names[0])
}

// create makes a resource, which later steps mean by "it", by its name and by the word for one of its collection.
func create(ctx context.Context, s *scenario.Scenario, op *spec.Operation, name, members string) error {
	a, err := Call(ctx, s, op, nil, withMembers(members))
	if err != nil {
		return err
	}
	return took(s, a, name)
}

// withMembers returns the plan of a body with some members, or nil if there are none.
func withMembers(members string) *request.Plan {
	if members == "" {
		return nil
	}
	return &request.Plan{Extra: strings.TrimSuffix(strings.TrimPrefix(members, "{"), "}")}
}

// took keeps what a response says was created, and ends the scenario if that is nothing.
func took(s *scenario.Scenario, a *scenario.Answer, name string) error {
	s.SetAnswers(a)
	if why := unmade(a); why != "" {
		return scenario.Stopf("%s", why)
	}
	Note(s, a, name)
	return nil
}

// unmade returns why a response to an operation that creates says of nothing that the run created it, or "".
func unmade(a *scenario.Answer) string {
	op := a.Request.Operation
	switch {
	case a.Status()/100 != 2:
		return fmt.Sprintf("%s did not create what the scenario is about: status %d", op.ID, a.Status())
	case a.Made() == nil:
		return fmt.Sprintf("%s does not say what it created", op.ID)
	case !a.Made().Owned():
		return fmt.Sprintf("%s may have returned a resource that existed before", op.ID)
	}
	return ""
}

// Note keeps what a response says was created, for later steps, or why it created nothing.
func Note(s *scenario.Scenario, a *scenario.Answer, name string) {
	st := stateOf(s)
	if why := unmade(a); why != "" {
		if noun, creates := scenario.NounOf(s.Run, a.Request.Operation); creates {
			st.unmade[noun] = why
		}
		return
	}
	made := a.Made()
	noun := resource.Noun(*made.Slot)
	name = unquoted(name)
	if name == "" {
		name = noun
	}
	st.things = append(st.things, &thing{name: name, noun: noun, resource: made, created: a})
}

// Remember keeps a response that later ones to the same request are compared with.
func Remember(s *scenario.Scenario, a *scenario.Answer) {
	if a.Request == nil {
		return
	}
	st := stateOf(s)
	for _, t := range st.things {
		t.read = t.read || a.Status()/100 == 2 && a.Request.Operation.Method == http.MethodGet && t.names(*a.Request)
	}
	key := addressOf(a)
	if now := st.before[key+"\x00now"]; now != nil {
		st.before[key] = now
	}
	st.before[key+"\x00now"] = a
}

// addressOf tells requests apart by their operation and their address.
func addressOf(a *scenario.Answer) string {
	w, err := a.Request.Write("hallmark")
	if err != nil {
		return a.Request.Operation.ID
	}
	return a.Request.Operation.ID + "\x00" + w.Path + "?" + w.Query
}

// known returns what a step means, and what can be done with it.
func known(s *scenario.Scenario, name string) (*thing, resource.Life, error) {
	t := stateOf(s).thing(unquoted(name))
	if t == nil {
		if why := stateOf(s).whyUnmade(unquoted(name)); why != "" {
			return nil, resource.Life{}, scenario.Stopf("%s", why)
		}
		return nil, resource.Life{}, fmt.Errorf("nothing called %s was created before this step%s", text.Short(name), meant(unquoted(name), stateOf(s).names()))
	}
	life, ok := s.Run.Promises.Life(t.created.Request.Operation)
	if !ok {
		return t, life, scenario.Excusef("no operation is known to read what %s creates", t.created.Request.Operation.ID)
	}
	return t, life, nil
}

// about makes a request of an operation about what was created.
func about(ctx context.Context, s *scenario.Scenario, t *thing, op *spec.Operation, plan *request.Plan) (*scenario.Answer, error) {
	c, err := callAbout(ctx, s, t, op, plan)
	if err != nil {
		return nil, err
	}
	return askAbout(ctx, s, t, c)
}

// callAbout prepares what about sends.
func callAbout(ctx context.Context, s *scenario.Scenario, t *thing, op *spec.Operation, plan *request.Plan) (call, error) {
	if op == nil {
		return call{}, scenario.Excusef("the contract has no operation for that on what %s creates", t.created.Request.Operation.ID)
	}
	var args []Argument
	for name, value := range t.resource.Named(op) {
		args = append(args, Argument{name, value, true})
	}
	c, err := prepare(ctx, s, op, args, plan)
	c.keeps = plan == nil && stateOf(s).letsIn() // the arguments are those of the resource
	return c, err
}

// askAbout sends a request about what was created. What nobody finds is asked for again, for as long as a run waits for what was
// written; what was deleted, until it is gone.
func askAbout(ctx context.Context, s *scenario.Scenario, t *thing, c call) (*scenario.Answer, error) {
	gone := t.resource.Gone()
	t.awaited = !gone
	send := func() (*scenario.Answer, error) { return s.Ask(ctx, c.request, c.with, s.Pickle.Name) }
	if method := c.request.Operation.Method; method == http.MethodPost || gone && method != http.MethodGet {
		a, err := send()
		return promised(s, c, a, err)
	}
	a, err := lifecycle.Until(ctx, s, send, func(a *scenario.Answer) bool {
		missing := a.Status() == http.StatusNotFound || a.Status() == http.StatusGone
		return gone && a.Status()/100 != 2 || !gone && !missing
	})
	return promised(s, c, a, err)
}

// aboutThing returns what the scenario created and a request names at the end of its path; nil where it names nothing of it.
func aboutThing(s *scenario.Scenario, r request.Request) *thing {
	slots := resource.SlotsOf(r.Operation)
	if len(slots) == 0 || slots[len(slots)-1].Key != resource.Anonymous(r.Operation.Path) {
		return nil
	}
	for _, t := range slices.Backward(stateOf(s).things) {
		if t.resource.Slot.Key == slots[len(slots)-1].Key && t.resource.In(r).Equal(r) {
			return t
		}
	}
	return nil
}

// whenDone is "it is read", "it is deleted".
func whenDone(ctx context.Context, name, what, members string) error {
	s := scenario.From(ctx)
	t, life, err := known(s, name)
	if err != nil {
		return err
	}
	op, plan := life.Reader, (*request.Plan)(nil)
	switch what {
	case "deleted":
		op = life.Remover
	case "replaced with ":
		op, plan = life.Replacer, &request.Plan{Extra: strings.TrimSuffix(strings.TrimPrefix(members, "{"), "}")}
	case "changed with ":
		op, plan = life.Patcher, &request.Plan{Literal: &members}
	}
	a, err := about(ctx, s, t, op, plan)
	if err != nil {
		return err
	}
	Forget(s)
	Remember(s, a)
	s.SetAnswers(a)
	return nil
}

// thenReadable is "it can be read" and "it can no longer be read".
func thenReadable(ctx context.Context, name, word string) error {
	s := scenario.From(ctx)
	t, life, err := known(s, name)
	if err != nil {
		return err
	}
	return judgeReadable(ctx, s, t, life, word == "can be read")
}

func judgeReadable(ctx context.Context, s *scenario.Scenario, t *thing, life resource.Life, there bool) error {
	a, err := about(ctx, s, t, life.Reader, nil)
	if err != nil {
		return err
	}
	judgeRead(s, t, a, there)
	return nil
}

// judgeRead judges the response that reads what was created, which has to be there or not.
func judgeRead(s *scenario.Scenario, t *thing, a *scenario.Answer, there bool) {
	Remember(s, a)
	s.SetAnswers(a)
	v := statusVerdict(a, phrase.Of("a success, because it was created"), a.Status()/100 == 2)
	v.kind, v.exchanges = spec.KindLost, []int{t.created.Exchange.Seq}
	if !there {
		v.kind, v.expected, v.good = spec.KindUnexpected, phrase.Of("status 404 or 410"), a.Status() == http.StatusNotFound || a.Status() == http.StatusGone
	}
	conclude(s, a, v)
}

// thenListed is "it is listed", "it is listed at once" and "it is no longer listed".
func thenListed(ctx context.Context, name, word string) error {
	s := scenario.From(ctx)
	t, life, err := known(s, name)
	if err != nil {
		return err
	}
	return judgeListed(ctx, s, t, life, word, new(listing))
}

// listing is a list that was read.
type listing struct {
	request string
	items   []resource.Item
	answer  *scenario.Answer
}

// judgeListed judges that a list shows what was created, or no longer shows it. What the list that was read last showed is not looked for
// again.
func judgeListed(ctx context.Context, s *scenario.Scenario, t *thing, life resource.Life, word string, last *listing) error {
	there, patience := word != "is no longer listed", s.Run.Patience.Patient()
	if word == "is listed at once" {
		patience = s.Run.Patience.Settle
	}
	if life.Lister == nil {
		return scenario.Excusef("no operation is known to list what %s creates", t.created.Request.Operation.ID)
	}
	r, with, err := scenario.Addressed(ctx, s, life.Lister.Operation, t.resource.Named(life.Lister.Operation))
	if err != nil {
		return err
	}
	id := phrase.JSON(fmt.Sprint(t.resource.Identifier()))
	address := fmt.Sprint(life.Lister.Operation.ID, t.resource.Named(life.Lister.Operation))
	if there && last.answer != nil && last.request == address && t.isAmong(last.items) {
		conclude(s, last.answer, verdict{kind: spec.KindLost, expected: phrase.Of("{} in the list", id), good: true})
		return nil
	}
	var items []resource.Item
	ended := false
	listed := func() bool { return t.isAmong(items) }
	a, err := lifecycle.UntilWithin(ctx, patience, func() (a *scenario.Answer, err error) {
		items, a, ended, err = lifecycle.List(ctx, s, life, r, with)
		return a, err
	}, func(a *scenario.Answer) bool { return listed() == there || a.Status()/100 != 2 })
	if err != nil {
		return err
	}
	s.SetAnswers(a)
	*last = listing{address, items, a}
	switch {
	case a.Status()/100 != 2:
		return scenario.Stopf("%s shows no list: status %d", life.Lister.Operation.ID, a.Status())
	case there && !listed() && !ended:
		return scenario.Stopf("%s may have more pages than could be followed", life.Lister.Operation.ID)
	case there:
		conclude(s, a, verdict{kind: spec.KindLost, expected: phrase.Of("{} in the list", id), actual: phrase.Of("it is not among {}", phrase.Count(len(items), "item")), exchanges: []int{t.created.Exchange.Seq}, id: fmt.Sprint(t.resource.Identifier()), good: listed()})
	default:
		conclude(s, a, verdict{kind: spec.KindUnexpected, expected: phrase.Of("a list without {}", id), actual: phrase.Of("it is listed"), exchanges: []int{t.created.Exchange.Seq}, good: !listed()})
	}
	return nil
}

// isListed reports whether the list of its collection shows a resource.
func isListed(ctx context.Context, s *scenario.Scenario, t *thing, life resource.Life) (bool, error) {
	r, with, err := scenario.Addressed(ctx, s, life.Lister.Operation, t.resource.Named(life.Lister.Operation))
	if err != nil {
		return false, err
	}
	items, _, _, err := lifecycle.List(ctx, s, life, r, with)
	return t.isAmong(items), err
}

// isAmong reports whether one of the items of a list is the resource.
func (t *thing) isAmong(items []resource.Item) bool {
	return slices.ContainsFunc(items, func(i resource.Item) bool { return fmt.Sprint(i.Identifier) == fmt.Sprint(t.resource.Identifier()) })
}

// thenEach is "each of them can be read", "each of them is listed" and "each of them is listed at once": of what the responses say was created.
func thenEach(ctx context.Context, word string) error {
	s := scenario.From(ctx)
	answers := s.Answers()
	var read []reading
	last := new(listing)
	for _, a := range answers {
		if a.Made() == nil || a.Status()/100 != 2 {
			continue
		}
		life, ok := s.Run.Promises.Life(a.Request.Operation)
		if !ok {
			return scenario.Excusef("no operation is known to read what %s creates", a.Request.Operation.ID)
		}
		t := &thing{resource: a.Made(), created: a}
		if word == "can be read" {
			read = append(read, reading{t, life.Reader})
		} else if err := judgeListed(ctx, s, t, life, word, last); err != nil {
			return err
		}
	}
	responses, errs := readAll(ctx, s, read)
	for i, r := range read {
		if errs[i] != nil {
			return errs[i]
		}
		judgeRead(s, r.thing, responses[i], true)
	}
	s.SetAnswers(answers...)
	return nil
}

// thenNew is "each identifier is new": nothing else that the run created has it.
func thenNew(ctx context.Context) error {
	s := scenario.From(ctx)
	seen := map[string]int{}
	for _, a := range s.Answers() {
		made := a.Made()
		if made == nil || a.Status() != http.StatusCreated {
			continue
		}
		id := fmt.Sprint(made.Identifier())
		first, twice := seen[id]
		seen[id] = a.Exchange.Seq
		v := verdict{
			kind: spec.KindDuplicate, expected: phrase.Of("a unique identifier"), actual: phrase.Of("{}, which something else has", phrase.JSON(strconv.Quote(id))), id: id,
			good: !twice && !scenario.IsShared(s.Run, made),
		}
		if twice {
			v.exchanges = []int{first}
		}
		conclude(s, a, v)
	}
	return nil
}
