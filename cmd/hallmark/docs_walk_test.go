package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"hallmark/internal/files"
	"hallmark/internal/skip"
	"hallmark/reference/petstore"
	"hallmark/reference/petstore/variants"
)

// TestDocsOutputs runs the blocks of "console" and compares what comes out with what stands there.
func TestDocsOutputs(t *testing.T) {
	skip.UnderRace(t)
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh here")
	}
	for _, p := range readPages(t) {
		t.Run(p.name, func(t *testing.T) {
			if testing.Short() && p.name != "README.md" {
				t.Skip("-short: of the pages only README.md is walked")
			}
			t.Parallel()
			w := newWalk(t)
			w.keys = p.keys()
			changed := false
			for i := range p.fences() {
				f := p.fences()[i] // the blocks before it may have more lines now
				if name := f.attribute("file"); name != "" {
					w.write(t, name, strings.Join(p.lines[f.from:f.to], "\n")+"\n")
				}
				if f.language == "console" {
					changed = p.tryConsole(t, w, f) || changed
				}
			}
			if changed && os.Getenv("UPDATE_DOCS") != "" {
				if err := files.Replace(filepath.Join(docsRoot, p.name), strings.Join(p.lines, "\n")); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// walk is what a reader of one page has: a folder, a place for journals, and a service at one address.
type walk struct {
	folder, state, address string
	keys                   []string // the variables that hold the key
	service                atomic.Pointer[http.Handler]
}

func newWalk(t *testing.T) *walk {
	t.Helper()
	w := &walk{folder: t.TempDir(), state: t.TempDir()}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { (*w.service.Load()).ServeHTTP(rw, r) }))
	t.Cleanup(server.Close)
	w.address = server.URL + "/v1"
	return w
}

// keys are the variables that hold the key for a reader of the page: the one that it has the reader set for its target, else
// whichever a block needs.
func (p *page) keys() []string {
	const own = "STAGING_API_KEY"
	if slices.ContainsFunc(p.lines, func(line string) bool { return strings.HasPrefix(line, "export "+own+"=") }) {
		return []string{own}
	}
	return []string{"HALLMARK_API_KEY", own}
}

// write makes a file of a block, where the address of the page is that of the service.
func (w *walk) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.folder, name), []byte(strings.ReplaceAll(text, docsURL, w.address)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// turn is a command of a block, with the output that the page shows for it.
type turn struct {
	command string
	shown   []string
}

// tryConsole runs a block. It reports whether it changed the page.
func (p *page) tryConsole(t *testing.T, w *walk, f fence) (changed bool) {
	t.Helper()
	var turns []turn
	for _, line := range p.lines[f.from:f.to] {
		last := len(turns) - 1
		command, isCommand := strings.CutPrefix(line, "$ ")
		more, goesOn := strings.CutPrefix(line, "> ")
		switch {
		case isCommand:
			turns = append(turns, turn{command: command})
		case last < 0:
			t.Fatalf("%s:%d: a block of console begins with a command", p.name, f.from+1)
		case goesOn && len(turns[last].shown) == 0:
			turns[last].command += "\n" + more
		default:
			turns[last].shown = append(turns[last].shown, line)
		}
	}
	outputs := w.runConsole(t, f, turns)
	var fresh []string
	for i, s := range turns {
		fresh = append(fresh, "$ "+strings.ReplaceAll(s.command, "\n", "\n> "))
		actual := strings.TrimRight(outputs[i], "\n")
		if os.Getenv("UPDATE_DOCS") != "" {
			s.shown = updated(s.shown, actual)
		}
		if !alike(strings.Join(s.shown, "\n"), actual) {
			t.Errorf("%s:%d: %q gives other words; it gives\n%s", p.name, f.from+1, s.command, actual)
		}
		fresh = append(fresh, s.shown...)
	}
	fresh = lines(strings.Join(fresh, "\n"))
	changed = !slices.Equal(fresh, p.lines[f.from:f.to])
	p.lines = slices.Concat(p.lines[:f.from], fresh, p.lines[f.to:])
	return changed
}

// runConsole runs the commands of a block in one shell and returns the output of each.
func (w *walk) runConsole(t *testing.T, f fence, turns []turn) []string {
	t.Helper()
	const end = "\x1e" // stands between the outputs
	host := strings.TrimSuffix(w.serve(t, f.attribute("against")), "/v1")
	var script strings.Builder
	for _, s := range turns {
		command := strings.ReplaceAll(s.command, docsHost, host)
		if m := inBackground.FindStringSubmatch(command); m != nil {
			command = "rm -f " + m[1] + "\n" + command + "\nuntil grep -qs '\"fate\":\"created\"' " + m[1] + "; do sleep 0.05; done"
		}
		script.WriteString(command + "\ncode=$?; printf '" + end + "'; (exit $code)\n")
	}
	shell := exec.CommandContext(t.Context(), "sh")
	shell.Stdin = strings.NewReader(script.String())
	shell.Dir = w.folder
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "HALLMARK_") && !strings.HasPrefix(v, "GITHUB_") {
			shell.Env = append(shell.Env, v)
		}
	}
	for _, name := range w.keys {
		shell.Env = append(shell.Env, name+"="+docsKey)
	}
	shell.Env = append(shell.Env, "XDG_STATE_HOME="+w.state)
	var out bytes.Buffer
	shell.Stdout, shell.Stderr = &out, &out
	_ = shell.Run() // its exit code is that of the last command
	text := strings.NewReplacer(host, docsHost, w.state, "~/.local/state", w.folder, "~").Replace(out.String())
	outputs := strings.Split(text, end)
	if len(outputs) != len(turns)+1 {
		t.Fatalf("line %d: the shell ended before the last command:\n%s", f.from, out.String())
	}
	return outputs
}

