package main

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"hallmark/internal/cli"
	"hallmark/internal/files"
	"hallmark/spec/petstore/petstoretest"
)

// The documentation is tested like code: what it shows is what happens, and what it names is there.
//
// A block of "console" is a script for sh and its output. Lines after "$ " are commands, and "…" stands for any output.
// The service that a block asks is a fresh reference service; "console against=NAME" gives it the fault or freedom of that
// name, and against=nobody is an address where nobody listens. The blocks of a page run in its order and in one folder, as
// a reader walks along it, and a block of any language that says file=NAME is that file. UPDATE_DOCS=1 writes numbers that have changed, the outputs
// of commands that have none yet, and docs/rules.md; "make docs" does that.

const (
	docsRoot = "../.."
	// docsKey is what the services of the documentation let in. Near misses of it can be made.
	docsKey = "Docs-Key-4711-abcXYZ"
	// docsURL is the address of every service in the documentation: that at which "hallmark serve" listens.
	docsURL = docsHost + "/v1"
	// docsHost is docsURL without its path.
	docsHost = "http://127.0.0.1:8080"
)

// page is a file of the documentation.
type page struct {
	name  string
	lines []string
}

// fence is a block of code: lines[from:to] of its page, the fences not included.
type fence struct {
	language, attributes string
	from, to             int
}

