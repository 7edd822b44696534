package terminal_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

func render(t *testing.T, r *fixture.Run, look terminal.Look) string {
	t.Helper()
	var out strings.Builder
	if err := terminal.Write(&out, fixture.ViewOf(t, &r.Rec), look); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTerminal(t *testing.T) {
	strict := fixture.BadRun(t)
	strict.Rec.Options.Strict = true
	for _, c := range []struct {
		file string
		run  *fixture.Run
		look terminal.Look
	}{
		{"terminal-good.txt", fixture.GoodRun(t), terminal.Look{Width: 100}},
		{"terminal-bad.txt", fixture.BadRun(t), terminal.Look{Width: 100}},
		{"terminal-bad-narrow.txt", fixture.BadRun(t), terminal.Look{Width: 60}},
		{"terminal-bad-strict-colour.txt", strict, terminal.Look{Width: 100, Colour: true}},
		{"terminal-broken.txt", fixture.BrokenRun(t), terminal.Look{}},
		{"terminal-part.txt", fixture.PartRun(t), terminal.Look{Width: 80}},
	} {
		t.Run(c.file, func(t *testing.T) {
			fixture.Golden(t, c.file, render(t, c.run, c.look))
		})
	}
}

func TestTerminalDetails(t *testing.T) {
	for _, c := range []struct {
		file string
		run  *fixture.Run
		look terminal.Look
	}{
		{"terminal-good-full.txt", fixture.GoodRun(t), terminal.Look{Width: 100, Detail: terminal.Full}},
		{"terminal-bad-brief.txt", fixture.BadRun(t), terminal.Look{Detail: terminal.Brief}},
		{"terminal-broken-brief.txt", fixture.BrokenRun(t), terminal.Look{Detail: terminal.Brief}},
		{"terminal-good-brief.txt", fixture.GoodRun(t), terminal.Look{Detail: terminal.Brief}},
	} {
		t.Run(c.file, func(t *testing.T) {
			fixture.Golden(t, c.file, render(t, c.run, c.look))
		})
	}
}

// What is said of a good run is seen at once, with a line left for the prompt of the shell.
func TestOneScreen(t *testing.T) {
	r := fixture.New(t)
	for _, rule := range fixture.Catalogue(t) {
		if rule.Level == spec.Open && rule.ID != "get.removed" && rule.ID != "create.name.unusual" {
			r.Scenario(rule.ID, record.Passed).Observations = []spec.Observation{{Rule: rule.ID, Asked: "a question", Answer: "a response", Exchange: 1}}
		}
	}
	r.Rec.NotApplicable = map[string]string{}
	for _, width := range []int{60, 80, 120} {
		page := render(t, r, terminal.Look{Width: width})
		if n := strings.Count(page, "\n"); n > 24 || !strings.Contains(page, "CONFORMANT") || !strings.Contains(page, "NOT EXERCISED") {
			t.Errorf("%d lines in %d columns:\n%s", n, width, page)
		}
		for line := range strings.Lines(page) {
			if text.Columns(strings.TrimSuffix(line, "\n")) > width {
				t.Errorf("wider than %d columns: %s", width, line)
			}
		}
	}
}

// What is broken comes first, then what was not asked, and last the verdict; what was observed takes a line.
func TestOrder(t *testing.T) {
	text := render(t, fixture.BadRun(t), terminal.Look{Width: 80})
	last := -1
	for _, mark := range []string{"\nCAUSES ", "\nFAIL ", "\nWARN ", "\nrules ", "\nNOT EXERCISED ", "\nNOT APPLICABLE ", "\nOBSERVED ", "\nVIOLATED "} {
		at := strings.Index(text, mark)
		if at <= last {
			t.Errorf("%q stands at %d, after %d", mark, at, last)
		}
		last = at
	}
	if strings.Contains(text, "PROOF") {
		t.Error("a run of a part names the figures of the whole")
	}
	if strings.Contains(text, "by id, ascending") {
		t.Error("an observation is told at length")
	}
}

// Logs and scripts look for the verdict in the last line.
func TestVerdictIsTheLastLine(t *testing.T) {
	for _, detail := range []terminal.Detail{terminal.Usual, terminal.Brief, terminal.Full} {
		lines := strings.Split(strings.TrimSuffix(render(t, fixture.BadRun(t), terminal.Look{Detail: detail}), "\n"), "\n")
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, "VIOLATED  ") || !strings.HasSuffix(last, "seed 42") {
			t.Errorf("the last line is %q", last)
		}
	}
}

func TestTerminalShowsNothingRaw(t *testing.T) {
	for _, r := range []*fixture.Run{fixture.GoodRun(t), fixture.BadRun(t), fixture.BrokenRun(t)} {
		for _, width := range []int{-1, 0, 1, 40, 80, 400} {
			for _, detail := range []terminal.Detail{terminal.Usual, terminal.Brief, terminal.Full} {
				for _, c := range render(t, r, terminal.Look{Width: width, Detail: detail}) {
					if c != '\n' && c != ' ' && !unicode.IsPrint(c) {
						t.Fatalf("%q stands in the text, width %d, detail %d", c, width, detail)
					}
				}
			}
		}
	}
}

