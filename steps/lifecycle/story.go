package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

// story is what a scenario does with a resource, so it can be replayed with another one.
type story struct {
	making *scenario.Making
	life   resource.Life
	moves  []move
	now    *instance
	// update is the request that changes the resource, if the story begins before that; turn counts the values that
	// were chosen.
	update *scenario.Making
	turn   int
}

// move is one step of a story.
type move func(ctx context.Context, s *scenario.Scenario, in *instance) error

// instance is one resource that a story was played with, and the responses in order.
type instance struct {
	story    *story
	asked    request.Request
	created  *scenario.Answer
	resource *scenario.Resource
	others   []*scenario.Answer
	reads    []*scenario.Answer
	deleted  []*scenario.Answer
	updates  []*scenario.Answer
	// acted is the response to an action on it.
	acted  *scenario.Answer
	listed []*scenario.Answer
	// items holds what these lists showed of it; nil entries mean nothing.
	items []map[string]any
	// place is the pointer at which the last list that showed it did so.
	place string
	// revisits holds the responses to conditional reads, and tag is the ETag of the last one.
	revisits []*scenario.Answer
	tag      string
	// lists holds whole lists that were searched for all created resources.
	lists []walk
	// concurrent is what was done with it concurrently.
	concurrent concurrent
	// done and removed report whether the work begun by a 202 to the creation, or to the deletion, is known to be
	// done.
	done, removed bool
	// shown reports whether the last list showed it, and list is that list, if it was searched for it.
	shown bool
	list  walk
	all   []int
	// trial reports whether it is changed only to learn what the service does with values.
	trial bool
	// turn is that of the story when it was created.
	turn int
	// near are the reads of similar identifiers.
	near []nearRead
	// text identifies a refused creation.
	text string
	// shared is the member that the request for another one has in common.
	shared string
}

// storyOf returns the story of a scenario. It begins one with the request being built.
func storyOf(s *scenario.Scenario) (*story, error) {
	if st, ok := s.Life.(*story); ok {
		return st, nil
	}
	m, err := s.Making()
	if err != nil {
		return nil, err
	}
	life, ok := s.Run.Promises.Life(m.Request.Operation)
	if !ok {
		life, ok = s.Run.Promises.Unread(m.Request.Operation)
	}
	if !ok {
		return nil, scenario.Excusef("no operation is known to read what %s creates", m.Request.Operation.ID)
	}
	st := &story{making: m, life: life}
	st.now = &instance{story: st}
	s.Life = st
	return st, nil
}

// perform makes a move, and records it for other instances.
func perform(ctx context.Context, s *scenario.Scenario, m move) error {
	st, err := storyOf(s)
	if err != nil {
		return err
	}
	st.moves = append(st.moves, m)
	return m(ctx, s, st.now)
}

// replay plays the story with another instance.
func (st *story) replay(ctx context.Context, s *scenario.Scenario) (*instance, error) {
	in := &instance{story: st}
	for _, m := range st.moves {
		if err := m(ctx, s, in); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// note records the number of an exchange.
func (in *instance) note(a *scenario.Answer) *scenario.Answer {
	if !slices.Contains(in.all, a.Exchange.Seq) {
		in.all = append(in.all, a.Exchange.Seq)
	}
	return a
}

// notePages records the exchanges of a list: it takes all pages to show that something is missing.
func (in *instance) notePages(w walk) {
	for _, p := range w.pages {
		in.note(p.answer)
	}
	in.note(w.last)
}

// sent returns the members that were sent, truncated like those of responses.
func (in *instance) sent() map[string]any { return sentBy(in.asked, in.story.life) }

func sentBy(r request.Request, life resource.Life) map[string]any {
	body, _, _ := r.Body()
	object, _ := truncatedCopy(body).(map[string]any)
	if len(object) == 1 {
		for name, inner := range object { // {"article": {…}}
			if within, ok := inner.(map[string]any); ok && life.Member(name) == nil {
				object = within
			}
		}
	}
	return object
}

// truncatedCopy returns a value with long texts truncated like those of responses.
func truncatedCopy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, one := range v {
			out[name] = truncatedCopy(one)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = truncatedCopy(one)
		}
		return out
	}
	return truncate.Value(v)
}

