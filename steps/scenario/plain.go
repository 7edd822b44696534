package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/spec/promise"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/spec/wire"
	"hallmark/steps/check"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/credentials/scheme"
)

// Plain is a request to an operation that keeps the contract and succeeded in this run, and its response.
type Plain struct {
	Request request.Request
	// Answer is what it was answered with, mostly without the value of its body: see [Answer.Whole].
	Answer *Answer
	// Replaced are the places in its body that hold identifiers of the run, in the place of what the document has there.
	Replaced []Replaced
	// Named are the parameters of its path whose values are known to exist: the run created or read them, or they are given.
	Named []request.Place
}

// Names reports whether the value of a parameter of the path is known to exist, rather than made up or an example of the document.
func (p Plain) Names(place request.Place) bool { return slices.Contains(p.Named, place) }

// plains are the plain requests of a run, by operation. Each is looked for once, by the scenario that needs it first.
type plains struct {
	mu sync.Mutex
	by map[string]*plain
}

// plain is one of them, or why there is none.
type plain struct {
	mu    sync.Mutex // held while somebody looks
	known bool
	found Plain
	none  string
	// once reports whether it succeeds once only for what it is about, so that each scenario needs a resource of its own.
	once bool
	// renamed reports whether it succeeded with names that were not there yet, and with none before.
	renamed bool
}

func (p *plains) of(operation string) *plain {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.by == nil {
		p.by = map[string]*plain{}
	}
	if p.by[operation] == nil {
		p.by[operation] = &plain{}
	}
	return p.by[operation]
}

// Plain returns a plain request to an operation that succeeded. Where none does it ends the scenario: nothing is concluded from an
// operation that was never seen to succeed. What a request removes, or changes for good, is made anew for each scenario: then the
// request is about another resource than the one that succeeded.
func (s *Scenario) Plain(ctx context.Context, op *spec.Operation) (Plain, error) {
	p := s.Run.plains.of(op.ID)
	if err := s.lookOnce(ctx, op, p); err != nil {
		return Plain{}, err
	}
	if p.none != "" {
		return Plain{}, Stopf("%s", p.none)
	}
	found := p.found
	if p.once {
		b, err := s.another(ctx, op)
		// An identifier that belongs to nothing takes the place of what is gone already.
		if s.isAbout(promise.NotFound) && errors.As(err, new(Stop)) {
			err = nil
		}
		if err != nil {
			return Plain{}, err
		}
		found.Request = b.apply(found.Request)
	}
	if _, _, creates := s.Run.resources.of.Creates(op); creates || p.renamed {
		found.Request = Renamed(s, found.Request)
	} else {
		found.Request = Rekeyed(s, found.Request)
	}
	found.Request = renewed(s.Run, found.Request)
	return found, nil
}

// another binds what an operation that succeeds once only is asked about to a resource that it was not asked about yet.
func (s *Scenario) another(ctx context.Context, op *spec.Operation) (bindings, error) {
	b, missing, err := s.bind(ctx, op, true, func(slot resource.Slot) (*Resource, string, error) { return s.Run.resources.lend(ctx, s, op, slot) })
	if err == nil && missing != "" {
		err = Stopf("%s succeeded, and cannot be asked for again: %s", op.ID, missing)
	}
	return b, err
}

// mayEnd reports whether a success of an operation may be the last one about what it names, as that of a cancellation is.
func (s *Scenario) mayEnd(op *spec.Operation) bool {
	_, _, creates := s.Run.resources.of.Creates(op)
	return op.Method == http.MethodPost && changesOthers(s.Run.resources.of, op) && !creates
}

func (s *Scenario) lookOnce(ctx context.Context, op *spec.Operation, p *plain) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known {
		return nil
	}
	return s.look(ctx, op, p)
}

