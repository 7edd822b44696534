package steps

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/budget"
	"hallmark/steps/check"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/petstore"
	"hallmark/steps/suite"
	"hallmark/steps/truncate"
)

// scenario is the state of one scenario while it runs. It travels in the context.
type scenario struct {
	run    *run
	pickle *suite.Scenario
	// rule is the one that the scenario is about: the first that its tags name.
	rule spec.Rule

	started time.Time
	steps   []record.Step
	// before is what is left of the times that it was played before, and lost on the way; nil for none.
	before *attempts

	// What the Given steps prepared for the next call.
	credential credentials.Credential
	body       *generate.Plan

	// answers are those of the last When step, in order; earlier those that Given steps asked for, by operation.
	answers []*answer
	earlier map[string]*answer
	// own is an animal of this run that a Given step chose, sentID an id that a body holds.
	own    *petstore.Creation
	sentID string
	// linkedFrom is the exchange from whose response the last arguments were taken; 0 for none.
	linkedFrom int
	// watch is what the lists showed before and after creations that must be refused.
	watch *watch
	// asked are the doubts that answers belong to, in their order.
	asked []doubt
	// reread are the animals of the run that were read once more.
	reread []rereading

	mu           sync.Mutex // guards what follows, which concurrent exchanges add to
	exchanges    []*spec.Exchange
	findings     []spec.Finding
	observations []spec.Observation
	exercised    []string
	// origins are the exchanges that what a request names came from, by the request's number, where it does not name it word
	// for word.
	origins map[int]int
	// told is how many serious findings the steps so far have told.
	told int
	// bodies is how much of the run's room for bodies the scenario takes, in bytes.
	bodies  int64
	skipped string
	// excused reports whether nothing was left unasked by skipping it.
	excused bool
	// lost says how the last lost exchange was lost, losses counts those that no part was played again for.
	lost   string
	losses int
	// silent reports whether the last one got no response in time.
	silent  bool
	failure string
	// repeats is set when the scenario was played before: what it creates comes from the share of repetitions. With spare it
	// comes from no share. cutShort is set when it created fewer animals than it was to.
	repeats, spare, cutShort bool
}

// share names the part of the budget that the scenario draws from.
func (s *scenario) share() string {
	switch {
	case s.spare:
		return ""
	case s.repeats:
		return budget.Confirming
	}
	return s.id()
}

// answer is an exchange, its decoded body, and what was sent.
type answer struct {
	ex    *spec.Exchange
	value exactjson.Value
	// items is how many items the response's list had, of which value may hold fewer.
	items int
	// sent is nil for requests without a body that was planned.
	sent *generate.SentBody
	// path are the path parameters that were sent, by name.
	path map[string]string
	// right reports whether the right credential was sent.
	right bool
	// What it was made of, to send it again.
	args       arguments
	plan       *generate.Plan
	credential credentials.Credential
	// certain reports whether the path parameters named something that this run had created when the request was sent; what
	// others created may be gone, and what is created later was not there yet.
	certain bool
	// words name the credential where a step sends many.
	words string
}

// status is the HTTP status; 0 when no response came.
func (a *answer) status() int {
	if a.ex.Response == nil {
		return 0
	}
	return a.ex.Response.Status
}

type scenarioKey struct{}

func from(ctx context.Context) *scenario {
	s, _ := ctx.Value(scenarioKey{}).(*scenario)
	return s
}

// stop ends a scenario early: not as a failure, but with a reason.
type stop struct {
	reason string
	// excused reports whether nothing was left unasked by it.
	excused bool
}

func (s stop) Error() string { return s.reason }

// stopf ends a scenario that could not be asked to its end here: its rules are judged in part at most.
func stopf(format string, args ...any) error { return stop{reason: fmt.Sprintf(format, args...)} }

// excusef ends a scenario whose case does not exist for this target, so that its rules lack nothing.
func excusef(format string, args ...any) error {
	return stop{reason: fmt.Sprintf(format, args...), excused: true}
}

// errLost ends a scenario whose connection was lost.
var errLost = fmt.Errorf("the connection was lost")

// errUnreadable ends a scenario whose response was none by HTTP.
var errUnreadable = fmt.Errorf("the response cannot be read")

// id is the scenario's id.
func (s *scenario) id() string {
	if s.pickle.URI == "" {
		return preflightID
	}
	return s.pickle.ID()
}

// longestTold is how long a text of a finding may be, in characters: a response may hold a name that fills a book.
const longestTold = 1000

// tellable is a text that is short enough to be told. What is cut away first loses its secrets, which cannot be known by half.
func (r *run) tellable(text string) string {
	if len(text) <= longestTold {
		return text
	}
	return truncate.Middle(r.client.Redactor.Text(text), longestTold)
}

// Whether a rule was exercised follows from the results of judgements alone: kept, find and observe count one each. A check
// that cannot tell calls none of them.

// kept counts, for each of the rules, that a response which could have broken it kept it. It takes no back: it is called once
// the result is known.
func (s *scenario) kept(rules ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.exercised = append(s.exercised, rules...)
}