// creates implements "it creates a resource".
func creates(ctx context.Context, s *scenario.Scenario, in *instance) error {
	r, err := scenario.Creation(ctx, s, in.story.making)
	if err != nil {
		return err
	}
	r, a, err := s.AskForOne(ctx, r, in.story.making.Credential, s.Pickle.Name)
	if err != nil {
		return err
	}
	in.asked, in.created = *a.Request, in.note(a)
	s.SetAnswers(a)
	judgeStatus(s, r.Operation, a)
	if !a.Succeeded() {
		return scenario.Excusef("%s refuses it: %s", r.Operation.ID, scenario.Refusal(s.Run, a))
	}
	if in.done, err = s.Await(ctx, a); err != nil {
		return err
	}
	if in.resource = a.Made(); in.resource == nil {
		return scenario.Stopf("%s does not say what it created", r.Operation.ID)
	}
	if !nameable(s, in.resource) {
		return scenario.Excusef("the path of what %s creates does not allow the identifier that it shows", r.Operation.ID)
	}
	return nil
}

// nameable reports whether the path parameter of a resource allows its identifier, as returned or as text.
func nameable(s *scenario.Scenario, r *scenario.Resource) bool {
	schema := r.Slot.Parameter.Schema
	if schema == nil {
		return true
	}
	plain := fmt.Sprint(r.Identifier())
	values := []any{r.Identifier(), plain}
	if exactjson.IsNumber(plain) {
		values = append(values, json.Number(plain))
	}
	return slices.ContainsFunc(values, func(v any) bool { return s.Run.Promises.Valid(schema, v) })
}

// requireOwned ends the scenario if the resource may not be the run's own.
func requireOwned(in *instance) error {
	if in.resource == nil || !in.resource.Owned() {
		return scenario.Stopf("%s may have returned a resource that existed before", in.asked.Operation.ID)
	}
	return nil
}

// createsOther creates another resource.
func createsOther(ctx context.Context, s *scenario.Scenario, in *instance) error {
	r, err := scenario.Creation(ctx, s, in.story.making)
	if err != nil {
		return err
	}
	return createOther(ctx, s, in, r)
}

// createOther creates another resource with a request.
func createOther(ctx context.Context, s *scenario.Scenario, in *instance, r request.Request) error {
	_, a, err := s.AskForOne(ctx, r, in.story.making.Credential, s.Pickle.Name)
	if err != nil {
		return err
	}
	return in.tookOther(s, r.Operation, a)
}

// tookOther records the response to the creation of another resource. It ends the scenario if that was refused.
func (in *instance) tookOther(s *scenario.Scenario, op *spec.Operation, a *scenario.Answer) error {
	in.others = append(in.others, in.note(a))
	s.SetAnswers(a)
	judgeStatus(s, op, a)
	if !a.Succeeded() {
		return scenario.Excusef("%s refuses another one: %s", op.ID, scenario.Refusal(s.Run, a))
	}
	return nil
}

// looks returns the move that reads a created resource, or finds it in its list if no operation reads it.
func looks(life resource.Life) move {
	if life.Reader == nil {
		return looksForIt(life.Lister.Operation)
	}
	return reads(life.Reader)
}

// reads implements "<operation> reads it".
func reads(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		if len(in.deleted) == 0 && len(in.reads) == 0 && in.created.Status() != 201 {
			if err := requireOwned(in); err != nil {
				return err
			}
		}
		var a *scenario.Answer
		var err error
		if len(in.updates) > 0 {
			a, err = readsUpdated(ctx, s, in, op)
		} else {
			a, err = read(ctx, s, in, op, len(in.deleted) > 0)
		}
		if err != nil {
			return err
		}
		judgeStatus(s, op, a)
		in.reads = append(in.reads, in.note(a))
		s.SetAnswers(a)
		return nil
	}
}

