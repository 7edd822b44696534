package hallmark

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/inprocess"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/steps"
)

// lookup reads a variable of the process. That a test runs on GitHub is nothing to a run inside it: its text is that of go test.
func lookup(name string) (string, bool) {
	if name == "GITHUB_ACTIONS" {
		return "", false
	}
	return os.LookupEnv(name)
}

// casesWhenShort is how many derived cases of each operation are tried with -short.
const casesWhenShort = 20

// Run judges a handler or a service by the rules that follow from a document. Each rule is a subtest of its operation, so that -run selects
// rules, and only what judges them is asked. A rule that could not be judged is skipped with the reason. With -short, fewer cases of each
// operation are tried; a run ends in time for the deadline of the test, and fails then.
func Run(t *testing.T, o Options) {
	t.Helper()
	var text, notices bytes.Buffer
	env := o.environment()
	env.Stdout, env.Stderr, env.Commands = &text, &notices, &notices
	settings, err := o.settings(env)
	if err != nil {
		t.Fatal(message(err))
	}
	if testing.Short() && !settings.Settings.IsGiven("per-operation") {
		settings.Contract.PerOperation = casesWhenShort
	}
	if end, ok := t.Deadline(); ok && settings.Run.Limits.MaxTime == 0 {
		settings.Run.Limits.MaxTime, settings.Run.Limits.MaxTimeFrom = maxTime(time.Until(end)), "go test -timeout"
	}
	accepted, selected := settings.Recorded.AcceptPartial, chosen(t.Name(), pattern())
	if selected != nil {
		if err := selectRules(&settings, selected); err != nil {
			t.Fatal(message(err))
		}
	}
	if o.Handler != nil {
		server := inprocess.Serve(o.Handler)
		defer server.Close() //nolint:errcheck // nothing is open that anybody waits for
		settings.Network.Through(server.Dial)
	}
	settings.Recorded.Test = t.Name()
	v, err := judged(t.Context(), o, env, settings)
	if notices.Len() > 0 {
		t.Log(strings.TrimSpace(notices.String()))
	}
	switch {
	case err != nil && v == nil:
		t.Fatal(message(err))
	case v == nil: // --plan
		t.Log(text.String())
		return
	}
	r := result{View: v, inProcess: o.Handler != nil, accepted: accepted}
	failed := r.subtests(t)
	some, said := selected != nil || skipping(), ""
	if err != nil {
		said = message(err)
	}
	switch code := v.Result.ExitCode; {
	case some && !v.Record.Complete:
		t.Errorf("the run ended before all of the selected rules were judged: %s (seed %d)", v.Result.Because, v.Record.Options.Seed)
	case code == verdict.ExitOK, some && code == verdict.ExitIncomplete, some && code == verdict.ExitViolated:
	case code == verdict.ExitViolated && failed:
		t.Logf("%s: %s (seed %d)", v.Result.Verdict.Word(), v.Result.Because, v.Record.Options.Seed)
	default:
		t.Errorf("%s\n%s\n(seed %d)", said, strings.TrimSpace(text.String()), v.Record.Options.Seed)
		said = ""
	}
	if said != "" { // a report that could not be written, or After
		t.Error(said)
	}
}

// maxTime returns how long a run may take if a deadline is left away. The rest is for cleaning up.
func maxTime(left time.Duration) time.Duration {
	const most = 30 * time.Second
	return max((left - min(left/5, most)).Truncate(100*time.Millisecond), time.Millisecond)
}

// message formats an error for a test. What begins with the name of the package gets no name of a program before it.
func message(err error) string {
	said := strings.TrimSpace(cli.Message(err))
	if bare, ok := strings.CutPrefix(said, "hallmark: hallmark."); ok {
		return "hallmark." + bare
	}
	return said
}

// judged runs the suite between the hooks. The view is nil if the run never began.
func judged(ctx context.Context, o Options, env *cli.Env, settings options.Options) (*view.View, error) {
	if o.Before != nil {
		if err := o.Before(ctx); err != nil {
			return nil, fmt.Errorf("hallmark.Options.Before failed: %w", err)
		}
	}
	if o.BeforeEach != nil {
		settings.Run.Hooks.BeforeEach = func(ctx context.Context, what steps.Occasion) error {
			if err := o.BeforeEach(ctx, what.Resource); err != nil {
				return fmt.Errorf("hallmark.Options.BeforeEach failed: %w", err)
			}
			return nil
		}
	}
	v, err := session.Judge(ctx, env, settings, "")
	if o.After != nil {
		if after := o.After(ctx); after != nil {
			err = errors.Join(fmt.Errorf("hallmark.Options.After failed: %w", after), err)
		}
	}
	return v, err
}

