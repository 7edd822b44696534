package steps

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

const oneList = "@rule:list.accepted @read-only\nFeature: F\n Scenario: S\n  When listPets is called with limit 7\n"

func TestPreflight(t *testing.T) {
	refuse := func(paths ...string) func(r *http.Request, _ []byte) *rehearse.Reply {
		return func(r *http.Request, _ []byte) *rehearse.Reply {
			if slices.Contains(paths, r.Method+" "+r.URL.Path) {
				a := rehearse.ErrorReply(401)
				a.Header.Set("WWW-Authenticate", "Bearer")
				return a
			}
			return nil
		}
	}
	const list, create, get = "GET /v1/pets", "POST /v1/pets", "GET /v1/pets/41"
	for name, test := range map[string]struct {
		instead func(r *http.Request, _ []byte) *rehearse.Reply
		change  func(*Config)
		before  string // requests before the scenarios
		refused bool
	}{
		"let in":                             {nil, nil, list, false},
		"the list alone refuses":             {refuse(list), nil, list + " " + get, false},
		"only a creation lets in":            {refuse(list, get), nil, list + " " + get + " " + create, false},
		"nothing lets in":                    {refuse(list, get, create), nil, list + " " + get + " " + create, true},
		"nothing lets in, read-only":         {refuse(list, get, create), func(c *Config) { c.Target.ReadOnly = true }, list + " " + get, true},
		"nothing lets in, after the removal": {refuse(list, get, create), func(c *Config) { c.Now = rehearse.RemovalDay }, list + " " + create, true},
		"it breaks, which is the suite's":    {func(*http.Request, []byte) *rehearse.Reply { return rehearse.ErrorReply(500) }, nil, list, false},
		"403 for everybody":                  {func(*http.Request, []byte) *rehearse.Reply { return rehearse.ErrorReply(403) }, nil, list + " " + get + " " + create, true},
		"403 for the right key": {func(r *http.Request, _ []byte) *rehearse.Reply {
			if r.Header.Get("Authorization") == "" {
				return nil
			}
			return page(403, "text/plain", "no")
		}, nil, list + " " + get + " " + create, true},
		"a gateway that wants its own": {func(*http.Request, []byte) *rehearse.Reply {
			return page(403, "application/json", `{"message":"Missing Authentication Token"}`)
		}, nil, list + " " + get + " " + create, true},
		"no JSON, which is the suite's": {func(*http.Request, []byte) *rehearse.Reply { return &rehearse.Reply{Status: 200, Body: "<html>"} }, nil, list, false},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			service.Instead = test.instead
			changes := []func(*Config){with(t, oneList)}
			if test.change != nil {
				changes = append(changes, test.change)
			}
			p := playRun(t, t.Context(), service, changes...)
			var asked []string
			for _, a := range service.Asked {
				if a.Query == "" {
					asked = append(asked, a.Method+" "+a.Path)
				}
			}
			if got := strings.Join(asked, " "); got != test.before {
				t.Errorf("asked %s, want %s", got, test.before)
			}
			var away Unreachable
			if errors.As(p.err, &away) != test.refused || p.err != nil && !test.refused {
				t.Errorf("ended with %v, want the key to be refused: %v", p.err, test.refused)
			}
			if !test.refused {
				p.scenario(t, "S")
				return
			}
			want, status := "the credential was refused: every called operation of http://pets.test/v1 answered ", "401"
			if strings.HasPrefix(name, "403") || strings.HasPrefix(name, "a gateway") {
				status = "403"
			}
			if away.Reason != want+status || p.ending.Lost != away.Reason || !strings.Contains(away.Remedy, "check HALLMARK_") {
				t.Errorf("%q, lost %q; %q", away.Reason, p.ending.Lost, away.Remedy)
			}
			if p.res.ExitCode != verdict.ExitUnjudged || len(p.rec.Scenarios) != 1 || len(p.rec.Exchanges) != len(asked) {
				t.Errorf("exit code %d, %d scenarios", p.res.ExitCode, len(p.rec.Scenarios))
			}
		})
	}
}

func TestPreflightWithoutAConnection(t *testing.T) {
	service := rehearse.NewShop()
	service.Lose = func(*http.Request) error { return errors.New("connection refused") }
	p := playRun(t, t.Context(), service, with(t, oneList))
	var away Unreachable
	if !errors.As(p.err, &away) || away.Reason != "http://pets.test/v1 cannot be reached: connection refused" {
		t.Errorf("%v", p.err)
	}
	if p.ending.Lost != away.Reason || p.ending.Complete || p.res.ExitCode != verdict.ExitUnjudged || p.res.Verdict != verdict.Inconclusive {
		t.Errorf("%+v, %s, exit code %d", p.ending, p.res.Verdict, p.res.ExitCode)
	}
	if s := p.scenario(t, "the target responds and accepts the key"); s.Outcome != record.Errored || s.Reason != "GET /pets → no response: connection refused" {
		t.Errorf("%+v", s)
	}
	if len(service.Asked) != 2 {
		t.Errorf("%d requests, want one that is repeated once", len(service.Asked))
	}
}

// The exchanges of the preflight are judged like all others.
func TestPreflightAnswersAreJudged(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		if len(service.Asked) == 1 {
			a.Header.Set("Content-Type", "text/plain")
		}
	}
	p := playRun(t, t.Context(), service, with(t, oneList))
	s := p.scenario(t, "the target responds and accepts the key")
	if s.Outcome != record.Failed || len(s.Findings) != 1 || s.Findings[0].Rule != "answer.media-type" || p.res.ExitCode != verdict.ExitViolated {
		t.Errorf("%+v, exit code %d", s, p.res.ExitCode)
	}
}

func TestRunsThatCannotBegin(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"nothing selected": {func(c *Config) { c.Selection.Tags = "@nonesuch" }, "no scenario is selected"},
		"an unknown rule":  {func(c *Config) { c.Selection.Rules = []string{"x.y"} }, `no rule is called "x.y"`},
		"an unknown step":  {with(t, "@rule:list.accepted\nFeature: F\n Scenario: S\n  When all is well\n"), `no step reads "all is well"`},
	} {
		service := rehearse.NewShop()
		p := playRun(t, t.Context(), service, test.change)
		if p.err == nil || !strings.Contains(p.err.Error(), test.want) || errors.As(p.err, new(Unreachable)) {
			t.Errorf("%s: %v, want %s", name, p.err, test.want)
		}
		if len(service.Asked) != 0 || p.res.ExitCode == 0 {
			t.Errorf("%s: %d requests were sent, exit code %d", name, len(service.Asked), p.res.ExitCode)
		}
	}
}