// look tries the plain requests of an operation one after the other.
func (s *Scenario) look(ctx context.Context, op *spec.Operation, p *plain) (err error) {
	candidates, with, b, err := s.prepare(ctx, op)
	if stop, is := errors.AsType[Stop](err); is {
		p.known, p.none = true, stop.Reason
		return nil
	}
	if err != nil {
		return err
	}
	defer func() {
		if slot, _, creates := s.Run.resources.of.Creates(op); err == nil && p.known && p.none == "" && creates && s.Run.resources.of.Remover(*slot) != nil {
			if _, _, err = s.shared(ctx, *slot, true); errors.As(err, new(Stop)) { // whether it can be deleted shows before more are created
				err = nil
			}
		}
	}()
	last, unstated, err := s.try(ctx, p, candidates, with, b)
	if err == nil && !p.known && op.Method == http.MethodGet && last != nil && last.Status() == http.StatusNotFound {
		if after, ok := s.put(ctx, op); ok {
			after.named, after.missing = b.named, b.missing
			last, unstated, err = s.try(ctx, p, candidates, with, after)
		}
	}
	if err == nil && !p.known && last != nil && slices.Contains([]int{http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity}, last.Status()) {
		// The names that it brings may be there already.
		if all, fresh := freshFirst(s, candidates); len(all) > len(candidates) {
			last, unstated, err = s.try(ctx, p, all[:fresh], with, b)
			p.renamed = p.known
		}
	}
	if err != nil || p.known {
		return err
	}
	p.known, p.none = true, fmt.Sprintf("%s was never seen to succeed: %s", op.ID, quoteAnswer(last))
	for _, why := range []string{unstated, weakly(last), b.missing} {
		if why != "" {
			p.none += "; " + why
		}
	}
	return nil
}

// put returns where an operation reads what a PUT to the same path has put there, as an image of a resource; false where none has.
func (s *Scenario) put(ctx context.Context, op *spec.Operation) (bindings, bool) {
	operations := s.Run.Contract.Operations()
	i := slices.IndexFunc(operations, func(o spec.Operation) bool { return o.Method == http.MethodPut && o.Path == op.Path })
	if i < 0 {
		return bindings{}, false
	}
	plain, err := s.Plain(ctx, &operations[i])
	if err != nil {
		return bindings{}, false
	}
	b := bindings{values: map[request.Place]any{}}
	for _, slot := range resource.SlotsOf(op) {
		place := request.PlaceOf(slot.Parameter)
		if value, ok := plain.Request.Value(place); ok {
			b.values[place] = value
		}
	}
	return b, true
}

// try makes plain requests until one succeeds, which p then knows. It returns the last response, and why a request could not name the
// state that it needs; empty where all could.
func (s *Scenario) try(ctx context.Context, p *plain, candidates []request.Request, with credentials.Credential, b bindings) (last *Answer, unstated string, err error) {
	for _, plain := range candidates {
		op := plain.Operation
		r, a, err := s.AskForOne(forMany(ctx), Secured(s.Run, b.apply(plain)), with, "a plain request")
		if why, is := isStateless(err); is {
			unstated = why
			continue
		}
		if err != nil {
			return last, unstated, err
		}
		last = a
		if !a.Succeeded() {
			continue
		}
		p.known, p.found, p.once = true, Plain{r, a.Light(), append(replacements(plain, r), givenIn(s.Run.Promises, op)...), slices.Collect(maps.Keys(b.values))}, op.Method == http.MethodDelete
		s.Run.resources.keep(op, a)
		if s.mayEnd(op) {
			again, err := s.Ask(ctx, r, with, "to see whether it succeeds twice")
			if err != nil {
				return last, unstated, err
			}
			p.once = !again.Succeeded()
		}
		return last, unstated, nil
	}
	return last, unstated, nil
}

// weakly says that a request was refused with a weak ETag that it sent as it came; empty where it was not.
func weakly(a *Answer) string {
	if a == nil || a.Status() != http.StatusPreconditionFailed || !strings.HasPrefix(a.Exchange.Request.Header.Get(resource.IfMatch), "W/") {
		return ""
	}
	return "the ETag that it shows is weak, and no weak one matches in If-Match (RFC 9110, section 13.1.1)"
}

// prepare returns the plain requests of an operation, what they name, and the credential that they carry. It ends the scenario where
// no request may or can be made.
func (s *Scenario) prepare(ctx context.Context, op *spec.Operation) (all []request.Request, with credentials.Credential, b bindings, err error) {
	if err := s.Run.permit(op); err != nil {
		return nil, with, b, err
	}
	if all, err = s.Run.Promises.Requests(op); err != nil {
		return nil, with, b, Stopf("%v", err)
	}
	if with, err = s.Entitled(ctx, op); err != nil {
		return nil, with, b, Stopf("%v", err)
	}
	b, none, err := s.bind(ctx, op, changesOthers(s.Run.resources.of, op), s.changeable(ctx, op))
	if err != nil {
		return nil, with, b, err
	}
	if none != "" {
		return nil, with, b, Stopf("%s is not called: it may change or remove only what this run created, and that failed: %s", op.ID, none)
	}
	if unnamed(s.Run.resources.of, op) && !slices.Contains(s.Run.Target.Allowed, op.ID) {
		if ok, why := s.Run.resources.namesOwn(b.apply(all[0])); !ok {
			return nil, with, b, Stopf("%s is not called: it may change or remove what this run did not create: %s; --allow %s calls it all the same", op.ID, why, text.ShellQuote(op.ID))
		}
	}
	if _, _, creates := s.Run.resources.of.Creates(op); creates {
		if !s.Budget.Room(1) {
			s.Budget.CutShort()
			return nil, with, b, Stopf("%s", s.Run.noMore())
		}
		all, _ = freshFirst(s, all)
	}
	return all, with, b, nil
}