func TestTerminalLines(t *testing.T) {
	page := render(t, fixture.BadRun(t), terminal.Look{Width: 80})
	if strings.Contains(page, "\n\n\n") {
		t.Error("there are two empty lines in a row")
	}
	lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
	for i, line := range lines {
		if strings.HasSuffix(line, " ") {
			t.Errorf("line %d ends in a space: %q", i+1, line)
		}
		// Only what is to be copied may be longer than the terminal is wide.
		if text.Columns(line) > 80 && !strings.Contains(line, "curl ") && !strings.Contains(line, "=$(") {
			t.Errorf("line %d is %d columns wide: %q", i+1, text.Columns(line), line)
		}
	}
}

// Colours may add nothing but themselves.
func TestColourSaysNothing(t *testing.T) {
	r := fixture.BadRun(t)
	without := render(t, r, terminal.Look{Width: 90})
	with := render(t, r, terminal.Look{Width: 90, Colour: true})
	for _, st := range []layout.Style{layout.Bold, layout.Dim, layout.Red, layout.Green, layout.Yellow} {
		with = strings.ReplaceAll(with, "\x1b["+string(st)+"m", "")
	}
	with = strings.ReplaceAll(with, "\x1b[0m", "")
	if diff := cmp.Diff(without, with); diff != "" {
		t.Errorf("without and with colours:\n%s", diff)
	}
}

func TestTerminalLongCurl(t *testing.T) {
	r := fixture.New(t)
	seq := r.Exchange(`POST /pets {"name":"`+strings.Repeat("y", 70000)+`"}`, 500, "")
	r.Scenario("create.name.unusual", record.Failed, r.StatusFinding("create.name.unusual", seq, 400, 500))
	for detail, want := range map[terminal.Detail]string{terminal.Usual: "hallmark replay f", terminal.Full: "is 70,174 characters long"} {
		text := render(t, r, terminal.Look{Width: 80, Detail: detail, Replayable: true})
		if len(text) > 12000 || !strings.Contains(text, want) {
			t.Errorf("no %q in a text of %d bytes:\n%.2000s", want, len(text), text)
		}
	}
}

