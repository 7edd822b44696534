package acceptance

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

	books "github.com/hallmark-kit/hallmark/examples/bookshop/service"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/tests/pages"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// What the documentation shows is what happens.
//
// A block of "console" is a script for sh and its output. Lines after "$ " are commands, and "…" stands for any output.
// The service that a block asks is a fresh reference service; "console against=NAME" gives it the fault or freedom of that
// name, against=nobody is an address where nobody listens, and against=bookshop is the example service, against=bookshop/NAME
// with a fault. contract=FILE copies that file of the source to api.yaml first. $SOURCE is the folder of hallmark's source. The blocks of a page run in its order and in one folder, as
// a reader walks along it, and a block of any language that says file=NAME is that file. UPDATE_DOCS=1 writes numbers that
// have changed, and the outputs of commands that have none yet; "make docs" does that.

const (
	// docsRoot is where the module is.
	docsRoot = "../.."
	// docsKey is what the services of the documentation let in. Near misses of it can be made.
	docsKey = "Docs-Key-4711-abcXYZ"
	// docsURL is the address of every service in the documentation: that at which "hallmark serve" listens.
	docsURL = docsHost + "/v1"
	// bookshop names the example service.
	bookshop = "bookshop"
	// docsHost is docsURL without its path.
	docsHost = "http://127.0.0.1:8080"
)