// unnamed reports whether an operation may change something that is there already, and its path does not say what.
func unnamed(from *resource.Map, op *spec.Operation) bool {
	return changesOthers(from, op) && !resource.NamesOne(op)
}

// changeable returns what finds the resource that an operation changes; nil where it changes none.
func (s *Scenario) changeable(ctx context.Context, op *spec.Operation) func(resource.Slot) (*Resource, string, error) {
	if !changesOthers(s.Run.resources.of, op) {
		return nil
	}
	if _, p, creates := s.Run.resources.of.Creates(op); creates {
		return s.chosenValue(p) // the shared one is only what it is below
	}
	return func(slot resource.Slot) (*Resource, string, error) {
		if op.Method == http.MethodDelete {
			return s.toDelete(ctx, slot)
		}
		return s.owned(ctx, op, slot)
	}
}

// changesOthers reports whether a request to an operation may change something that is there already. What is read is left as it
// is, and what is created is the run's own.
func changesOthers(from *resource.Map, op *spec.Operation) bool {
	if op.Method == http.MethodPost {
		return strings.Contains(op.Path, "{") || from.Change(op) != ""
	}
	return !reads(op)
}

// NeverCalled returns why no run calls an operation, whatever the service is like; empty for one that a run may call. held reports
// whether it is held back for the harm that it may do, so that --allow with its name calls it.
// base is the base URL of the run; without one the server of the document counts.
func NeverCalled(op *spec.Operation, promises *promise.Promises, from *resource.Map, base string, allowed []string) (why string, held bool) {
	if danger, is := from.Danger(op); is && !slices.Contains(allowed, op.ID) {
		return danger.String(), true
	}
	if address := promises.Elsewhere(op, base); address != "" {
		return servedBy(address), false
	}
	if _, err := promises.Requests(op); err != nil {
		if impossible, ok := errors.AsType[*promise.Impossible](err); ok {
			return impossible.What + " takes no value that could be found and written", false
		}
		return err.Error(), false
	}
	if !changesOthers(from, op) {
		return "", false
	}
	slots := resource.SlotsOf(op)
	if !resource.NamesOne(op) {
		if slices.Contains(allowed, op.ID) {
			return "", false
		}
		named := slices.DeleteFunc(slices.Clone(from.References(op)), func(r resource.Reference) bool { return !r.Required })
		if len(named) == 0 || !slices.ContainsFunc(named, func(r resource.Reference) bool { return creatable(promises, from, r.Slot, allowed) }) {
			why = "it may change or remove what the run did not create, and nothing in its requests names what a run could create"
			if word := from.Change(op); word != "" {
				why += " (" + word + ")"
			}
			return why, true
		}
		return "", false
	}
	_, _, creates := from.Creates(op)
	for i, slot := range slots {
		last := i == len(slots)-1
		if _, given := givenFor(promises, from, op, slot, last, true); given {
			continue
		}
		if !resource.Fixed(slot.Parameter) && (!creates || !last) && !creatable(promises, from, slot, allowed) && (last || !isScope(from, slot)) {
			return "it may change or remove only what the run created, and no operation that a run calls is known to create what " + slot.Key + " names", false
		}
	}
	return "", false
}

// creatable reports whether operations are known that create what a slot names, and what their own paths name. Of those that may do
// harm only the allowed ones count. above are the slots for which that is asked.
func creatable(promises *promise.Promises, from *resource.Map, slot resource.Slot, allowed []string, above ...string) bool {
	if slices.Contains(above, slot.Key) {
		return false
	}
	above = append(slices.Clip(above), slot.Key)
	return slices.ContainsFunc(from.Creators(slot), func(p resource.Producer) bool {
		return forbidden(from, p.Operation, allowed) == "" && !slices.ContainsFunc(resource.SlotsOf(p.Operation), func(before resource.Slot) bool {
			chosen := p.Way == resource.Chosen && before.Key == slot.Key
			_, given := givenFor(promises, from, p.Operation, before, false, true)
			return !given && !resource.Fixed(before.Parameter) && !chosen && !creatable(promises, from, before, allowed, above...) && !isScope(from, before)
		})
	})
}