// find adds findings, and counts that their rules were judged. A finding without exchanges is about the given one.
func (s *scenario) find(ex *spec.Exchange, findings ...spec.Finding) {
	for _, f := range findings {
		s.kept(f.Rule)
	}
	s.report(ex, findings...)
}

// conclude adds what a check found out.
func (s *scenario) conclude(ex *spec.Exchange, j check.Result) {
	s.report(ex, j.Findings...)
	s.kept(j.Exercised...)
}

// report adds findings whose judgements were counted already.
func (s *scenario) report(ex *spec.Exchange, findings ...spec.Finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range findings {
		if f.Operation == "" && ex != nil {
			f.Operation = ex.Operation
		}
		if len(f.Exchanges) == 0 && ex != nil {
			f.Exchanges = []int{ex.Seq}
		}
		if f.Where == "" && ex != nil {
			f.Where = check.Place(ex)
		}
		if f.Cause == "" {
			f.Cause = f.Rule + " " + f.Actual
		}
		for _, text := range []*string{&f.Detail, &f.Expected, &f.Actual, &f.Where, &f.Pointer, &f.Cause} {
			*text = s.run.tellable(*text)
		}
		s.findings = append(s.findings, f)
	}
}

// observe adds an observation, and counts that its rule was asked about.
func (s *scenario) observe(o spec.Observation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.exercised = append(s.exercised, o.Rule)
	o.Asked, o.Answer, o.Reading = s.run.tellable(o.Asked), s.run.tellable(o.Answer), s.run.tellable(o.Reading)
	s.observations = append(s.observations, o)
}

// brokenBy reports whether an exchange has shown a finding already, so that what follows from it is not told twice.
func (s *scenario) broken(ex *spec.Exchange) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.findings, func(f spec.Finding) bool {
		return slices.Contains(f.Exchanges, ex.Seq) && f.Rule != "auth.challenge"
	})
}

// last is the only response of the last When step.
func (s *scenario) last() (*answer, error) {
	if len(s.answers) == 0 {
		return nil, fmt.Errorf("no operation has been called before this step")
	}
	return s.answers[len(s.answers)-1], nil
}

// send makes an exchange, judges it by the rules that always hold, and keeps it.
func (s *scenario) send(ctx context.Context, c client.Call, credential credentials.Credential, sent *generate.SentBody) (*answer, error) {
	r := s.run
	c.Credential = credential.Client()
	creates := c.Operation == "createPet"
	var reserved reservation
	if creates {
		if r.target.ReadOnly {
			return nil, stopf("the run is read-only")
		}
		var err error
		if reserved, err = s.reserve(credential, sent); err != nil {
			return nil, err
		}
	}
	asked := 0
	if creates {
		r.memory.NoteSent(sent.Name())
		asked = r.asking(s, sent)
	}
	if reason := r.latencies.Hanging(c.Operation); reason != "" && c.Operation != "" {
		if reserved.made {
			r.budget.GiveBack(reserved.share)
		}
		if creates {
			r.Recorder.Settle(asked, record.Refused, "")
		}
		s.mu.Lock()
		s.skipped = reason
		s.mu.Unlock()
		return nil, stopf("%s", reason)
	}
	c.Scenario = s.id()
	a := &answer{sent: sent, right: credential.Right}
	c.Judge = func(ex *spec.Exchange) {
		ex.Scenario = c.Scenario
		a.ex = ex
		r.contact.Answered()
		r.latencies.Answered(ex.Operation, ex.Elapsed)
		s.judge(a)
		s.lighten(ex)
	}
	ex, why, err := s.exchange(ctx, c)
	if client.IsLimit(err) && creates { // it was not sent
		if reserved.made {
			r.budget.GiveBack(reserved.share)
		}
		r.Recorder.Settle(asked, record.Refused, "")
	}
	if err != nil {
		return nil, err
	}
	ex.Scenario = c.Scenario
	wrong := false
	if ex.Lost != "" && c.Method == "GET" {
		// A read can be repeated without harm: one lost connection is the network's, two are the target's.
		first := ex.Lost
		if why.Refused == 0 && (!why.TimedOut || c.Operation != "") {
			again, whyAgain, err := s.exchange(ctx, c)
			switch {
			case err == nil && (again.Lost == "" || again.Malformed != ""):
				again.Scenario = ex.Scenario
				ex = again
			case err == nil:
				why = whyAgain
			}
		}
		wrong = check.IsMalformed(ex, first)
	} else if ex.Lost != "" {
		wrong = check.IsMalformed(ex, "")
	}
	s.mu.Lock()
	s.exchanges = append(s.exchanges, ex)
	s.mu.Unlock()
	a.ex = ex
	if creates {
		r.settle(a, reserved)
	}
	if wrong {
		r.contact.Answered()
		s.find(ex, check.Malformed(ex))
		return a, errUnreadable
	}
	if ex.Lost != "" {
		if sent != nil && !why.Unsent { // an animal that was asked for may be there
			r.memory.Doubt(sent.Names...)
		}
		if ex.Operation == "" && ctx.Err() == nil {
			return a, stopf("no response came to %s: %s", check.Path(ex), ex.Lost)
		}
		s.mu.Lock()
		s.lost = fmt.Sprintf("%s: %s", check.Place(ex), ex.Lost)
		s.losses++
		s.silent = why.TimedOut
		s.mu.Unlock()
		return a, errLost
	}
	if creates {
		s.register(a, asked)
	}
	return a, nil
}

