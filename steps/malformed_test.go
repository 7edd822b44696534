package steps

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"hallmark/internal/hostile"
	"hallmark/internal/skip"
	"hallmark/reports/verdict"
	"hallmark/steps/client"
	"hallmark/steps/petstore/rehearse"
	"hallmark/steps/scenario"
)

// A service that answers nonsense has broken a rule; one that stops answering has not. Neither takes much memory; what a run
// takes in all is measured with the binary, in cmd/hallmark.
func TestHostileAnswers(t *testing.T) {
	for i, test := range hostile.Answers() {
		t.Run(test.Name, func(t *testing.T) {
			skip.Sampled(t, i, 20)
			t.Parallel()
			p := playHostile(t, test, 6)
			text := fmt.Sprint(p.err, p.ending.Lost)
			for _, f := range p.musts(t) {
				text += "\n" + f.Rule + ": " + f.Actual.String()
				if told := f.Expected.String() + f.Actual.String() + f.Where.String() + f.Cause; len(told) > 4*scenario.LongestTold {
					t.Errorf("a finding of %d characters: %.200s", len(told), told)
				}
			}
			if !strings.Contains(text, test.Says) {
				t.Errorf("exit code %d, want it to say %q:\n%s", p.res.ExitCode, test.Says, text)
			}
			lost := test.Rule == ""
			if found := len(p.musts(t)); lost != (found == 0) || !lost && p.res.ExitCode != verdict.ExitViolated {
				t.Errorf("%d findings, exit code %d: %s", found, p.res.ExitCode, p.res.Because)
			}
			for _, ex := range p.rec.Exchanges {
				if ex.Response != nil && (len(ex.Response.Body) > scenario.KeptBody || ex.Response.Size > client.MaxBody) {
					t.Errorf("%d of %d bytes are kept", len(ex.Response.Body), ex.Response.Size)
				}
			}
		})
	}
}

// playHostile plays the beginning of a run that creates nothing.
func playHostile(t *testing.T, answer hostile.Answer, requests int, changes ...func(*Config)) played {
	t.Helper()
	base, stop, err := hostile.Listen(answer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	transport := client.NewTransport(2)
	t.Cleanup(transport.CloseIdleConnections)
	return playRun(t, t.Context(), transport, append([]func(*Config){func(c *Config) {
		c.Target.BaseURL, c.Timeout, c.Concurrency = base, 20*time.Second, 2
		if answer.Slow {
			c.Timeout = 300 * time.Millisecond
		}
		c.Limits.MaxRequests = requests
		c.Target.ReadOnly, c.Selection.ReadOnly = true, true
	}}, changes...)...)
}

// Animals may have as many fields as the service likes, and be longer than what is read: that is not held against it, and
// not passed either.
func TestAnimalsBeyondMeasureAreNotJudged(t *testing.T) {
	long := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" +
		`[{"id":1,"name":"x","categoryId":1},{"id":3,"name":"z","categoryId":1},{"id":2,"name":"y","categoryId":1,"photo":"` +
		strings.Repeat("a", client.MaxBody) + `"}]`
	answer := hostile.Answer{Write: func(w io.Writer, _ *http.Request) { _, _ = io.WriteString(w, long) }}
	p := playHostile(t, answer, 3, func(c *Config) { c.Selection.Rules = []string{"list.limit.honoured"} })
	if len(p.musts(t)) > 0 || p.res.ExitCode != verdict.ExitUnjudged || !strings.Contains(p.ending.Lost, "could not be judged") {
		t.Errorf("%v, exit code %d, lost %q", p.musts(t), p.res.ExitCode, p.ending.Lost)
	}
}

// A service that answers without end makes a run of a thousand requests no longer than it has to be.
func TestEndlessAnswersAreReadAtLengthOnlySometimes(t *testing.T) {
	skip.InShort(t)
	service := rehearse.NewShop()
	service.Change = func(_ *http.Request, a *rehearse.Reply) { a.Body = strings.Repeat(" ", client.MaxBody+1) }
	p := playRun(t, t.Context(), service, func(c *Config) { c.Limits.MaxRequests, c.Concurrency = 3*client.MaxLong, 1 })
	var long, short int
	for _, ex := range p.rec.Exchanges {
		if ex.Response == nil || !ex.Response.TooLong {
			t.Errorf("exchange %d was not too long", ex.Seq)
			continue
		}
		switch ex.Response.Size {
		case client.MaxBody:
			long++
		case client.ShortBody:
			short++
		}
	}
	if long != client.MaxLong || short == 0 || long+short != len(p.rec.Exchanges) {
		t.Errorf("%d answers of %d were read at length, and %d shortly", long, len(p.rec.Exchanges), short)
	}
}