// judgeStatus judges the status of a valid request of a story: it must not be a server error, and a success must
// be documented. The story judges the rest.
func judgeStatus(s *scenario.Scenario, op *spec.Operation, a *scenario.Answer) {
	judgeStatusOf(s, op, a, partsOfStory(s, a))
}

// judgeStatusOf is judgeStatus for a request that is about parts of the rules.
func judgeStatusOf(s *scenario.Scenario, op *spec.Operation, a *scenario.Answer, parts []string) {
	if !allowsBody(s, op, a.Request) {
		return
	}
	v := promise.Judge(op, a.Exchange.Response, promise.Allowed, promise.Available)
	for _, k := range v.Broken {
		f := spec.Finding{
			Rule: s.Run.Promises.Names.Rule(op.ID, k), Operation: op.ID, Kind: spec.KindStatus, Expected: phrase.Of("no server error (5xx)"),
			Actual: phrase.Of("status {}", phrase.Status(a.Status())), Status: a.Status(), Where: placeOf(s, a),
		}
		switch k {
		case promise.Available:
		case promise.Success:
			f.Expected = phrase.Of("status " + text.Enumerate(v.Wanted, "or"))
		default:
			continue
		}
		f.Cause = fmt.Sprintf("%s: status %d", f.Rule, a.Status())
		f.Parts = parts
		if a.Status() == http.StatusUnauthorized && a.Credential.Right {
			f.Parts = append(slices.Clip(parts), promise.PartRight)
		}
		s.Find(a.Exchange, f)
	}
}

// partsOfStory returns what a request of a story is about: it is a plain one, but for what the scenario changes.
func partsOfStory(s *scenario.Scenario, a *scenario.Answer) []string {
	m, err := s.Making()
	if err != nil || m.Plain.Answer == nil || a.Request == nil || m.Request.Operation != a.Request.Operation || m.Request.Equal(m.Plain.Request) {
		return promise.PartsOfRequest(promise.Keeps, nil, a.Request)
	}
	return promise.PartsOfRequest(promise.Allowed, &m.Plain.Request, &m.Request)
}

// judgeConcurrentStatus judges the status of a concurrent request of a story. A 500 says that the service failed;
// other server errors may mean that it, or its proxy, is overloaded.
func judgeConcurrentStatus(s *scenario.Scenario, a *scenario.Answer) {
	if a.Status() == http.StatusInternalServerError {
		judgeStatus(s, a.Request.Operation, a)
	}
}

// allowsBody reports whether the schema of an operation allows the body of a request, if both are known. The
// schemas of members do not say which values may be combined.
func allowsBody(s *scenario.Scenario, op *spec.Operation, r *request.Request) bool {
	if r == nil || op.Body == nil || op.Body.Schema() == nil {
		return true
	}
	body, media, known := r.Body()
	if !known {
		return media == "" // nobody knows what bytes are to a service
	}
	return s.Run.Promises.Valid(op.Body.Schema(), body)
}

// read repeats a read until a resource exists or, after its deletion, is gone; at most for the patience of the
// run.
func read(ctx context.Context, s *scenario.Scenario, in *instance, op *spec.Operation, gone bool) (*scenario.Answer, error) {
	plain, with, err := requestAbout(ctx, s, in, op)
	if err != nil {
		return nil, err
	}
	return Until(ctx, s, func() (*scenario.Answer, error) { return s.Ask(ctx, plain, with, s.Pickle.Name) }, func(a *scenario.Answer) bool {
		missing := a.Status() == 404 || a.Status() == 410
		return gone && a.Status()/100 != 2 || !gone && !missing
	})
}

// Until calls ask until done reports true for the response, or the patience of the run ends.
func Until(ctx context.Context, s *scenario.Scenario, ask func() (*scenario.Answer, error), done func(*scenario.Answer) bool) (*scenario.Answer, error) {
	return UntilWithin(ctx, s.Run.Patience.Patient(), ask, done)
}

