package score

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// urlPlaceholder is the placeholder for the base URL in the arguments of a command.
const urlPlaceholder = "{url}"

// urlVariable is the environment variable that holds the base URL.
const urlVariable = "HALLMARK_URL"

// Command measures a suite that is run by a command, which exits with a non-zero status if it finds something.
type Command struct {
	Basis
	// Args holds the command and its arguments. Reset is an optional shell command that resets the service to its initial state.
	Args  []string
	Reset string
	// BaseURLs are the base URLs of identical services. If there is a Reset, each is used by one suite at a time, otherwise by Workers.
	BaseURLs []string
	Workers  int
	// Sample is the maximum number of faults tried in operations that the suite calls; 0 means all.
	Sample int
	// Progress, if set, is called with the number of faults to try and returns a function to be called with each outcome.
	Progress func(total int) func(Outcome)

	front *front
	limit time.Duration
}

// Limits on a suite's run: how long a run with a fault may take, and how much of its output is shown.
const (
	leastTime  = 20 * time.Second
	timesClean = 10
	mostOutput = 2000
)

// Measure runs the suite without a fault, and then once with each fault that it may detect.
func (c *Command) Measure(ctx context.Context, faults []fault.Fault) (Measurement, error) {
	began := time.Now()
	c.front, c.limit = newFront(c.Contract, c.Promises), time.Hour
	m := Measurement{Contract: c.Contract.Title(), Suite: strings.Join(c.Args, " ")}
	lanes, err := c.lanes()
	if err != nil {
		return m, err
	}
	seen := &exchanges{}
	failed, output, w, err := c.run(ctx, lanes[0], func(h *mutate.Handler) error {
		h.Done = seen.recording(h.Done)
		return nil
	})
	m.Clean = time.Since(began)
	switch {
	case err != nil:
		return m, err
	case failed:
		return m, fmt.Errorf("the suite fails without any fault, so nothing can be measured; the end of what it wrote:\n%s", text.Visible(output))
	case len(seen.all) == 0:
		return m, fmt.Errorf("the suite sent nothing through the proxy; write %s where the command takes the base URL, or have it read %s", urlPlaceholder, urlVariable)
	}
	m.Exchanges = len(seen.all)
	c.limit = max(leastTime, timesClean*m.Clean)
	used, unused := []fault.Fault(nil), []fault.Fault(nil)
	for _, x := range faults {
		if w.wasUsed(x.Operation) {
			used = append(used, x)
		} else {
			unused = append(unused, x)
		}
	}
	used = Choose(used, c.Sample)
	outcomes := make([]Outcome, len(used)+len(unused))
	progress := func(Outcome) {}
	if c.Progress != nil {
		progress = c.Progress(len(used))
	}
	free := make(chan lane, len(lanes))
	for _, l := range lanes {
		free <- l
	}
	forEach(ctx, len(lanes), len(used), func(i int) {
		l := <-free
		defer func() { free <- l }()
		outcomes[i] = c.try(ctx, l, seen, used[i])
		if ctx.Err() == nil {
			progress(outcomes[i])
		}
	})
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	if failed, _, _, err := c.run(ctx, lanes[0], nil); failed || err != nil {
		m.Unstable = true
	}
	for i, x := range unused {
		outcomes[len(used)+i] = Outcome{Fault: x, Fate: NotExercised, Unused: true, Reason: x.Operation + " was not called"}
	}
	m.Outcomes, m.Elapsed = outcomes, time.Since(began)
	m.count(c.Catalogue)
	return m, nil
}

// lane is a service for one suite at a time.
type lane struct {
	to        *url.URL
	base      string
	transport http.RoundTripper
}

func (c *Command) lanes() ([]lane, error) {
	var all []lane
	for _, one := range c.BaseURLs {
		parsed, err := scenario.ParseBaseURL(one)
		if err != nil {
			return nil, err
		}
		to, err := url.Parse(parsed)
		if err != nil {
			return nil, err
		}
		l := lane{to: to, base: strings.TrimRight(to.EscapedPath(), "/"), transport: client.NewTransport(64)}
		all = append(all, l)
		for n := 1; n < c.Workers && c.Reset == ""; n++ {
			all = append(all, l)
		}
	}
	return all, nil
}

// try runs the suite with a fault, if the requests of the run without one may show it.
func (c *Command) try(ctx context.Context, l lane, seen *exchanges, x fault.Fault) (out Outcome) {
	out = Outcome{Fault: x, Fate: NotExercised}
	if shownByOneExchange(x) && !slices.ContainsFunc(seen.ofOperation(x.Operation), func(ex *spec.Exchange) bool { return c.front.showsIn(x, ex, l.base) }) {
		out.Reason = "no exchange of the suite shows it"
		return out
	}
	began := time.Now()
	defer func() { out.Elapsed = time.Since(began) }()
	failed, _, w, err := c.run(ctx, l, func(h *mutate.Handler) error {
		faulty, err := c.front.faulty(nil, l.base, newWatch(), x)
		if err == nil {
			h.Middleware, h.Breaks, h.Keeps = faulty.Middleware, faulty.Breaks, faulty.Keeps
		}
		return err
	})
	switch out.Shown = w.appliedCount(); {
	case err != nil:
		out.Fate, out.Reason = Failed, err.Error()
	case failed && out.Shown > 0:
		out.Fate = Killed
	case failed:
		out.Fate, out.Reason = Failed, "the suite failed although nothing was wrong: it is not stable"
	case out.Shown > 0:
		out.Fate = Survived
	}
	return out
}