// inBackground is a run that goes on while the commands behind it are run: they begin once its journal names an animal.
var inBackground = regexp.MustCompile(`--journal (\S+) .*&$`)

// serve starts what a block asks and returns its address.
func (w *walk) serve(t *testing.T, name string) string {
	t.Helper()
	if name == "nobody" {
		gone := httptest.NewServer(http.NotFoundHandler())
		gone.Close()
		return gone.URL + "/v1"
	}
	variant, known := variants.Variant{}, name == ""
	for _, f := range variants.Faults() {
		if f.Name == name {
			variant, known = f.Variant, true
		}
	}
	for _, f := range variants.Freedoms() {
		if f.Name == name {
			variant, known = f.Variant, true
		}
	}
	if !known {
		t.Fatalf("there is no fault and no freedom %q", name)
	}
	service, err := variants.Build(petstore.Options{Keys: []string{docsKey}}, variant)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Close() })
	handler := service.Handler
	w.service.Store(&handler)
	return w.address
}

// Whatever differs from run to run, or moves whenever a scenario is added.
var (
	counted  = regexp.MustCompile(`\d[\d,]*\s+(scenario|exchange|byte|animal|skipped|more)s?\b`)
	timed    = regexp.MustCompile(`\b\d[\d.,]*\s?(?:ms|µs|s)\b`)
	versions = regexp.MustCompile(`(?m)^(hallmark +)\S+( ·|$)`)
	varying  = regexp.MustCompile(`limit=\d+|seed \d+|hallmark-[0-9a-z]{6}-\d+|\d{8}-\d{6}\.\d{9}-\d+\.journal|run [0-9a-z]{6}|hallmark/[\w.-]+ \(|\["[0-9a-z]{6}-\d+"\]|X-Correlation-Id: [0-9a-z]{6}-\d+|"id": ?-?\d+|sha256:[0-9a-f]{64}|\.feature:\d+|go\d\.\d+\S*|\b(linux|darwin)/\w+`)
	digits   = regexp.MustCompile(`\d[\d,.]*`)
)

// unproven is what a run says of a suite that was changed since its last proof, which takes too long to be renewed with
// each change.
var unproven = regexp.MustCompile(`This\s+suite\s+is\s+not\s+the\s+one\s+that\s+was\s+proven:[^.]*\.\s+That\s+one\s+finds`)

// stable is a text with the parts replaced that differ from run to run.
func stable(text string) string {
	text = unproven.ReplaceAllString(text, "This suite finds")
	text = versions.ReplaceAllString(text, "${1}VERSION$2")
	text = counted.ReplaceAllString(text, "N $1")
	return varying.ReplaceAllString(timed.ReplaceAllString(text, "TIME"), "VARIES")
}

// alike compares an output word by word, so that lines may be broken elsewhere. The word "…" stands for any words.
func alike(shown, actual string) bool {
	rest := strings.Fields(stable(actual))
	parts := [][]string{{}}
	for word := range strings.FieldsSeq(stable(shown)) {
		if word == "…" {
			parts = append(parts, []string{})
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], word)
	}
	for i, part := range parts {
		at := 0
		for at+len(part) <= len(rest) && !slices.Equal(part, rest[at:at+len(part)]) {
			at++
		}
		if i == len(parts)-1 {
			at = len(rest) - len(part)
		}
		if at < 0 || i == 0 && at > 0 || at+len(part) > len(rest) || !slices.Equal(part, rest[at:at+len(part)]) {
			return false
		}
		rest = rest[at+len(part):]
	}
	return true
}

// updated is a shown output with the numbers of the real one. Where nothing is shown, that is all of the real one.
func updated(shown []string, actual string) []string {
	if len(shown) == 0 && actual != "" {
		return lines(actual)
	}
	if alike(strings.Join(shown, "\n"), actual) {
		return shown // also where several lines differ in nothing but their numbers
	}
	words := func(line string) string { return strings.Join(strings.Fields(digits.ReplaceAllString(line, "N")), " ") }
	numbers := map[string]string{}
	for _, line := range lines(actual) {
		numbers[words(line)] = line
	}
	out := slices.Clone(shown)
	for i, line := range shown {
		if now, there := numbers[words(line)]; there && !alike(line, now) {
			out[i] = now
		}
	}
	return out
}
