package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/check"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/truncate"
)

// Send makes an exchange, judges it by the rules that always hold, and keeps it.
func (s *Scenario) Send(ctx context.Context, c client.Call, credential credentials.Credential, sent *generate.SentBody) (*Answer, error) {
	r := s.Run
	c.Credential = credential.Client()
	creates := r.Creates(c.Operation)
	var reserved reservation
	if creates {
		if r.Target.ReadOnly {
			return nil, Stopf("the run is read-only")
		}
		var err error
		if reserved, err = s.reserve(credential, sent); err != nil {
			return nil, err
		}
	}
	asked := 0
	if creates {
		r.Extension.Sending(sent)
		asked = asking(r, s, sent)
	}
	if reason := r.Latencies.Hanging(c.Operation); reason != "" && c.Operation != "" {
		if reserved.made {
			r.Budget.GiveBack(reserved.share)
		}
		if creates {
			r.Recorder.Settle(asked, record.Refused, "")
		}
		s.mu.Lock()
		s.Skipped = reason
		s.mu.Unlock()
		return nil, Stopf("%s", reason)
	}
	c.Scenario = s.ID()
	a := &Answer{Sent: sent, Right: credential.Right}
	c.Judge = func(ex *spec.Exchange) {
		ex.Scenario = c.Scenario
		a.Exchange = ex
		r.Contact.Answered()
		r.Latencies.Answered(ex.Operation, ex.Elapsed)
		s.Judge(a)
		s.Lighten(ex)
	}
	ex, why, err := s.exchange(ctx, c)
	if client.IsLimit(err) && creates { // it was not sent
		if reserved.made {
			r.Budget.GiveBack(reserved.share)
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
	s.Exchanges = append(s.Exchanges, ex)
	s.mu.Unlock()
	a.Exchange = ex
	if creates {
		r.settle(a, reserved)
	}
	if wrong {
		r.Contact.Answered()
		s.Find(ex, check.Malformed(ex))
		return a, ErrUnreadable
	}
	if ex.Lost != "" {
		if sent != nil && !why.Unsent { // what was asked for may be there
			r.Extension.Lost(sent)
		}
		if ex.Operation == "" && ctx.Err() == nil {
			return a, Stopf("no response came to %s: %s", check.Path(ex), ex.Lost)
		}
		s.mu.Lock()
		s.Lost = fmt.Sprintf("%s: %s", check.Place(ex), ex.Lost)
		s.Losses++
		s.Silent = why.TimedOut
		s.mu.Unlock()
		return a, ErrLost
	}
	if creates {
		s.register(a, asked)
	}
	return a, nil
}

// exchange makes one exchange, and notes whether it was lost.
func (s *Scenario) exchange(ctx context.Context, c client.Call) (*spec.Exchange, client.Loss, error) {
	r := s.Run
	release, err := r.Contact.Admit(ctx)
	if err != nil {
		return &spec.Exchange{}, client.Loss{}, err
	}
	defer release()
	wait := r.Latencies.Wait(c.Operation, r.Client.Timeout)
	if c.Timeout == 0 || wait < c.Timeout {
		c.Timeout = wait
	}
	c.Loss = new(client.Loss)
	ex, err := r.Client.Do(ctx, c)
	if err == nil && ex.Lost != "" && ex.Malformed == "" {
		r.noteLost(ex, *c.Loss, c.Timeout)
	}
	return ex, *c.Loss, err
}

// asking notes that something is asked for: also where it has to be refused, for the service may see it otherwise.
func asking(r *Run, s *Scenario, sent *generate.SentBody) int {
	if sent == nil {
		return r.Recorder.Asking("", s.ID())
	}
	name := sent.Name()
	if name == "" && len(sent.Names) > 0 {
		name = sent.Names[0]
	}
	return r.Recorder.Asking(name, s.ID(), sent.Names...)
}

// register notes what became of a request to create something.
func (s *Scenario) register(a *Answer, asked int) {
	switch {
	case a.Status()/100 == 2:
		fields, _ := a.Value.Tree.(map[string]any)
		id := ""
		if n, ok := fields["id"].(json.Number); ok && exactjson.IsInt64(n) {
			id, _ = exactjson.CanonicalInt(n)
		}
		s.Run.Recorder.Settle(asked, record.Created, id)
	case a.Status()/100 == 5: // it failed, before it stored anything or after
		s.Run.Recorder.Settle(asked, record.Unknown, "")
	default:
		s.Run.Recorder.Settle(asked, record.Refused, "")
	}
}

// reserve takes one of the resources that the run may create, for a request that may create one; it refuses when none is
// left. Bodies that are no object, and bad credentials, are counted only when a faulty service lets them in (see settle).
func (s *Scenario) reserve(c credentials.Credential, sent *generate.SentBody) (reservation, error) {
	r := s.Run
	if !c.Right && !c.Open || sent == nil || sent.Values == nil {
		if !r.Budget.Spent() {
			return reservation{}, nil
		}
	} else if share, ok := r.Budget.Take(s.Share()); ok {
		return reservation{made: true, share: share}, nil
	}
	s.mu.Lock()
	s.CutShort = true // several clients of a scenario create at the same time
	s.mu.Unlock()
	return reservation{}, Stopf("the run may create no more than %s%s", r.Interface.Count(int64(r.Target.MaxCreated)), r.Interface.maxHint())
}

// reservation is a resource that was taken from the budget for a request, if any was.
type reservation struct {
	made  bool
	share string
}

// Perform calls an operation once.
func (s *Scenario) Perform(ctx context.Context, op spec.Operation, args Arguments, plan *generate.Plan, c credentials.Credential, about string) (*Answer, error) {
	what := client.Call{Operation: op.ID, About: about, Method: op.Method, Path: op.Path}
	path, certain := map[string]string{}, false
	var query []string
	for _, p := range op.Parameters {
		if p.In != "path" {
			continue
		}
		value, given := args.Value(p.Name)
		if !given {
			if value, certain = s.Run.Extension.Value(op, p); value == "" {
				value = "1"
			}
		}
		path[p.Name] = value
		what.Path = strings.ReplaceAll(what.Path, "{"+p.Name+"}", url.PathEscape(value))
	}
	for _, x := range args {
		if _, inPath := path[x.Name]; !inPath {
			query = append(query, url.QueryEscape(x.Name)+"="+url.QueryEscape(x.Value))
		}
	}
	what.Query = strings.Join(query, "&")
	sent := generate.Build(op, plan, s.Run.Target.Plain, s.Run)
	if sent != nil {
		what.Body, what.MediaType = sent.Raw, sent.MediaType
	}
	send := func() (*Answer, error) {
		a, err := s.Send(ctx, what, c, sent)
		if a != nil {
			a.Path, a.Certain, a.Arguments, a.Plan, a.Credential = path, certain, args, plan, c
		}
		return a, err
	}
	a, err := send()
	if err != nil || op.Method != "GET" {
		return a, err
	}
	return s.AskUntil(ctx, a, s.Run.Extension.AbsentUntil, send)
}

// AskUntil repeats what a store may not know yet, until it does or its time has passed. absent tells of a response whether
// something is missing, and until when it may be.
func (s *Scenario) AskUntil(ctx context.Context, a *Answer, absent func(*Answer) time.Time, again func() (*Answer, error)) (*Answer, error) {
	if s.Run.Patience.Settle <= 0 {
		return a, nil
	}
	began := time.Now()
	asked := false
	for next := leastSettling; ; next = min(2*next, MostSettle) {
		until := absent(a)
		left := time.Until(until)
		switch {
		case until.IsZero() && asked:
			s.Run.Settling.note(time.Since(began), true)
			return a, nil
		case until.IsZero():
			return a, nil
		case left <= 0:
			if asked {
				s.Run.Settling.note(time.Since(began), false)
			}
			return a, nil
		}
		if err := client.Sleep(ctx, min(next, left)); err != nil {
			return a, err
		}
		asked = true
		b, err := again()
		if err != nil {
			return b, err
		}
		a = b
	}
}

// Anew plays a part of a scenario, and plays it again from its beginning when an exchange of it was lost. The part must
// not rest on what the scenario did before, but for what is noted of the run.
func (s *Scenario) Anew(ctx context.Context, part func() error) error {
	for times := 0; ; times++ {
		err := part()
		if !errors.Is(err, ErrLost) || ctx.Err() != nil {
			return err
		}
		s.mu.Lock()
		most := s.mostReplays()
		s.mu.Unlock()
		if times >= most || !s.Run.Contact.Replay() {
			return err
		}
		s.mu.Lock()
		s.Losses--
		s.mu.Unlock()
	}
}

// Lighten lets go of most of a long response, once it is judged. A report may show what is kept.
func (s *Scenario) Lighten(ex *spec.Exchange) {
	resp := ex.Response
	*resp = truncate.Headers(*resp)
	if len(resp.Body) <= leastBody {
		return
	}
	size := len(resp.Body)
	kept := min(size, KeptBody)
	if s.Run.openBodies.Add(int64(kept)) > openBodies {
		s.Run.openBodies.Add(-int64(kept))
		kept = leastBody
	} else {
		s.mu.Lock()
		s.bodies += int64(kept)
		s.mu.Unlock()
	}
	if size <= kept {
		resp.Body = bytes.Clone(resp.Body)
		return
	}
	// With some more than what is kept, so that no secret is cut in two.
	clean := s.Run.Client.Redactor.Bytes(resp.Body[:min(kept+4096, size)])
	resp.Body = bytes.Clone(clean[:min(kept, len(clean))])
}