// PlainRequest returns the likeliest plain request of an operation, and the credential that it carries. It ends the scenario
// where none may or can be made. Of an operation that succeeds once only for what it names it is about something else than what the
// search for a plain request used up, and leaves to that search what it needs.
func (s *Scenario) PlainRequest(ctx context.Context, op *spec.Operation) (request.Request, credentials.Credential, error) {
	p := s.Run.plains.of(op.ID)
	if s.mayEnd(op) {
		if err := s.lookOnce(ctx, op, p); err != nil {
			return request.Request{}, credentials.Credential{}, err
		}
	}
	all, with, b, err := s.prepare(ctx, op)
	if err != nil {
		return request.Request{}, with, err
	}
	if s.mayEnd(op) && p.none == "" && p.once {
		if b, err = s.another(ctx, op); err != nil {
			return request.Request{}, with, err
		}
	}
	return Secured(s.Run, b.apply(all[0])), with, nil
}

// unbound returns the likeliest plain request of an operation as the contract alone has it.
func (c *Caller) unbound(ctx context.Context, op *spec.Operation) (request.Request, credentials.Credential, error) {
	if changesOthers(c.run.resources.of, op) {
		return request.Request{}, credentials.Credential{}, Stopf("%s is not called: it may change or remove what this run did not create", op.ID)
	}
	if err := c.run.permit(op); err != nil {
		return request.Request{}, credentials.Credential{}, err
	}
	all, err := c.run.Promises.Requests(op)
	if err != nil {
		return request.Request{}, credentials.Credential{}, Stopf("%v", err)
	}
	with, err := c.Entitled(ctx, op)
	if err != nil {
		return request.Request{}, with, Stopf("%v", err)
	}
	return all[0], with, nil
}

// Entitled returns the credential by which an operation lets the run in.
func (c *Caller) Entitled(ctx context.Context, op *spec.Operation) (credentials.Credential, error) {
	if c.run.Target.Keyring == nil {
		return credentials.Right(c.run.Target.Key), nil
	}
	with, err := c.run.Target.Keyring.For(ctx, op, c.run.Target.Role)
	return with.Carried(), err
}

// Wrong returns a credential that an operation must not let in, by its words.
func (c *Caller) Wrong(ctx context.Context, op *spec.Operation, words string) (credentials.Credential, error) {
	if c.run.Target.Keyring == nil {
		return credentials.Make(words, c.run.Target.Key)
	}
	with, err := c.run.Target.Keyring.Make(ctx, op, c.run.Target.Role, words)
	if no, ok := errors.AsType[scheme.Impossible](err); ok {
		return credentials.Credential{}, credentials.Impossible{Reason: no.Reason}
	}
	return with.Carried(), err
}

// quoteAnswer says what came of a request, with the beginning of the body.
func quoteAnswer(a *Answer) string {
	if a == nil {
		return "no request to it could be made"
	}
	text := "the last response was " + strconv.Itoa(a.Status()) + " to " + a.Exchange.Request.Method + " " + check.Path(a.Exchange)
	if body := strings.Join(strings.Fields(string(a.Exchange.Response.Body)), " "); body != "" {
		text += ": " + phrase.Text(body).String()
	}
	return text
}