// exchange makes one exchange, and notes whether it was lost.
func (s *scenario) exchange(ctx context.Context, c client.Call) (*spec.Exchange, client.Loss, error) {
	r := s.run
	release, err := r.contact.Admit(ctx)
	if err != nil {
		return &spec.Exchange{}, client.Loss{}, err
	}
	defer release()
	wait := r.latencies.Wait(c.Operation, r.client.Timeout)
	if c.Timeout == 0 || wait < c.Timeout {
		c.Timeout = wait
	}
	c.Loss = new(client.Loss)
	ex, err := r.client.Do(ctx, c)
	if err == nil && ex.Lost != "" && ex.Malformed == "" {
		r.noteLost(ex, *c.Loss, c.Timeout)
	}
	return ex, *c.Loss, err
}

// asking notes that an animal is asked for: also where it has to be refused, for the service may see it otherwise.
func (r *run) asking(s *scenario, sent *generate.SentBody) int {
	if sent == nil {
		return r.Recorder.Asking("", s.id())
	}
	name := sent.Name()
	if name == "" && len(sent.Names) > 0 {
		name = sent.Names[0]
	}
	return r.Recorder.Asking(name, s.id(), sent.Names...)
}

// register notes what became of a request to create an animal.
func (s *scenario) register(a *answer, asked int) {
	switch {
	case a.status()/100 == 2:
		fields, _ := a.value.Tree.(map[string]any)
		id, _ := petstore.Decimal(fields["id"])
		s.run.Recorder.Settle(asked, record.Created, id)
	case a.status()/100 == 5: // it failed, before the animal was stored or after
		s.run.Recorder.Settle(asked, record.Unknown, "")
	default:
		s.run.Recorder.Settle(asked, record.Refused, "")
	}
}

// expect says which statuses keep the contract here, by which rule, and judges the response by it. A status that breaks another
// rule than the one that was asked about does not judge the latter.
func (s *scenario) expect(a *answer, rule string, statuses ...int) bool {
	a.ex.Expect = spec.Expect{Statuses: statuses, Rule: rule}
	if slices.Contains(statuses, a.status()) {
		s.kept(rule)
		if rule != "answer.status" {
			s.kept("answer.status")
		}
		if a.right && !slices.Contains(statuses, 401) {
			s.kept("auth.accepted")
		}
		return true
	}
	f := statusFinding(a, rule, statuses)
	if why := s.run.whyMissing(a, f.Rule); why != f.Rule {
		f.After = why
	}
	s.follow(a.ex, f.Rule)
	s.find(a.ex, f)
	s.kept("answer.status") // the wider rule: what breaks it is told by the narrower one
	s.run.doubt(s, a, f.Rule, statuses)
	return false
}

// follow puts the findings that a wrong status explains (a 204 has no body) behind the rule that the status broke, which
// was not known yet when the body was judged.
func (s *scenario) follow(ex *spec.Exchange, rule string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.findings {
		f := &s.findings[i]
		if f.After == "answer.status" && len(f.Exchanges) == 1 && f.Exchanges[0] == ex.Seq {
			f.After = rule
		}
	}
}

// statusFinding says that a status is not one of those that keep the contract. The right key refused is a matter of its
// own, whatever was asked.
func statusFinding(a *answer, rule string, statuses []int) spec.Finding {
	if a.right && a.status() == 401 && !slices.Contains(statuses, 401) {
		rule = "auth.accepted"
	}
	where := check.Place(a.ex)
	if a.ex.About != "" {
		where += ", " + a.ex.About
	}
	cause := fmt.Sprintf("%s: status %d", rule, a.status())
	if !a.right && slices.Equal(statuses, []int{401}) && letIn(a.status()) {
		// Whether a request that was let in then got 200, 400 or 404 is the request's matter, not the credential's.
		cause = rule + ": let in"
	}
	f := spec.Finding{
		Rule: rule, Operation: a.ex.Operation, Kind: spec.KindStatus, Expected: statusWords(statuses), Actual: "status " + strconv.Itoa(a.status()), Status: a.status(), Where: where, Cause: cause,
	}
	if a.ex.Operation == "getPet" {
		f.About.IDs = []string{check.LastSegment(a.ex.Request.URL)}
		if a.status() == http.StatusNotFound {
			f.About.Shows = spec.Missing
		}
	}
	return f
}

// letIn reports whether a status is what a right credential could have got.
func letIn(status int) bool { return status/100 == 2 || status == 400 || status == 404 }

func statusWords(statuses []int) string {
	text := "status "
	for i, st := range statuses {
		if i > 0 {
			text += " or "
		}
		text += strconv.Itoa(st)
	}
	return text
}