// run runs the suite once in front of a service. It reports whether the suite failed, and returns the end of its
// output.
func (c *Command) run(ctx context.Context, l lane, with func(*mutate.Handler) error) (failed bool, output string, w *watch, err error) {
	w = newWatch()
	h := c.front.plain(mutate.Forward(l.to, l.transport), l.base, w)
	if with != nil {
		if err := with(h); err != nil {
			return false, "", w, err
		}
	}
	proxy, err := listen(ctx, "127.0.0.1:0", h, l.to, l.base)
	if err != nil {
		return false, "", w, err
	}
	defer proxy.close()
	environment := append(os.Environ(), urlVariable+"="+proxy.url, "HALLMARK_BASE_URL="+l.to.String())
	if c.Reset != "" {
		if failed, output, err := execute(ctx, c.limit, environment, "sh", "-c", c.Reset); err != nil || failed {
			return false, "", w, errors.Join(err, fmt.Errorf("--reset failed: %s", text.Visible(output)))
		}
	}
	args := slices.Clone(c.Args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], urlPlaceholder, proxy.url)
	}
	failed, output, err = execute(ctx, c.limit, environment, args[0], args[1:]...)
	return failed, output, w, err
}

// execute runs a command. A command that takes too long is stopped and counts as failed.
func execute(ctx context.Context, limit time.Duration, environment []string, name string, args ...string) (failed bool, output string, err error) {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(within, name, args...)
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Env, cmd.WaitDelay = &b, &b, environment, 2*time.Second
	err = cmd.Run()
	text := b.Bytes()
	output = string(text[max(0, len(text)-mostOutput):])
	if ctx.Err() != nil {
		return false, output, ctx.Err()
	}
	exit := new(exec.ExitError)
	switch {
	case err == nil:
		return false, output, nil
	case errors.As(err, &exit), within.Err() != nil:
		return true, output, nil
	}
	return false, output, fmt.Errorf("the command cannot be run: %w", err)
}

// exchanges collects the exchanges of a suite.
type exchanges struct {
	mu  sync.Mutex
	all []*spec.Exchange
	by  map[string][]*spec.Exchange
}

// mostExchanges is the maximum number of exchanges kept of each operation.
const mostExchanges = 2000

// recording returns a function that keeps each exchange and passes it on to next.
func (e *exchanges) recording(next func(*mutate.Exchange)) func(*mutate.Exchange) {
	return func(x *mutate.Exchange) {
		next(x)
		e.mu.Lock()
		defer e.mu.Unlock()
		ex := &spec.Exchange{
			Operation: x.Operation, Request: spec.Request{Method: x.Request.Method, URL: "http://service.test" + x.Request.URL.RequestURI(), Header: x.Request.Header.Clone(), Body: x.Body},
			Response: &spec.Response{Status: x.Status, Header: x.Header.Clone(), Body: x.Answer, Size: len(x.Answer)},
		}
		if e.all = append(e.all, ex); e.by == nil {
			e.by = map[string][]*spec.Exchange{}
		}
		if len(e.by[x.Operation]) < mostExchanges {
			e.by[x.Operation] = append(e.by[x.Operation], ex)
		}
	}
}

func (e *exchanges) ofOperation(operation string) []*spec.Exchange {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.by[operation]
}

// Choose returns at most most faults, spread evenly over the operations and operators, or all if most is 0.
func Choose(all []fault.Fault, most int) []fault.Fault {
	if most <= 0 || len(all) <= most {
		return all
	}
	groups, order := map[string][]int{}, []string(nil)
	for i, f := range all {
		key := f.Operation + " " + f.Operator
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	// Operators take turns, so that the sample does not consist only of the first operators of the first operations.
	slices.SortStableFunc(order, func(x, y string) int {
		return strings.Compare(x[strings.IndexByte(x, ' '):], y[strings.IndexByte(y, ' '):])
	})
	var chosen []int
	for round := 0; len(chosen) < most; round++ {
		step := max(1, len(order)/most)
		for i := 0; i < len(order) && len(chosen) < most; i += step {
			if group := groups[order[i]]; round < len(group) {
				chosen = append(chosen, group[round])
			}
		}
		if round > len(all) {
			break
		}
	}
	slices.Sort(chosen)
	var out []fault.Fault
	for _, i := range slices.Compact(chosen) {
		out = append(out, all[i])
	}
	return out
}

// Progress writes a line for each unexpected outcome, and the progress of a measurement if lines can be redrawn.
func Progress(out io.Writer, redraws bool, total int) func(Outcome) {
	var mu sync.Mutex
	done, erase := 0, ""
	if redraws {
		erase = "\r\x1b[K"
	}
	return func(o Outcome) {
		mu.Lock()
		defer mu.Unlock()
		done++
		switch {
		case o.Fate == Failed:
			fmt.Fprintf(out, "%s%s could not be tried: %s\n", erase, o.Name, text.Visible(o.Reason))
		case len(o.Rules) == 0 && o.Fate == Killed:
			fmt.Fprintf(out, "%sthe freedom %s is accused: %s\n", erase, o.Name, text.Visible(o.Reason))
		case len(o.Rules) > 0 && o.Fate == Survived:
			fmt.Fprintf(out, "%s%s survives; it breaks %s\n", erase, o.Name, o.Rule())
		}
		if erase != "" {
			fmt.Fprintf(out, "%s%d of %d tried", erase, done, total)
			if done == total {
				fmt.Fprint(out, erase)
			}
		}
	}
}