func readPages(t *testing.T) []page {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(docsRoot, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var pages []page
	for _, name := range append(names, filepath.Join(docsRoot, "README.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		relative, err := filepath.Rel(docsRoot, name)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page{filepath.ToSlash(relative), lines(string(text))})
	}
	return pages
}

func (p page) fences() []fence {
	var all []fence
	inside := false
	for i, line := range p.lines {
		info, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && !inside:
			language, attributes, _ := strings.Cut(info, " ")
			all = append(all, fence{language: language, attributes: attributes, from: i + 1})
		case isFence:
			all[len(all)-1].to = i
		}
		inside = inside != isFence
	}
	return all
}

// prose is the page without its blocks of code, line by line.
func (p page) prose() []string {
	text := slices.Clone(p.lines)
	for _, f := range p.fences() {
		for i := f.from - 1; i <= f.to; i++ {
			text[i] = ""
		}
	}
	return text
}

// attribute is what stands behind "name=" in the line that opens a block.
func (f fence) attribute(name string) string {
	for word := range strings.FieldsSeq(f.attributes) {
		if text, found := strings.CutPrefix(word, name+"="); found {
			return text
		}
	}
	return ""
}

// kind is the first word behind the language that is no name=value.
func (f fence) kind() string {
	for word := range strings.FieldsSeq(f.attributes) {
		if !strings.Contains(word, "=") {
			return word
		}
	}
	return ""
}

// TestDocsRules compares docs/rules.md with the catalogue.
func TestDocsRules(t *testing.T) {
	const head = `# The rules

Every rule by which hallmark judges. What the levels mean stands in [vendors.md](vendors.md#three-levels). The list is
that of ` + "`hallmark rules --format markdown`" + `, without its last column, which tells how many scenarios ask about each.

`
	var list bytes.Buffer
	if code := run(t.Context(), []string{"rules", "--format", "markdown"}, noEnvironment, &list, io.Discard, nil); code != 0 {
		t.Fatalf("hallmark rules ended with %d", code)
	}
	name := filepath.Join(docsRoot, "docs", "rules.md")
	want := head + regexp.MustCompile(`(?m)^(\|.*\|)[^|\n]*\|$`).ReplaceAllString(list.String(), "$1")
	if os.Getenv("UPDATE_DOCS") != "" {
		if err := files.Replace(name, want); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(have)); diff != "" {
		t.Errorf("docs/rules.md is not what the catalogue says; run \"make docs\":\n%s", diff)
	}
}

func noEnvironment(string) (string, bool) { return "", false }

// TestDocsCommands tries the flags and arguments of every command of hallmark's in the documentation, and looks up what
// is named besides: targets of the Makefile, rules, files.
func TestDocsCommands(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(docsRoot, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z-]*):`).FindAllStringSubmatch(string(makefile), -1) {
		targets[m[1]] = true
	}
	catalogue := petstoretest.Catalogue(t)
	areas := map[string]bool{}
	for _, r := range catalogue.Rules {
		areas[r.Area()] = true
	}
	ruleID := regexp.MustCompile(`^(` + strings.Join(slices.Sorted(maps.Keys(areas)), "|") + `)(\.[\w-]+)+$`)
	span := regexp.MustCompile("`([^`]+)`")
	plainWord := regexp.MustCompile(`^[a-z][a-z-]*$`)
	path := regexp.MustCompile(`\b(cmd|docs|features|internal|reference|reports|spec|steps)/[a-z/-]*(\.[a-z]+\b)?`)

	for _, p := range readPages(t) {
		check := func(at int, text string) {
			for _, command := range commandsIn(text) {
				switch command[0] {
				case "hallmark":
					if err := tryCommand(command[1:]); err != nil {
						t.Errorf("%s:%d: %s: %v", p.name, at, strings.Join(command, " "), err)
					}
				case "make":
					for _, word := range command[1:] {
						if plainWord.MatchString(word) && !targets[word] && !isFile(word) && word != "hallmark" {
							t.Errorf("%s:%d: the Makefile has no target %s", p.name, at, word)
						}
					}
				}
			}
		}
		for _, f := range p.fences() {
			if slices.Contains([]string{"sh", "yaml", "console"}, f.language) {
				check(f.from+1, strings.Join(p.lines[f.from:f.to], "\n"))
			}
		}
		for _, f := range p.fences() {
			for i := f.from; i < f.to && f.language == "text"; i++ { // pictures, and what is printed
				for _, word := range path.FindAllString(p.lines[i], -1) {
					if !isFile(word) {
						t.Errorf("%s:%d: there is no file %s", p.name, i+1, word)
					}
				}
			}
		}
		for i, line := range p.prose() {
			for _, m := range span.FindAllStringSubmatch(line, -1) {
				word := m[1]
				check(i+1, word)
				if ruleID.MatchString(word) {
					if _, known := catalogue.Rule(word); !known && !isFile(word) {
						t.Errorf("%s:%d: no rule is called %s", p.name, i+1, word)
					}
				}
				if strings.HasPrefix(word, "--") && !knownFlag(word) {
					t.Errorf("%s:%d: no command has the flag %s", p.name, i+1, word)
				}
				if room, _, _ := strings.Cut(word, "/"); plainWord.MatchString(room) && room != word && room != "bin" && isFile(room) && !isFile(word) { // what is built may not be there yet
					t.Errorf("%s:%d: there is no file %s", p.name, i+1, word)
				}
			}
		}
	}
}

// isFile reports whether the module has files of that name; it may hold wildcards.
func isFile(name string) bool {
	found, err := filepath.Glob(filepath.Join(docsRoot, filepath.FromSlash(name)))
	return err == nil && len(found) > 0
}

// commandsIn splits the text of a script into its simple commands, and those into words; assignments before a command
// and marks of prompts and lists are left out.
func commandsIn(text string) [][]string {
	text = regexp.MustCompile(`(?m)(^|\s)#.*$`).ReplaceAllString(text, "") // comments
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\\\n", " "), "\n> ", " ")
	word := regexp.MustCompile(`"[^"]*"|'[^']*'|\$\([^)]*\)|&&|[|;\n]|[^\s|;]+`)
	var all [][]string
	var command []string
	for _, w := range append(word.FindAllString(text, -1), "\n") {
		switch {
		case w == "\n" || w == "|" || w == ";" || w == "&&":
			if len(command) > 0 {
				all = append(all, command)
			}
			command = nil
		case len(command) == 0 && (w == "$" || w == "-" || w == "run:" || strings.Contains(w, "=")):
		case len(command) == 0:
			command = []string{strings.TrimPrefix(w, "bin/")}
		default:
			command = append(command, strings.Trim(w, `"'`))
		}
	}
	return all
}

// tryCommand parses a command line of hallmark's without running it.
func tryCommand(args []string) error {
	for i, arg := range args {
		if arg == "…" || strings.HasPrefix(arg, ">") || strings.HasPrefix(arg, "2>") || arg == "&" {
			args = args[:i]
			break
		}
	}
	a := &app{&cli.Env{Lookup: noEnvironment, Stdout: io.Discard, Stderr: io.Discard}}
	cmd, rest, err := a.root().Find(args)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return cli.FlagError(cmd, err)
	}
	if cmd.HasSubCommands() || cmd.Name() == "help" {
		return nil
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// knownFlag reports whether a command has the flag that a text begins with.
func knownFlag(text string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(strings.Fields(text)[0], "--"), "=")
	a := &app{&cli.Env{Lookup: noEnvironment, Stdout: io.Discard, Stderr: io.Discard}}
	for _, cmd := range a.root().Commands() {
		cmd.InitDefaultHelpFlag()
		if cmd.Flags().Lookup(name) != nil {
			return true
		}
	}
	return false
}

// TestDocsLinks follows every link that leads to a file, or to a heading of one.
func TestDocsLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)]+)\)`)
	anchors := map[string]map[string]bool{}
	pages := readPages(t)
	for _, p := range pages {
		anchors[p.name] = p.anchors()
	}
	for _, p := range pages {
		for i, line := range p.prose() {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				file, anchor, _ := strings.Cut(m[1], "#")
				name := p.name
				if file != "" {
					name = filepath.ToSlash(filepath.Join(filepath.Dir(p.name), file))
				}
				if !isFile(name) {
					t.Errorf("%s:%d: the link %s leads to no file", p.name, i+1, m[1])
				} else if anchor != "" && !anchors[name][anchor] {
					t.Errorf("%s:%d: %s has no heading #%s", p.name, i+1, name, anchor)
				}
			}
		}
	}
}

// anchors are the names that a page's headings have in links.
func (p page) anchors() map[string]bool {
	all := map[string]bool{}
	for _, line := range p.prose() {
		if title, isHeading := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); isHeading && strings.HasPrefix(line, "#") {
			name := regexp.MustCompile(`[^\w\s-]`).ReplaceAllString(strings.ToLower(title), "")
			all[strings.ReplaceAll(name, " ", "-")] = true
		}
	}
	return all
}

// TestDocsExitCodes compares the tables of exit codes with the help text.
func TestDocsExitCodes(t *testing.T) {
	codes := func(text, form string) []string {
		var all []string
		for _, m := range regexp.MustCompile(form).FindAllStringSubmatch(text, -1) {
			all = append(all, m[1])
		}
		return all
	}
	want := codes(exitCodes, `(?m)^  (\d+) `)
	for _, p := range readPages(t) {
		have := codes(strings.Join(p.lines, "\n"), `(?m)^\| (\d+) +\|`)
		if diff := cmp.Diff(want, have); len(have) > 0 && diff != "" {
			t.Errorf("%s has another table of exit codes than the help text:\n%s", p.name, diff)
		}
	}
}

// TestDocsYAML reads every snippet of YAML, and those for CI systems as these do.
func TestDocsYAML(t *testing.T) {
	found := map[string]int{}
	for _, p := range readPages(t) {
		for _, f := range p.fences() {
			if f.language != "yaml" {
				continue
			}
			var doc any
			if err := yaml.Unmarshal([]byte(strings.Join(p.lines[f.from:f.to], "\n")), &doc); err != nil {
				t.Errorf("%s:%d: %v", p.name, f.from, err)
				continue
			}
			found[f.kind()]++
			top, _ := doc.(map[string]any)
			switch f.kind() {
			case "github":
				checkGitHub(t, top)
			case "gitlab":
				checkGitLab(t, top)
			}
		}
	}
	if found["github"] == 0 || found["gitlab"] == 0 {
		t.Errorf("snippets for both CI systems are expected; found %v", found)
	}
}

// checkGitHub reads a workflow: what starts it, and jobs of steps, each of which either uses an action or runs something.
func checkGitHub(t *testing.T, workflow map[string]any) {
	t.Helper()
	jobs, _ := workflow["jobs"].(map[string]any)
	if workflow["on"] == nil || len(jobs) == 0 {
		t.Errorf("a workflow needs on and jobs; it has %v", slices.Sorted(maps.Keys(workflow)))
	}
	for name, j := range jobs {
		job, _ := j.(map[string]any)
		steps, _ := job["steps"].([]any)
		if job["runs-on"] == nil || len(steps) == 0 {
			t.Errorf("the job %s needs runs-on and steps", name)
		}
		for i, s := range steps {
			step, _ := s.(map[string]any)
			_, uses := step["uses"].(string)
			_, runs := step["run"].(string)
			if uses == runs {
				t.Errorf("step %d of the job %s uses an action or runs a script", i+1, name)
			}
		}
	}
}

// checkGitLab reads a pipeline: every job has a script, in lines of text.
func checkGitLab(t *testing.T, pipeline map[string]any) {
	t.Helper()
	notJobs := []string{"stages", "variables", "default", "include", "workflow"}
	jobs := 0
	for name, j := range pipeline {
		if slices.Contains(notJobs, name) {
			continue
		}
		jobs++
		job, _ := j.(map[string]any)
		script, _ := job["script"].([]any)
		if len(script) == 0 {
			t.Errorf("the job %s has no script", name)
		}
		for _, line := range script {
			if _, isText := line.(string); !isText {
				t.Errorf("the job %s: %v is no line of a script", name, line)
			}
		}
	}
	if jobs == 0 {
		t.Error("the pipeline has no job")
	}
}

// TestDocsAreText keeps out of the documentation what readers elsewhere can make nothing of.
func TestDocsAreText(t *testing.T) {
	strange := regexp.MustCompile(`/(work|home|Users|root|tmp|private)/|\bpets_[\w-]{20,}|localhost:\d{5}|[ \t]+$`)
	for _, p := range readPages(t) {
		for i, line := range p.lines {
			if found := strange.FindString(line); found != "" {
				t.Errorf("%s:%d: %q does not belong there", p.name, i+1, found)
			}
		}
	}
}

// lines splits a text at its line feeds.
func lines(text string) []string { return strings.Split(text, "\n") }
