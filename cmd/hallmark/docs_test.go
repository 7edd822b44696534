package main

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/tests/pages"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

// The documentation is tested like code: what it names is there. tests/acceptance tests that what it shows is what happens.
// UPDATE_DOCS=1, which "make docs" sets, writes docs/rules.md.

// docsRoot is where the module is.
const docsRoot = "../.."

// TestDocsRules compares docs/rules.md with the catalogue.
func TestDocsRules(t *testing.T) {
	const head = `# The rules

Every rule by which hallmark judges. What the levels mean stands in [vendors.md](vendors.md#three-levels). The list is
that of ` + "`hallmark rules --format markdown`" + `, without its last column, which tells how many scenarios ask about each.

`
	var list bytes.Buffer
	if code := run(t.Context(), []string{"rules", "--format", "markdown"}, noEnvironment, &list, io.Discard, &memory{}); code != 0 {
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
	inTree := regexp.MustCompile(`\b(cmd|docs|features|internal|reference|reports|spec|steps)/[a-z/-]*(\.[a-z]+\b)?`)

	for _, p := range pages.Read(t, docsRoot) {
		check := func(at int, text string) {
			for _, command := range commandsIn(text) {
				switch command[0] {
				case "hallmark":
					if err := tryCommand(command[1:]); err != nil {
						t.Errorf("%s:%d: %s: %v", p.Name, at, strings.Join(command, " "), err)
					}
				case "make":
					for _, word := range command[1:] {
						if plainWord.MatchString(word) && !targets[word] && !isFile(word) && word != "hallmark" {
							t.Errorf("%s:%d: the Makefile has no target %s", p.Name, at, word)
						}
					}
				}
			}
		}
		for _, f := range p.Fences() {
			if slices.Contains([]string{"sh", "yaml", "console"}, f.Language) {
				check(f.From+1, strings.Join(p.Lines[f.From:f.To], "\n"))
			}
		}
		for _, f := range p.Fences() {
			for i := f.From; i < f.To && f.Language == "text"; i++ { // pictures, and what is printed
				for _, word := range inTree.FindAllString(p.Lines[i], -1) {
					if !isFile(word) {
						t.Errorf("%s:%d: there is no file %s", p.Name, i+1, word)
					}
				}
			}
		}
		for i, line := range p.Prose() {
			for _, m := range span.FindAllStringSubmatch(line, -1) {
				word := m[1]
				check(i+1, word)
				if ruleID.MatchString(word) {
					if _, known := catalogue.Rule(word); !known && !isFile(word) {
						t.Errorf("%s:%d: no rule is called %s", p.Name, i+1, word)
					}
				}
				if strings.HasPrefix(word, "--") && !knownFlag(word) {
					t.Errorf("%s:%d: no command has the flag %s", p.Name, i+1, word)
				}
				if room, _, _ := strings.Cut(word, "/"); plainWord.MatchString(room) && room != word && !slices.Contains([]string{"bin", "tests"}, room) && isFile(room) && !isFile(word) { // what is built may not be there yet, and "hallmark init api.yaml tests" is an example
					t.Errorf("%s:%d: there is no file %s", p.Name, i+1, word)
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
	all := pages.Read(t, docsRoot)
	for _, p := range all {
		anchors[p.Name] = p.Anchors()
	}
	for _, p := range all {
		for i, line := range p.Prose() {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				file, anchor, _ := strings.Cut(m[1], "#")
				name := p.Name
				if file != "" {
					name = filepath.ToSlash(filepath.Join(filepath.Dir(p.Name), file))
				}
				if !isFile(name) {
					t.Errorf("%s:%d: the link %s leads to no file", p.Name, i+1, m[1])
				} else if anchor != "" && !anchors[name][anchor] {
					t.Errorf("%s:%d: %s has no heading #%s", p.Name, i+1, name, anchor)
				}
			}
		}
	}
}

// TestDocsSkills reads what agents choose a skill by, within the limits of the format (agentskills.io).
func TestDocsSkills(t *testing.T) {
	found := 0
	for _, p := range pages.Read(t, docsRoot) {
		if path.Base(p.Name) != "SKILL.md" {
			continue
		}
		found++
		var front struct{ Name, Description string }
		_, text, _ := strings.Cut(strings.Join(p.Lines, "\n"), "---\n")
		text, _, closed := strings.Cut(text, "\n---\n")
		if err := yaml.Unmarshal([]byte(text), &front); err != nil || p.Lines[0] != "---" || !closed {
			t.Errorf("%s has no front matter: %v", p.Name, err)
		}
		if front.Name != path.Base(path.Dir(p.Name)) || front.Description == "" || len(front.Description) > 1024 {
			t.Errorf("%s: the name is %q, and the description has %d bytes", p.Name, front.Name, len(front.Description))
		}
	}
	if found == 0 {
		t.Error("there is no skill")
	}
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
	for _, p := range pages.Read(t, docsRoot) {
		have := codes(strings.Join(p.Lines, "\n"), `(?m)^\| (\d+) +\|`)
		if diff := cmp.Diff(want, have); len(have) > 0 && diff != "" {
			t.Errorf("%s has another table of exit codes than the help text:\n%s", p.Name, diff)
		}
	}
}

// TestDocsYAML reads every snippet of YAML, and those for CI systems as these do.
func TestDocsYAML(t *testing.T) {
	found := map[string]int{}
	for _, p := range pages.Read(t, docsRoot) {
		for _, f := range p.Fences() {
			if f.Language != "yaml" {
				continue
			}
			var doc any
			if err := yaml.Unmarshal([]byte(strings.Join(p.Lines[f.From:f.To], "\n")), &doc); err != nil {
				t.Errorf("%s:%d: %v", p.Name, f.From, err)
				continue
			}
			found[f.Kind()]++
			top, _ := doc.(map[string]any)
			switch f.Kind() {
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
	for _, p := range pages.Read(t, docsRoot) {
		for i, line := range p.Lines {
			if found := strange.FindString(line); found != "" {
				t.Errorf("%s:%d: %q does not belong there", p.Name, i+1, found)
			}
		}
	}
}
