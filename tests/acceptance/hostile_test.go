//go:build unix

package acceptance

import (
	"flag"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/tests/hostile"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

const (
	// mostMemory is what a run may take at its peak, in KiB, whatever it is answered.
	mostMemory = 150 << 10
	aKey       = "only-for-hostile-4711"
)

// hostileRequests is how many requests a run makes of each of the services; 0 is for a whole run.
var hostileRequests = flag.Int("hostile.requests", 60, "how many requests TestHostileServices makes of each service; 0 for a whole run") //nolint:gochecknoglobals // a flag of the tests

// No response makes hallmark take much memory or time, or show what would do harm; and it says what is wrong.
func TestHostileServices(t *testing.T) {
	skip.UnderRace(t)
	for i, answer := range hostile.Answers() {
		t.Run(answer.Name, func(t *testing.T) {
			skip.Sampled(t, i, 16)
			t.Parallel() // most of them wait
			base, stop, err := hostile.Listen(answer)
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
			s := newShell(t, aKey)
			args := append([]string{"run", "--base-url", base, "--journal", filepath.Join(s.folder, "a.journal"), "--timeout", "20s"}, s.everyReport("report")...)
			if answer.Slow {
				args = append(args, "--timeout", "300ms")
			}
			if answer.Asked {
				args = append(args, "--rule", answer.Rule)
			}
			if *hostileRequests > 0 {
				args = append(args, "--max-requests", fmt.Sprint(*hostileRequests))
			}
			e := s.run(args...)
			t.Logf("%-40s exit code %d, %4d MiB, %6.2f s", answer.Name, e.code, e.memory>>10, e.took.Seconds())
			if runtime.GOOS == "linux" && e.memory > mostMemory {
				t.Errorf("it took %d KiB, and may take %d", e.memory, mostMemory)
			}
			all := s.artefacts()
			wantTold(t, answer, e, all["report.json"])
			all["stdout"], all["stderr"] = e.stdout, e.stderr
			if len(all) < 3+len(session.Formats()) {
				t.Errorf("only %d artefacts are there", len(all))
			}
			for name, text := range all {
				wantSafe(t, name, text)
			}
		})
	}
}

// wantTold says when the exit code or what was found do not fit what was answered.
func wantTold(t *testing.T, answer hostile.Behaviour, e ended, record string) {
	t.Helper()
	code := verdict.ExitViolated
	if answer.Rule == "" {
		code = verdict.ExitUnjudged
	}
	if e.code != code {
		t.Errorf("exit code %d, want %d: %s", e.code, code, e.stderr)
	}
	plain := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	text := e.stdout + e.stderr
	broken, said := answer.Rule == "", strings.Contains(plain(text), answer.Says)
	// Which of several breaches leads, and gives the example, depends on what was asked first: so the record counts too.
	rec, _, err := reports.ReadJSON(strings.NewReader(record))
	if err != nil {
		t.Fatal(err)
	}
	catalogue := petstoretest.Catalogue(t)
	within := func(rule string) bool { // or that very rule
		for rule != "" && rule != answer.Rule {
			r, _ := catalogue.Rule(rule)
			rule = r.Within
		}
		return rule != ""
	}
	for _, sc := range rec.Scenarios {
		for _, f := range sc.Findings {
			if told := f.Expected.String() + f.Actual.String() + f.Where.String() + f.Cause; len(told) > 4*scenario.LongestTold {
				t.Errorf("a finding of %d characters: %.200s", len(told), told)
			}
			if within(f.Rule) {
				broken = true
				said = said || strings.Contains(plain(f.Expected.String()+" "+f.Actual.String()+" "+f.Where.String()), answer.Says)
			}
		}
	}
	for _, ex := range rec.Exchanges {
		if ex.Response != nil && (len(ex.Response.Body) > scenario.KeptBody || ex.Response.Size > client.MaxBody) {
			t.Errorf("%d of %d bytes are kept", len(ex.Response.Body), ex.Response.Size)
		}
	}
	if !broken || !said {
		t.Errorf("it does not say %q of %s:\n%.3000s", answer.Says, answer.Rule, text)
	}
}

// wantSafe says when a text steers what it is shown by.
func wantSafe(t *testing.T, name, text string) {
	t.Helper()
	if isPacked(text) {
		return
	}
	if !utf8.ValidString(text) {
		t.Errorf("%s is no UTF-8", name)
	}
	if strings.HasSuffix(name, ".feature") { // the scenario as we wrote it, to be played
		text = strings.ReplaceAll(text, "👨\u200d👩\u200d👧\u200d👦", "")
	}
	at := func(i int) string { return fmt.Sprintf("%q", text[max(0, i-80):min(len(text), i+40)]) }
	for i, r := range text {
		switch {
		case r == '\n', r == '\t':
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == '\u2028', r == '\u2029':
			t.Errorf("%s holds %U: %s", name, r, at(i))
			return
		}
	}
	if !strings.Contains(text[:min(len(text), 200)], "<!doctype html>") && !strings.HasSuffix(name, "html") {
		return // markup is text there
	}
	for _, markup := range []string{"<script>alert", "<img src=x", "<body onload", `href="javascript:`} {
		if i := strings.Index(text, markup); i >= 0 {
			t.Errorf("%s holds %s: %s", name, markup, at(i))
		}
	}
}