// TestDocsOutputs runs the blocks of "console" and compares what comes out with what stands there.
func TestDocsOutputs(t *testing.T) {
	skip.UnderRace(t)
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh here")
	}
	for _, p := range pages.Read(t, docsRoot) {
		t.Run(p.Name, func(t *testing.T) {
			if testing.Short() && p.Name != "README.md" {
				t.Skip("-short: of the pages only README.md is walked")
			}
			t.Parallel()
			w := newWalk(t)
			w.keys = keysOf(p)
			changed := false
			for i := range p.Fences() {
				f := p.Fences()[i] // the blocks before it may have more lines now
				if name := f.Attribute("file"); name != "" {
					w.write(t, name, strings.Join(p.Lines[f.From:f.To], "\n")+"\n")
				}
				if name := f.Attribute("contract"); name != "" {
					text, err := os.ReadFile(filepath.Join(docsRoot, filepath.FromSlash(name)))
					if err != nil {
						t.Fatal(err)
					}
					w.write(t, "api.yaml", string(text))
				}
				if f.Language == "console" {
					changed = w.tryConsole(t, &p, f) || changed
				}
			}
			if changed && os.Getenv("UPDATE_DOCS") != "" {
				if err := files.Replace(filepath.Join(docsRoot, p.Name), strings.Join(p.Lines, "\n")); err != nil {
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

// keysOf are the variables that hold the key for a reader of the page: the one that it has the reader set for its target, none for
// one whose secrets have other names, else whichever a block needs.
func keysOf(p pages.Page) []string {
	const own = "STAGING_API_KEY"
	if slices.ContainsFunc(p.Lines, func(line string) bool { return strings.HasPrefix(line, "export "+own+"=") }) {
		return []string{own}
	}
	if slices.ContainsFunc(p.Lines, func(line string) bool { return strings.HasPrefix(line, "export HALLMARK_CREDENTIAL_") }) {
		return nil
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
func (w *walk) tryConsole(t *testing.T, p *pages.Page, f pages.Fence) (changed bool) {
	t.Helper()
	var turns []turn
	for _, line := range p.Lines[f.From:f.To] {
		last := len(turns) - 1
		command, isCommand := strings.CutPrefix(line, "$ ")
		more, goesOn := strings.CutPrefix(line, "> ")
		switch {
		case isCommand:
			turns = append(turns, turn{command: command})
		case last < 0:
			t.Fatalf("%s:%d: a block of console begins with a command", p.Name, f.From+1)
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
			t.Errorf("%s:%d: %q gives other words; it gives\n%s", p.Name, f.From+1, s.command, actual)
		}
		fresh = append(fresh, s.shown...)
	}
	fresh = strings.Split(strings.Join(fresh, "\n"), "\n")
	changed = !slices.Equal(fresh, p.Lines[f.From:f.To])
	p.Lines = slices.Concat(p.Lines[:f.From], fresh, p.Lines[f.To:])
	return changed
}

// runConsole runs the commands of a block in one shell and returns the output of each.
func (w *walk) runConsole(t *testing.T, f pages.Fence, turns []turn) []string {
	t.Helper()
	const end = "\x1e" // stands between the outputs
	host := strings.TrimSuffix(w.serve(t, f.Attribute("against")), "/v1")
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
	source, err := filepath.Abs(docsRoot)
	if err != nil {
		t.Fatal(err)
	}
	shell.Env = append(shell.Env, "XDG_STATE_HOME="+w.state, "SOURCE="+source)
	if strings.HasPrefix(f.Attribute("against"), bookshop) {
		shell.Env = append(shell.Env, "HALLMARK_CREDENTIAL_STAFF="+books.StaffKey, "HALLMARK_CREDENTIAL_CUSTOMER="+books.CustomerToken)
	}
	var out bytes.Buffer
	shell.Stdout, shell.Stderr = &out, &out
	_ = shell.Run() // its exit code is that of the last command
	text := strings.NewReplacer(host, docsHost, strings.TrimPrefix(host, "http://"), strings.TrimPrefix(docsHost, "http://"), w.state, "~/.local/state", w.folder, "~").Replace(out.String())
	outputs := strings.Split(text, end)
	if len(outputs) != len(turns)+1 {
		t.Fatalf("line %d: the shell ended before the last command:\n%s", f.From, out.String())
	}
	return outputs
}

// inBackground is a run that goes on while the commands behind it are run: they begin once its journal names a resource.
var inBackground = regexp.MustCompile(`--journal (\S+) .*&$`)

// serve starts what a block asks and returns its address.
func (w *walk) serve(t *testing.T, name string) string {
	t.Helper()
	if name == "nobody" {
		return "http://127.0.0.1:1/v1"
	}
	if own, is := strings.CutPrefix(name, bookshop); is {
		var handler http.Handler = books.New(strings.TrimPrefix(own, "/"))
		w.service.Store(&handler)
		return w.address
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
	built, err := variants.Build(petstore.Options{Keys: []string{docsKey}}, variant)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { built.Close() })
	handler := built.Handler
	w.service.Store(&handler)
	return w.address
}

// Whatever differs from run to run, or moves whenever a scenario is added.
var (
	counted  = regexp.MustCompile(`\d[\d,]*\s+(scenario|exchange|byte|animal|item|resource|skipped|more)s?\b`)
	timed    = regexp.MustCompile(`\b\d[\d.,]*\s?(?:ms|µs|s)\b`)
	versions = regexp.MustCompile(`(?m)^(hallmark +)\S+( ·|$)`)
	varying  = regexp.MustCompile(`limit(?:=| is )\d+|seed \d+|hallmark-[0-9a-z]{6}-\d+|\d{8}-\d{6}\.\d{9}-\d+\.journal|run [0-9a-z]{6}|hallmark/[\w.-]+ \(|\["[0-9a-z]{6}-\d+"\]|X-Correlation-Id: [0-9a-z]{6}-\d+|"id": ?-?\d+|sha256:[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\.feature:\d+|go\d\.\d+\S*|\b(linux|darwin)/\w+`)
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
		return strings.Split(actual, "\n")
	}
	if alike(strings.Join(shown, "\n"), actual) {
		return shown // also where several lines differ in nothing but their numbers
	}
	words := func(line string) string {
		return strings.Join(strings.Fields(digits.ReplaceAllString(timed.ReplaceAllString(line, "TIME"), "N")), " ")
	}
	numbers := map[string]string{}
	for line := range strings.SplitSeq(actual, "\n") {
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
