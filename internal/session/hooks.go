package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/redact"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Limits on what a failed hook shows of its output.
const (
	hookLines  = 5
	hookOutput = 4096
)

// hookRunner runs the hooks of a run.
type hookRunner struct {
	base    string
	id      func() string
	timeout time.Duration
	client  *http.Client
	// headers are those of the target.
	headers []client.Header
	// redactor returns what removes secrets from texts.
	redactor func() *redact.Redactor
	// say, if set, is called with a line for each hook that ended.
	say func(string)
}

// preparedHook is a hook that is ready to run.
type preparedHook struct {
	options.Hook
	url     string
	headers []client.Header
	body    string
}

// variable matches a variable of the environment in a hook.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// hooks prepares the hooks: everything that is wrong with them is said before the first request.
func (p *preparation) hooks() error {
	own := &hookRunner{
		base: p.run.Target.BaseURL, id: func() string { return p.run.ID }, timeout: p.o.Hooks.Timeout, headers: p.run.Target.Headers,
		client: &http.Client{Transport: p.transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
	p.hookRunner = own
	given := false
	prepared := map[string][]preparedHook{}
	for flag, hooks := range map[string][]options.Hook{
		options.BeforeFlag: p.o.Hooks.Before, options.AfterFlag: p.o.Hooks.After,
		options.BeforeEachFlag: p.o.Hooks.BeforeEach, options.BetweenPhasesFlag: p.o.Hooks.BetweenPhases,
	} {
		for _, h := range hooks {
			one, err := p.prepareHook(h)
			if err != nil {
				return fmt.Errorf("--%s %s: %w", flag, text.Visible(h.String()), err)
			}
			prepared[flag], given = append(prepared[flag], one), true
		}
	}
	if given {
		if err := p.o.Settings.CheckHooks(); err != nil {
			return err
		}
	}
	if given && p.run.Target.ReadOnly {
		fmt.Fprintln(p.env.Stderr, "hallmark: no hooks are run: the run is read-only, and hooks change data")
		prepared = nil
	}
	alone := func(flag string) func(context.Context) error {
		if len(prepared[flag]) == 0 {
			return nil
		}
		return func(ctx context.Context) error { return own.run(ctx, flag, prepared[flag], steps.Occasion{}) }
	}
	occasional := func(flag string) func(context.Context, steps.Occasion) error {
		if len(prepared[flag]) == 0 {
			return nil
		}
		return func(ctx context.Context, o steps.Occasion) error { return own.run(ctx, flag, prepared[flag], o) }
	}
	hooks := steps.Hooks{
		Before: alone(options.BeforeFlag), After: alone(options.AfterFlag),
		BeforeEach: occasional(options.BeforeEachFlag), BetweenPhases: occasional(options.BetweenPhasesFlag),
	}
	if also, first := p.run.Hooks.BeforeEach, hooks.BeforeEach; also != nil { // of the Go API
		hooks.BeforeEach = func(ctx context.Context, o steps.Occasion) error {
			if first != nil {
				if err := first(ctx, o); err != nil {
					return err
				}
			}
			return also(ctx, o)
		}
	}
	p.run.Hooks = hooks
	return nil
}

// prepareHook inserts the variables of a request, and makes sure that it goes to the target.
func (p *preparation) prepareHook(h options.Hook) (preparedHook, error) {
	one := preparedHook{Hook: h}
	if h.Command != nil {
		return one, nil
	}
	var err error
	expand := func(s string) string {
		return variable.ReplaceAllStringFunc(s, func(found string) string {
			name := found[2 : len(found)-1]
			value := p.env.Getenv(name)
			if value == "" {
				err = cmp.Or(err, fmt.Errorf("the environment has no %s", name))
			}
			if value != "" {
				p.run.Target.Secrets = append(p.run.Target.Secrets, value)
			}
			return value
		})
	}
	to, wrong := url.Parse(h.Path)
	if wrong != nil || to.Host == "" && !strings.HasPrefix(h.Path, "/") {
		return one, errors.New("the path of a request begins with /")
	}
	one.body, one.url = expand(h.Body), p.run.Target.BaseURL+"/"+strings.TrimPrefix(expand(h.Path), "/")
	for _, line := range h.Headers {
		name, value, _ := strings.Cut(line, ": ")
		one.headers = append(one.headers, client.Header{Name: name, Value: expand(value)})
	}
	if err != nil {
		return one, err
	}
	base, wrong := url.Parse(p.run.Target.BaseURL)
	if wrong != nil {
		return one, wrong
	}
	if to.Host != "" {
		if !sameOrigin(base, to) {
			return one, fmt.Errorf("a hook sends requests to the target only, which is %s; use a command for others", text.Visible(base.Host))
		}
		one.url = expand(h.Path)
	}
	return one, err
}

// run runs the hooks of a flag in order, up to the first that fails.
func (r *hookRunner) run(ctx context.Context, flag string, hooks []preparedHook, o steps.Occasion) error {
	for _, h := range hooks {
		began := time.Now()
		within, cancel := context.WithTimeout(ctx, r.timeout)
		err := r.one(within, h, flag, o)
		if err != nil && within.Err() != nil && ctx.Err() == nil {
			err = fmt.Errorf("it did not end within %v (--hook-timeout)", r.timeout)
		}
		cancel()
		name := flag
		if o.Resource != "" {
			name += " " + o.Resource
		}
		if flag == options.BetweenPhasesFlag {
			name += " (next: " + o.Phase + ")"
		}
		if r.say != nil {
			r.say(fmt.Sprintf("hook     %s: %s (%v)\n", text.Visible(name), r.redacted(h.String()), time.Since(began).Round(time.Millisecond)))
		}
		if err != nil {
			return fmt.Errorf("the hook %s failed: %s: %s", text.Visible(name), r.redacted(h.String()), r.redacted(err.Error()))
		}
	}
	return nil
}

// redacted returns a text without secrets, on one line.
func (r *hookRunner) redacted(s string) string {
	return text.Visible(r.redactor().Text(s))
}

// one runs a hook.
func (r *hookRunner) one(ctx context.Context, h preparedHook, flag string, o steps.Occasion) error {
	if h.Command == nil {
		return r.request(ctx, h)
	}
	var output, errs tail
	cmd := exec.CommandContext(ctx, h.Command[0], h.Command[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = h.Folder, &output, &errs, 2*time.Second
	cmd.Env = append(os.Environ(),
		"HALLMARK_BASE_URL="+r.base, "HALLMARK_RUN_ID="+r.id(), "HALLMARK_HOOK="+flag,
		"HALLMARK_RESOURCE="+o.Resource, "HALLMARK_OPERATION="+o.Operation, "HALLMARK_PHASE="+o.Phase)
	killWhole(cmd)
	err := cmd.Run()
	if err == nil || errors.Is(err, exec.ErrWaitDelay) { // what it started may go on writing
		return nil
	}
	secrets := r.redactor()
	said := cmp.Or(errs.last(secrets.Text), output.last(secrets.Text))
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = errors.New(exit.String())
	} else if wrong, ok := errors.AsType[*exec.Error](err); ok {
		err = fmt.Errorf("it cannot be started: %w", wrong.Err)
	} else {
		err = fmt.Errorf("it cannot be started: %w", cli.Bare(err))
	}
	if said != "" {
		err = fmt.Errorf("%w; the end of its output: %s", err, said)
	}
	return err
}

// request sends a request to the target.
func (r *hookRunner) request(ctx context.Context, h preparedHook) error {
	req, err := http.NewRequestWithContext(ctx, h.Method, h.url, strings.NewReader(h.body))
	if err != nil {
		return err
	}
	if h.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, header := range append(slices.Clip(r.headers), h.headers...) {
		req.Header.Set(header.Name, header.Value)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		if wrong, ok := errors.AsType[*url.Error](err); ok {
			err = wrong.Err
		}
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, hookOutput))
	if err != nil {
		return err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		t := tail{text: body}
		return errors.New(strings.TrimSuffix(fmt.Sprintf("status %d: %s", resp.StatusCode, t.last(r.redactor().Text)), ": "))
	}
	return nil
}

// tail keeps the end of what is written.
type tail struct {
	text []byte
	cut  bool
}

// Write implements [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if over := len(t.text) - hookOutput; over > 0 {
		t.text, t.cut = append([]byte(nil), t.text[over:]...), true
	}
	return len(p), nil
}

// last returns the last lines. Secrets are removed before the lines are chosen: one may have several lines, or begin before what was kept.
func (t *tail) last(remove func(string) string) string {
	kept := string(t.text)
	if t.cut {
		_, kept, _ = strings.Cut(kept, "\n")
	}
	lines := strings.Split(strings.TrimSpace(remove(kept)), "\n")
	return strings.TrimSpace(strings.Join(lines[max(0, len(lines)-hookLines):], "\n"))
}

// secretName matches the names of variables that hold secrets.
var secretName = regexp.MustCompile(`(?i)secret|token|passw|api_?key|credential|private`)

// redactorFor returns what removes the secrets of a target from texts, and those that the environment holds: commands have them, too.
func redactorFor(target scenario.Target) *redact.Redactor {
	all := target.Redactor()
	var more []redact.Secret
	for _, line := range os.Environ() {
		if name, value, _ := strings.Cut(line, "="); len(value) >= redact.MinLength && secretName.MatchString(name) && all.Text(value) == value {
			more = append(more, redact.Secret{Text: value, Shown: "$" + name})
		}
	}
	all.Add(more...)
	return all
}