// result is what a run showed, as tests.
type result struct {
	*view.View
	// inProcess reports whether there is no address that a shell command could call, and accepted whether operations may lack a credential.
	inProcess, accepted bool
}

// subtests makes a test of each rule, and reports whether one of them failed.
func (r result) subtests(t *testing.T) (failed bool) {
	t.Helper()
	var operations []string
	rules := map[string][]verdict.RuleVerdict{}
	for _, rule := range r.Result.Rules {
		operation, _ := nameOf(rule.Rule)
		if rules[operation] == nil {
			operations = append(operations, operation)
		}
		rules[operation] = append(rules[operation], rule)
	}
	for _, operation := range operations {
		ok := t.Run(operation, func(t *testing.T) {
			t.Helper()
			for _, rule := range rules[operation] {
				_, name := nameOf(rule.Rule)
				t.Run(name, func(t *testing.T) {
					t.Helper()
					r.test(t, rule)
				})
			}
		})
		failed = failed || !ok
	}
	return failed
}

// nameOf divides the id of a rule into the names of its tests: of the operation or area, and of the rule there.
func nameOf(rule string) (operation, name string) {
	operation, name, found := strings.Cut(rule, ".")
	if !found {
		return rule, "rule"
	}
	return operation, name
}

// test is the test of a rule.
func (r result) test(t *testing.T, rule verdict.RuleVerdict) {
	t.Helper()
	switch rule.Verdict {
	case verdict.Violated:
		t.Error(r.says(rule, "FAIL"))
	case verdict.Warned:
		if r.Record.Options.Strict {
			t.Error(r.says(rule, "FAIL"))
		} else {
			t.Log(r.says(rule, "WARN"))
		}
	case verdict.Deviates:
		t.Log("broken by known violations only")
	case verdict.NotExercised:
		if why := r.locked(rule.Rule); why != "" {
			t.Error(why + "; or give it in hallmark.Options.Credentials")
			return
		}
		t.Skip(rule.Reason)
	case verdict.Intermittent, verdict.Doubtful, verdict.NotApplicable, verdict.Untestable:
		t.Skip(rule.Reason)
	default:
	}
}

// locked returns why none of the operations of a rule was called, if that is a missing credential; "" if the run accepts that.
func (r result) locked(id string) string {
	rule, why := r.Rule(id), ""
	if r.accepted {
		return ""
	}
	for _, operation := range rule.Operations {
		i := slices.IndexFunc(r.Record.Uncalled, func(u record.Uncalled) bool { return u.Operation == operation && u.Remedy != "" })
		if i < 0 {
			return ""
		}
		why = operation + " was not called: " + r.Record.Uncalled[i].Reason + "; " + r.Record.Uncalled[i].Remedy
	}
	return why
}

// says returns how a rule is broken: the whole failure for the rule that names the defect, a reference to that rule for others.
func (r result) says(rule verdict.RuleVerdict, label string) string {
	whole := ""
	for i := range r.Result.Causes {
		if c := r.Result.Causes[i]; c.Lead.Rule == rule.Rule {
			c.Rerun = verdict.Rerun(r.Record, rule.Rule)
			if r.inProcess {
				c.Curl = ""
			}
			whole += "\n" + failure.CauseText(r.View, &c, label)
		}
	}
	if whole != "" {
		return whole
	}
	for _, c := range r.Result.Causes {
		if c.Rule == rule.Rule || slices.ContainsFunc(c.Also, func(b verdict.Broken) bool { return b.Rule == rule.Rule }) {
			operation, name := nameOf(c.Lead.Rule)
			return fmt.Sprintf("%s: broken by the defect of %s/%s: %s", r.Rule(rule.Rule).Says, operation, name, c.Message)
		}
	}
	return fmt.Sprintf("%s: broken %d times", r.Rule(rule.Rule).Says, rule.Findings)
}

// selectRules selects the rules whose tests will run.
func selectRules(o *options.Options, s *selection) error {
	basis, err := session.Load(o.Contract)
	if err != nil {
		return err
	}
	for _, rule := range basis.Catalogue.Rules {
		if rule.Untestable == "" && s.matches(rule.ID) {
			o.Recorded.Rules = append(o.Recorded.Rules, rule.ID)
		}
	}
	if len(o.Recorded.Rules) == 0 {
		return fmt.Errorf("-run selects none of the %d rules; \"go test -v\" shows the names of their tests, as does \"hallmark rules --contract %s\"", len(basis.Catalogue.Rules), o.Contract.File)
	}
	o.Recorded.RequireComplete, o.Recorded.AcceptPartial = false, true
	return nil
}