// Ask makes a request of an operation.
func (c *Caller) Ask(ctx context.Context, r request.Request, with credentials.Credential, purpose string) (*Answer, error) {
	if err := c.run.permit(r.Operation); err != nil {
		return nil, err
	}
	if c.run.resources != nil && unnamed(c.run.resources.of, r.Operation) && !slices.Contains(c.run.Target.Allowed, r.Operation.ID) {
		if ok, why := c.run.resources.namesOwn(r); !ok {
			return nil, Excusef("the request is not sent: it may change or remove what this run did not create: %s", why)
		}
	}
	if c.run.resources != nil {
		r = Secured(c.run, renewed(c.run, r))
	}
	if err := c.run.refuseRights(r); err != nil {
		return nil, err
	}
	if err := c.remember(ctx, r); err != nil {
		return nil, err
	}
	stated, err := conditioned(ctx, c, r, c.toName)
	if err != nil {
		return nil, err
	}
	w, err := stated.Write(boundary)
	if err != nil {
		return nil, Stopf("the request to %s cannot be written: %v", r.Operation.ID, err)
	}
	return c.askInRoom(ctx, r.Operation, func() (*Answer, error) {
		return c.send(ctx, &client.Call{
			Operation: r.Operation.ID, About: purpose, Method: w.Method, Path: w.Path, Query: w.Query, Header: w.Header, Cookie: w.Cookie,
			Accept: cmp.Or(r.Accept, accepted(r.Operation)), Body: w.Body, MediaType: w.MediaType,
			Streams: Streams(r.Operation) || r.Accept != "" && isStream(r.Accept),
		}, with, nil, &r)
	})
}

// toName reads what a request is about that has to name its state.
func (c *Caller) toName(ctx context.Context, r request.Request, with credentials.Credential) (*spec.Response, error) {
	a, err := c.Ask(ctx, r, with, "to learn the state that another request has to name")
	if err != nil {
		return nil, err
	}
	return a.Exchange.Response, nil
}

// askPlain makes the likeliest of the plain requests of an operation.
func (c *Caller) askPlain(ctx context.Context, op spec.Operation, with credentials.Credential, about string) (*Answer, error) {
	documented, _ := c.run.Contract.Operation(op.ID)
	r, right, err := c.unbound(ctx, documented)
	if err != nil {
		return nil, err
	}
	if with.Right || documented.Anonymous() {
		with = right
	} else if with, err = c.Wrong(ctx, documented, "missing"); err != nil {
		return nil, Stopf("%v", err)
	}
	return c.Ask(ctx, r, with, about)
}

// boundary divides the parts of multipart bodies: always the same, so that a run can be repeated.
const boundary = "hallmark-5f3e9c1b7a"

// accepted lists the media types that an operation documents; anything where it documents none.
func accepted(op *spec.Operation) string {
	var all []string
	for i := range op.Answers {
		for _, t := range op.Answers[i].MediaTypes() {
			t = strings.ToLower(t)
			if t != "*/*" && !strings.Contains(strings.Join(all, ", "), t) {
				all = append(all, t)
			}
		}
	}
	return strings.Join(append(all, "*/*;q=0.1"), ", ")
}

// isStream reports whether content of a media type is a stream of items.
func isStream(media string) bool {
	kind := wire.KindOf(media)
	return kind == wire.KindEvents || kind == wire.KindLines || kind == wire.KindSequence
}

// Streams reports whether all content that an operation documents for successes is a stream of items, which may have no end.
func Streams(op *spec.Operation) bool {
	found := false
	for i := range op.Answers {
		for _, t := range op.Answers[i].MediaTypes() {
			switch is := isStream(t); {
			case op.Answers[i].Class() != 2:
			case !is:
				return false
			default:
				found = true
			}
		}
	}
	return found
}

// forbidden says why a run does not call an operation that may harm; empty where it may.
func forbidden(from *resource.Map, op *spec.Operation, allowed []string) string {
	danger, is := from.Danger(op)
	if !is || slices.Contains(allowed, op.ID) {
		return ""
	}
	return danger.String() + "; --allow " + text.ShellQuote(op.ID) + " calls it"
}

// servedBy says that an operation is on another host.
func servedBy(address string) string {
	return "the document serves it at " + address + ", which is another host"
}

// permit returns a [Stop] where an operation may do harm and nobody allowed it.
func (r *Run) permit(op *spec.Operation) error {
	if r.resources == nil {
		return nil
	}
	if address := r.elsewhere[op.ID]; address != "" {
		return Stopf("%s is not called: %s", op.ID, servedBy(address))
	}
	if why := forbidden(r.resources.of, op, r.Target.Allowed); why != "" {
		return Stopf("%s is not called: %s", op.ID, why)
	}
	return nil
}

// Permit ends a scenario that would send a request to the path of an operation which may do harm and nobody allowed.
func Permit(s *Scenario, op *spec.Operation) error { return s.Run.permit(op) }

// Danger returns what an operation may do that a run does not risk by itself; false for nothing.
func (r *Run) Danger(op *spec.Operation) (resource.Danger, bool) {
	if r.resources == nil {
		return resource.Danger{}, false
	}
	return r.resources.of.Danger(op)
}