func TestTerminalReportsWriteErrors(t *testing.T) {
	r := fixture.GoodRun(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	if err := terminal.Write(full, fixture.ViewOf(t, &r.Rec), terminal.Look{}); err == nil {
		t.Error("a full disk was not noticed")
	}
}

// What a target was lost by stands in whole before the last line, which may be too short for it, also where nothing else is wrong.
func TestLostInWhole(t *testing.T) {
	r := fixture.New(t)
	r.Rec.Lost = "the target stopped answering: " + strings.Repeat("x", 400) + " EOF"
	seq := r.Exchange(`POST /pets {"name":"lethal"}`, 0, "")
	r.Rec.Exchanges[seq-1].Response = nil
	r.Rec.Suspects = []record.Suspect{{Exchange: seq, Read: true}}
	for detail, want := range map[terminal.Detail]string{
		terminal.Usual: "POST /pets {\"name\":\"lethal\"} (exchange 1) was read; then the connection was closed\n      To find out, start the target again and send it this request:\n        curl ",
		terminal.Brief: "POST /pets {\"name\":\"lethal\"} (exchange 1) was in flight",
	} {
		out := render(t, r, terminal.Look{Width: 1000, Detail: detail})
		if !strings.Contains(out, "LOST  the target stopped answering: xxx") || !strings.Contains(out, "xxx EOF") || !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

// What was not asked takes at most 12 lines, whatever it is; in full, all rules are named.
func TestWhatWasNotAskedIsShort(t *testing.T) {
	var rules []spec.Rule
	r := fixture.New(t)
	r.Rec.Scenarios, r.Rec.Exercised = nil, map[string]int{"op0.success": 1}
	r.Rec.NotApplicable = map[string]string{}
	for i := range 200 {
		op := "op" + strconv.Itoa(i)
		for _, kind := range []string{"success", "accepted", "refused", "found"} {
			id := op + "." + kind
			rules = append(rules, spec.Rule{ID: id, Level: spec.Must, Section: op, Says: op, Operations: []string{op}})
			if kind == "found" {
				r.Rec.NotApplicable[id] = "reason " + strconv.Itoa(i%3)
				continue
			}
			s := r.Scenario(id, record.Skipped)
			s.Rules, s.Operations, s.Reason = []string{id}, []string{op}, op+" is not called: no operation is known to create what /things/"+strconv.Itoa(i)+"/{} names"
			if i%2 == 1 {
				s.Reason = strings.Repeat("a long reason ", 10) + strconv.Itoa(i%40)
			}
		}
	}
	v := view.New(&r.Rec, view.Sources{Catalogue: spec.RestoreCatalogue(rules, "")})
	for _, width := range []int{60, 100, 0} {
		var out strings.Builder
		if err := terminal.Write(&out, v, terminal.Look{Width: width}); err != nil {
			t.Fatal(err)
		}
		from, to := strings.Index(out.String(), "NOT EXERCISED"), strings.LastIndex(out.String(), "\n\n")
		if from < 0 || to < from {
			t.Fatalf("written:\n%s", out.String())
		}
		part := out.String()[from:to]
		if n := strings.Count(part, "\n") + 1; n > 12 || !strings.Contains(part, "300 rules: not called: no operati") || !strings.Contains(part, "NOT APPLICABLE  200 must rules") {
			t.Errorf("%d lines in %d columns:\n%s", n, width, part)
		}
		if n := strings.Count(part, ": a long reason"); width > 0 && n != 1 {
			t.Errorf("%d lines of %d columns give the same reason:\n%s", n, width, part)
		}
	}
	var out strings.Builder
	if err := terminal.Write(&out, v, terminal.Look{Detail: terminal.Full}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "op198.accepted") || !strings.Contains(out.String(), "op199.found") {
		t.Error("in full, not all rules are named")
	}
}

// A failure takes at most 25 lines, whatever its parts; in full it is not cut.
func TestAFailureIsShort(t *testing.T) {
	long := strings.Repeat("long words ", 200)
	for _, width := range []int{60, 80, 100, 160} {
		r := fixture.New(t)
		var seqs []int
		for range 6 {
			seqs = append(seqs, r.Exchange(`POST /pets {"name":"`+long+`"}`, 201, `{"id":50001,"name":"`+long+`"}`))
		}
		f := r.Finding("create.name.unusual", seqs[5], "", long, long)
		f.Rule, f.Kind, f.Exchanges, f.About = "create.id.own", spec.KindDuplicate, seqs, spec.About{IDs: []string{"50001"}}
		s := r.Scenario("create.id.own", record.Failed, f)
		s.Exchanges = seqs
		page := render(t, r, terminal.Look{Width: width, Replayable: true})
		_, block, _ := strings.Cut("\n"+page, "\nFAIL ")
		block, _, _ = strings.Cut(block, "\nrules ")
		if n := strings.Count(strings.TrimSpace(block), "\n") + 1; n > 25 || strings.Count(block, "^^^^^") < 2 || !strings.Contains(block, "hallmark replay "+f.ID()) {
			t.Errorf("%d lines in %d columns:\n%s", n, width, block)
		}
	}
}

// A wrong credential is said in a few lines: the rules of operations that never succeeded are counted, and the first line has the word of
// the last one.
func TestWrongCredentials(t *testing.T) {
	var rules []spec.Rule
	r := fixture.New(t)
	r.Rec.Exercised, r.Rec.Scenarios = map[string]int{"a.success": 1}, nil
	for _, op := range []string{"a", "b", "c", "d"} {
		for _, kind := range []string{"success", "accepted", "refused"} {
			rules = append(rules, spec.Rule{ID: op + "." + kind, Level: spec.Must, Section: op, Says: op, Operations: []string{op}, Cases: []string{kind}})
		}
	}
	for op, status := range map[string]int{"a": 200, "b": 401, "c": 401} {
		r.Rec.Exchanges[r.Exchange("GET /"+op, status, "{}")-1].Operation = op
	}
	for _, op := range []string{"b", "c", "d"} {
		s := r.Scenario(op+".accepted", record.Skipped)
		s.Operations, s.Reason = []string{op}, op+" never succeeded: a long reason"
	}
	r.Rec.Bodies = []record.BodySearch{{Operation: "a", Sent: 1, Accepted: true, Without: []string{"/x"}}, {Operation: "c", Named: []string{"/y"}}}
	v := view.New(&r.Rec, view.Sources{Catalogue: spec.RestoreCatalogue(rules, "")})
	write := func(detail terminal.Detail) string {
		var out strings.Builder
		if err := terminal.Write(&out, v, terminal.Look{Width: 200, Detail: detail}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	out := write(terminal.Usual)
	for _, want := range []string{
		"NOT EXERCISED  11 must rules; 3 scenarios skipped (--verbose names all)\n",
		"3 rules: never succeeded: last response 401 {}: b.accepted, b.success, b.refused\n",
		"3 rules: never succeeded: last response 401 {}, and the refusals name /y: c.accepted, ",
		"BODIES  1 operation refused plain bodies, and accepted others\n      a was refused with each plain body, and accepted without /x; ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if !strings.HasPrefix(out, "PARTIAL  ") || !strings.Contains(out, "\nPARTIAL  ") {
		t.Errorf("written:\n%s", out)
	}
	if out := write(terminal.Full); !strings.Contains(out, "b never succeeded: a long reason: b.accepted") {
		t.Errorf("in full:\n%s", out)
	}
}