// UntilWithin is [Until] with its own patience. It calls ask at least once.
func UntilWithin(ctx context.Context, patience time.Duration, ask func() (*scenario.Answer, error), done func(*scenario.Answer) bool) (*scenario.Answer, error) {
	for next := newPacer(patience); ; {
		a, err := ask()
		if err != nil || done(a) {
			return a, err
		}
		if more, err := next.wait(ctx); !more {
			return a, err
		}
	}
}

// deletes implements "<operation> deletes it".
func deletes(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		if err := requireOwned(in); err != nil {
			return err
		}
		r, with, err := requestAbout(ctx, s, in, op)
		if err != nil {
			return err
		}
		if len(in.deleted) > 0 { // another resource may have its identifier by now, and must not be deleted
			alone, release, err := s.Alone(ctx)
			if err != nil {
				return err
			}
			defer release()
			ctx = alone
			if other := scenario.GivenAgain(s.Run, in.resource); other != nil && !other.Gone() {
				in.deleted = nil // replace it by another resource and its deletion, while nothing else is sent
				for _, m := range []move{creates, deletes(op)} {
					if err := m(ctx, s, in); err != nil {
						return err
					}
				}
				if r, with, err = requestAbout(ctx, s, in, op); err != nil {
					return err
				}
			}
		}
		a, err := s.Ask(ctx, r, with, s.Pickle.Name)
		if err != nil {
			return err
		}
		in.deleted = append(in.deleted, in.note(a))
		s.SetAnswers(a)
		judgeStatus(s, op, a)
		if len(in.deleted) == 1 && !a.Succeeded() {
			return scenario.Stopf("%s does not delete it: status %d", op.ID, a.Status())
		}
		if len(in.deleted) == 1 {
			in.removed, err = s.Await(ctx, a)
		}
		return err
	}
}

// givenAgain reports whether what is shown under the identifier of a deleted resource is another resource: it
// holds another name that the run made up, or another creation returned that identifier.
func (in *instance) givenAgain(s *scenario.Scenario, shown map[string]any) bool {
	for name, was := range in.sent() {
		text, isText := was.(string)
		other, there := shown[name].(string)
		if isText && there && scenario.MadeUp(s.Run, text) && scenario.MadeUp(s.Run, other) {
			return text != other
		}
	}
	return scenario.GivenAgain(s.Run, in.resource) != nil
}

// requestAbout returns a request of an operation about the resource, and its credential.
func requestAbout(ctx context.Context, s *scenario.Scenario, in *instance, op *spec.Operation) (r request.Request, with credential, err error) {
	if reason, gone := s.Run.Removed[op.ID]; gone {
		return r, with, scenario.Excusef("%s", reason)
	}
	all, err := s.Run.Promises.Requests(op)
	if err != nil {
		return r, with, scenario.Stopf("%v", err)
	}
	if with, err = s.Entitled(ctx, op); err != nil {
		return r, with, scenario.Stopf("%v", err)
	}
	return in.resource.In(fewestParameters(all)), with, nil
}

// fewestParameters returns the request with the fewest parameters, without optional query parameters, which may
// narrow what is shown.
func fewestParameters(all []request.Request) request.Request {
	r := all[0]
	for _, one := range all[1:] {
		if len(one.Given()) < len(r.Given()) {
			r = one
		}
	}
	for _, p := range r.Operation.Parameters {
		if p.In == "query" && !p.Required {
			r = r.Without(request.PlaceOf(p))
		}
	}
	return r
}

// operation returns an operation of the contract by its id.
func operation(s *scenario.Scenario, name string) (*spec.Operation, error) {
	op, ok := s.Run.Contract.Operation(name)
	if !ok {
		return nil, fmt.Errorf("the contract has no operation %q", name)
	}
	return op, nil
}

// endsScenario reports whether an error ends a scenario rather than the run.
func endsScenario(err error) bool { return errors.As(err, new(scenario.Stop)) }

// firstMember returns the first member in a pointer.
func firstMember(pointer string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	return jsonpointer.Tokens("/" + name)[0]
}
