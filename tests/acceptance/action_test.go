package acceptance

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/tests/shop"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// The action is played as a runner of GitHub Actions plays it: its steps in their order, with their variables and conditions. What other
// actions do is left out, but for the cache, which brings the binary of these tests along, and gh, for which a script stands in.

type actionStep struct {
	ID    string
	If    string
	Uses  string
	Shell string
	Run   string
	Env   map[string]string
	With  map[string]string
}

type actionFile struct {
	Inputs map[string]struct {
		Description string
		Default     string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

func readAction(t *testing.T) (action actionFile, text string) {
	t.Helper()
	read, err := os.ReadFile(filepath.Join(docsRoot, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(read, &action); err != nil {
		t.Fatal(err)
	}
	return action, string(read)
}

var (
	expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)
	scriptOf   = regexp.MustCompile(`^"\$GITHUB_ACTION_PATH/(tools/action/[a-z]+\.sh)"$`)
)

// What the steps use is there, and what is there is used.
func TestActionFile(t *testing.T) {
	action, text := readAction(t)
	if action.Runs.Using != "composite" {
		t.Fatalf("the action is %q", action.Runs.Using)
	}
	_, steps, _ := strings.Cut(text, "\nruns:")
	for name, input := range action.Inputs {
		if input.Description == "" || !strings.Contains(steps, "inputs."+name+" ") {
			t.Errorf("the input %s is not described, or not used", name)
		}
	}
	ids, scripts := map[string]bool{}, map[string]bool{}
	for i, step := range action.Runs.Steps {
		if step.Uses != "" {
			continue
		}
		found := scriptOf.FindStringSubmatch(step.Run)
		if found == nil || step.Shell != "bash" { // a value in the text of a script would be run
			t.Fatalf("step %d: %q is not the call of a script by bash", i+1, step.Run)
		}
		file := filepath.Join(docsRoot, found[1])
		script, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
			t.Errorf("%s cannot be executed: %v", found[1], err)
		}
		for name := range step.Env {
			if name != "GH_TOKEN" && !regexp.MustCompile(`\$\{?`+name+`\b`).Match(script) {
				t.Errorf("%s does not use %s", found[1], name)
			}
		}
		for _, m := range regexp.MustCompile(`\boutput ([a-z-]+) `).FindAllSubmatch(script, -1) {
			ids[step.ID+".outputs."+string(m[1])] = true
		}
		scripts[filepath.Base(found[1])] = true
	}
	for _, m := range regexp.MustCompile(`steps\.([a-z.-]+)`).FindAllStringSubmatch(text, -1) {
		if !ids[m[1]] {
			t.Errorf("no script sets %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(text, -1) {
		if _, known := action.Inputs[m[1]]; !known {
			t.Errorf("there is no input %s", m[1])
		}
	}
	all, err := filepath.Glob(filepath.Join(docsRoot, "tools", "action", "*.sh"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		if name := filepath.Base(file); !scripts[name] && name != "common.sh" {
			t.Errorf("no step runs %s", name)
		}
	}
}

// TestActionLint has actionlint read the steps as those of a workflow, whose expressions it knows, and a workflow that uses the action.
func TestActionLint(t *testing.T) {
	tool, err := filepath.Abs(filepath.Join(docsRoot, "bin", "tools", "actionlint"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(tool); err != nil {
		t.Skip("actionlint is not built here; make tools builds it")
	}
	action, text := readAction(t)
	_, steps, _ := strings.Cut(text, "\n  steps:\n")
	var workflow strings.Builder
	workflow.WriteString("on:\n  workflow_call:\n    inputs:\n")
	for _, name := range slices.Sorted(maps.Keys(action.Inputs)) {
		workflow.WriteString("      " + name + ": {type: string}\n")
	}
	workflow.WriteString("jobs:\n  steps:\n    runs-on: ubuntu-latest\n    steps:\n" + regexp.MustCompile(`(?m)^`).ReplaceAllString(steps, "  "))
	const use = "on: push\njobs:\n  use:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: ./\n        id: it\n        with: {contract: api.yaml}\n      - run: echo ${{ steps.it.outputs.reports }}\n"
	for _, c := range []struct {
		workflow, from, to string
	}{
		{workflow.String(), "steps.plan.outputs", "steps.plann.outputs"},
		{workflow.String(), "inputs.name", "inputs.nmae"},
		{use, "contract:", "contrat:"},
		{use, "outputs.reports", "outputs.report"},
	} {
		root := t.TempDir()
		for _, folder := range []string{".git", ".github/workflows"} {
			if err := os.MkdirAll(filepath.Join(root, folder), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(root, "action.yml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, try := range []struct {
			text string
			ok   bool
		}{{c.workflow, true}, {strings.Replace(c.workflow, c.from, c.to, 1), false}} {
			file := filepath.Join(root, ".github", "workflows", "it.yaml")
			if err := os.WriteFile(file, []byte(try.text), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), tool, file)
			cmd.Dir = root
			if out, err := cmd.CombinedOutput(); (err == nil) != try.ok {
				t.Errorf("with %s, actionlint says %v:\n%s", c.to, err, out)
			}
		}
	}
}

// runner is a runner of GitHub Actions with a repository of a user.
type runner struct {
	dir, workspace string
	env            map[string]string // of the step that uses the action
	github         map[string]string // the context
}

func newRunner(t *testing.T) *runner {
	t.Helper()
	for _, tool := range []string{"bash", "git", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s here", tool)
		}
	}
	if runtime.GOOS == "windows" {
		t.Skip("a script stands in for gh")
	}
	dir := t.TempDir()
	r := &runner{dir: dir, workspace: filepath.Join(dir, "workspace"), env: map[string]string{}, github: map[string]string{}}
	for _, folder := range []string{r.workspace, filepath.Join(dir, "bin"), filepath.Join(dir, "comments")} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	r.write(t, "bin/gh", ghScript)
	root, err := filepath.Abs(docsRoot)
	if err != nil {
		t.Fatal(err)
	}
	r.github["action_path"] = root
	return r
}

// ghScript stands in for gh: comments are files, named by their id.
const ghScript = `#!/usr/bin/env bash
set -euo pipefail
echo "$@" >>"$GH_FOLDER/../gh.log"
[ "$GH_TOKEN" = right ] || { echo 'HTTP 403: Resource not accessible by integration' >&2; exit 1; }
last=${*: -1}
case $* in
	*graphql*) ls "$GH_FOLDER" ;;
	*"--method POST repos/o/r/issues/7/comments -F body=@"*) cp "${last#*@}" "$GH_FOLDER/4711" ;;
	*"--method PATCH repos/o/r/issues/comments/4711 -F body=@"*) cp "${last#*@}" "$GH_FOLDER/4711" ;;
	*) exit 1 ;;
esac
`

func (r *runner) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

func (r *runner) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

// played is what became of the action.
type played struct {
	code    int // of the first step that failed
	out     string
	outputs map[string]string
	uses    []string // the other actions that it used
}

// play runs the action with inputs.
func (r *runner) play(t *testing.T, inputs map[string]string) played {
	t.Helper()
	action, _ := readAction(t)
	var p played
	values := map[string]string{"true": "true"}
	for name, value := range r.github {
		values["github."+name] = value
	}
	expand := func(text string) string {
		return expression.ReplaceAllStringFunc(text, func(e string) string { return values[expression.FindStringSubmatch(e)[1]] })
	}
	for name, input := range action.Inputs {
		values["inputs."+name] = expand(input.Default)
	}
	for name, value := range inputs {
		if _, known := action.Inputs[name]; !known {
			t.Fatalf("there is no input %s", name)
		}
		values["inputs."+name] = value
	}
	for _, step := range action.Runs.Steps {
		if !due(t, step.If, values, p.code != 0) {
			continue
		}
		if step.Uses != "" {
			p.uses = append(p.uses, step.Uses)
			if strings.HasPrefix(step.Uses, "actions/cache@") {
				r.cache(t, expand(step.With["path"]))
			}
			continue
		}
		env := maps.Clone(r.env)
		for name, value := range step.Env {
			env[name] = expand(value)
		}
		code, out, outputs := r.script(t, step.Run, env)
		p.out += out
		if p.code == 0 {
			p.code = code
		}
		for name, value := range outputs {
			values["steps."+step.ID+".outputs."+name] = value
		}
	}
	p.outputs = map[string]string{}
	for name, output := range action.Outputs {
		p.outputs[name] = expand(output.Value)
	}
	return p
}

// due reports whether a step is run, by its condition: terms that all have to hold.
func due(t *testing.T, condition string, values map[string]string, failed bool) bool {
	t.Helper()
	if condition == "" {
		return !failed
	}
	for term := range strings.SplitSeq(expression.FindStringSubmatch(condition)[1], " && ") {
		holds := false
		switch left, right, found := strings.Cut(term, " == "); {
		case found:
			holds = values[left] == strings.Trim(right, "'")
		case strings.Contains(term, " != "):
			left, right, _ := strings.Cut(term, " != ")
			holds = values[left] != strings.Trim(right, "'")
		case term == "!cancelled()":
			holds = true
		case strings.HasPrefix(term, "contains(fromJSON("):
			list, item, _ := strings.Cut(term, ", steps.")
			holds = strings.Contains(list, `"`+values["steps."+strings.TrimSuffix(item, ")")]+`"`)
		case strings.HasPrefix(term, "github."):
			holds = values[term] != ""
		default:
			t.Fatalf("the condition %s is not understood", term)
		}
		if !holds {
			return false
		}
	}
	return true
}

// cache puts the binary of the tests where the cache of the runner would.
func (r *runner) cache(t *testing.T, folder string) {
	t.Helper()
	binary, err := exec.LookPath("hallmark")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(folder, "hallmark")); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
}

// script runs a step and returns its exit code, what it printed, and its outputs.
func (r *runner) script(t *testing.T, run string, env map[string]string) (code int, text string, outputs map[string]string) {
	t.Helper()
	file := filepath.Join(r.dir, "output")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", run)
	cmd.Dir = r.workspace
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !regexp.MustCompile(`^(HALLMARK|GITHUB|RUNNER|CI|GIT)(_|$)`).MatchString(name) && name != "PATH" {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env,
		"PATH="+filepath.Join(r.dir, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH="+r.github["action_path"], "GITHUB_OUTPUT="+file, "GITHUB_REPOSITORY=o/r", "GITHUB_RUN_ID=12",
		"GITHUB_SERVER_URL=https://github.com", "GITHUB_STEP_SUMMARY="+filepath.Join(r.dir, "summary.md"), "GITHUB_WORKSPACE="+r.workspace,
		"GH_FOLDER="+filepath.Join(r.dir, "comments"), "RUNNER_ARCH=X64", "RUNNER_OS=Linux", "RUNNER_TEMP="+r.dir,
		"RUNNER_TOOL_CACHE="+filepath.Join(r.dir, "tools"), "XDG_STATE_HOME="+filepath.Join(r.dir, "state"))
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if exit, failed := errors.AsType[*exec.ExitError](err); failed {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	outputs = map[string]string{}
	for line := range strings.Lines(r.read(t, "output")) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		outputs[name] = value
	}
	return code, string(out), outputs
}

// The job ends as hallmark ends, above all where its secrets are empty, and says what was found wherever it was asked to.
func TestActionJudges(t *testing.T) {
	skip.UnderRace(t)
	for name, c := range map[string]struct {
		variant string
		inputs  map[string]string
		env     map[string]string
		code    int
		said    string // on the page of the job
		upload  bool   // to code scanning
	}{
		"conformant": {"", nil, map[string]string{"HALLMARK_API_KEY": shop.Key}, 0, "## CONFORMANT", true},
		"violated":   {"unknown-accepted", map[string]string{"args": "--per-operation 20\n--quiet"}, map[string]string{"HALLMARK_API_KEY": shop.Key}, 1, "## VIOLATED", true},
		"covered":    {"", map[string]string{"require-coverage": "operations=95,statuses=10"}, map[string]string{"HALLMARK_API_KEY": shop.Key}, 0, "## CONFORMANT", true},
		"uncovered":  {"", map[string]string{"require-coverage": "operations=95, schemas=100"}, map[string]string{"HALLMARK_API_KEY": shop.Key}, 4, "## PARTIAL", false},
		"no secret":  {"", nil, map[string]string{"HALLMARK_API_KEY": "", "HALLMARK_CREDENTIAL_KEY": ""}, 4, "## PARTIAL", false},
		"no service": {"", map[string]string{"base-url": "http://127.0.0.1:1", "args": "--patience 0s"}, map[string]string{"HALLMARK_API_KEY": shop.Key}, 3, "## INCONCLUSIVE", false},
		"wrong use":  {"", map[string]string{"args": "--nonesuch"}, nil, 2, "", false},
		"no boolean": {"", map[string]string{"strict": "yes"}, nil, 2, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t)
			server := httptest.NewServer(shop.New(c.variant))
			defer server.Close()
			r.write(t, "workspace/api.yaml", string(shop.Contract()))
			maps.Copy(r.env, c.env)
			r.github = map[string]string{"action_path": r.github["action_path"], "token": "right", "event.pull_request.number": "7", "event.pull_request.head.sha": "c0ffee"}
			inputs := map[string]string{"contract": "api.yaml", "base-url": server.URL, "sarif": "true"}
			maps.Copy(inputs, c.inputs)
			p := r.play(t, inputs)
			if p.code != c.code || p.outputs["exit-code"] != fmt.Sprint(c.code) && name != "no boolean" {
				t.Errorf("it ended with %d (%v), want %d:\n%s", p.code, p.outputs, c.code, p.out)
			}
			comment := r.read(t, "comments/4711")
			if said := r.read(t, "summary.md"); !strings.Contains(said, c.said) || !strings.Contains(comment, c.said) {
				t.Errorf("no %s in the summary or the comment:\n%s\n%s", c.said, said, comment)
			}
			if !strings.HasPrefix(comment, "<!-- hallmark: hallmark -->\n") || !strings.Contains(comment, "c0ffee") {
				t.Errorf("the comment is %q", comment)
			}
			if c.said == "" && !strings.Contains(comment, "## Nothing was judged") {
				t.Errorf("the comment does not say that nothing was judged: %s", comment)
			}
			if annotated := regexp.MustCompile(`(?m)^::error title=[^,]*,file=api\.yaml,line=\d+::`).MatchString(p.out); annotated != (c.code == 1) {
				t.Errorf("annotated at a line: %v\n%s", annotated, p.out)
			}
			if slices.Contains(p.uses, "github/codeql-action/upload-sarif@v4") != c.upload || !slices.Contains(p.uses, "actions/upload-artifact@v6") {
				t.Errorf("it used %q", p.uses)
			}
			for _, file := range []string{"hallmark.json", "hallmark.xml", "hallmark.html", "hallmark.md", "hallmark.sarif"} {
				if _, err := os.Stat(filepath.Join(p.outputs["reports"], file)); err != nil && c.said != "" {
					t.Error(err)
				}
			}
		})
	}
}

// The comment of an earlier run is updated, and one that cannot be written fails nothing.
func TestActionComments(t *testing.T) {
	r := newRunner(t)
	reports := filepath.Join(r.dir, "reports")
	comment := func(token string) (code int, out string) {
		code, out, _ = r.script(t, `"$GITHUB_ACTION_PATH/tools/action/comment.sh"`, map[string]string{
			"ACTION_NAME": "pets", "COMMIT": "c0ffee", "EXIT_CODE": "1", "GH_TOKEN": token, "PULL_REQUEST": "7", "REPORTS": reports,
		})
		return code, out
	}
	r.write(t, "reports/hallmark.md", "## VIOLATED\n")
	if code, out := comment("wrong"); code != 0 || !strings.Contains(out, "::warning") || r.read(t, "comments/4711") != "" {
		t.Errorf("without permission it ended with %d: %s", code, out)
	}
	if code, out := comment("right"); code != 0 || out != "" || !strings.Contains(r.read(t, "comments/4711"), "\n## VIOLATED\n") {
		t.Errorf("it ended with %d: %s", code, out)
	}
	r.write(t, "reports/hallmark.md", "## CONFORMANT\n")
	r.write(t, "reports/diff.md", "### Changes\n")
	if code, out := comment("right"); code != 0 || out != "" {
		t.Errorf("it ended with %d: %s", code, out)
	}
	if text := r.read(t, "comments/4711"); strings.Contains(text, "VIOLATED") || !strings.Contains(text, "## CONFORMANT\n\n### Changes\n") {
		t.Errorf("the comment is %s", text)
	}
	// What does not fit is left out, and said to be.
	r.write(t, "reports/diff.md", strings.Repeat("x", 66_000))
	if code, out := comment("right"); code != 0 || out != "" || len(r.read(t, "comments/4711")) > 65_536 || !strings.Contains(r.read(t, "comments/4711"), "does not fit") {
		t.Errorf("it ended with %d: %s", code, out)
	}
	log := r.read(t, "gh.log")
	if strings.Count(log, "--method POST") != 1 || strings.Count(log, "--method PATCH") != 2 || strings.Count(log, "viewerDidAuthor and (.body | startswith(\"<!-- hallmark: pets -->\"))") != 4 {
		t.Errorf("gh was called as\n%s", log)
	}
}

// Of the comments only an own one with the marker is updated.
func TestActionCommentFilter(t *testing.T) {
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("there is no jq here, whose filters gh understands")
	}
	script, err := os.ReadFile(filepath.Join(docsRoot, "tools", "action", "comment.sh"))
	if err != nil {
		t.Fatal(err)
	}
	filter := regexp.MustCompile(`--jq "(.*)" >`).FindStringSubmatch(string(script))
	if filter == nil {
		t.Fatal("comment.sh has no filter")
	}
	cmd := exec.CommandContext(t.Context(), jq, strings.NewReplacer(`\"`, `"`, "$marker", "<!-- hallmark: pets -->").Replace(filter[1]))
	cmd.Stdin = strings.NewReader(`{"data": {"repository": {"pullRequest": {"comments": {"nodes": [
		{"databaseId": 1, "viewerDidAuthor": false, "body": "<!-- hallmark: pets -->\n## CONFORMANT"},
		{"databaseId": 2, "viewerDidAuthor": true, "body": "<!-- hallmark: shop -->\n## CONFORMANT"},
		{"databaseId": 3, "viewerDidAuthor": true, "body": "> <!-- hallmark: pets -->"},
		{"databaseId": 4, "viewerDidAuthor": true, "body": "<!-- hallmark: pets -->\n## CONFORMANT"}
	]}}}}}`)
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "4\n" {
		t.Errorf("the filter finds %q, %v", out, err)
	}
}

// The contract is compared with that of the base branch, in a shallow clone as in a whole one.
func TestActionCompares(t *testing.T) {
	const operation = "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /a:\n    get:\n      operationId: listA\n      parameters:\n      - {name: limit, in: query, schema: {type: integer, maximum: 50}}\n      responses:\n        '200': {description: A, content: {application/json: {schema: {$ref: 'schemas/a.yaml#/A'}}}}\n"
	for name, c := range map[string]struct {
		contract, base, gate string
		clone                []string
		code                 int
		said, printed        string
	}{
		"the same":         {operation, "main", "true", nil, 0, ": 0 breaking changes", ""},
		"breaking":         {strings.Replace(operation, "50", "40", 1), "main", "false", []string{"--depth=1"}, 0, ": 1 breaking change,", ""},
		"breaking, fails":  {strings.Replace(operation, "50", "40", 1), "main", "true", nil, 1, ": 1 breaking change,", "::error title=hallmark diff,file=api/api.yaml::1 breaking change, since main;"},
		"no pull request":  {operation, "", "false", nil, 0, "", ""},
		"nothing compared": {operation, "", "true", nil, 0, "", "::warning"},
		"none":             {operation, "none", "true", nil, 0, "", ""},
		"no such branch":   {operation, "nonesuch", "false", nil, 0, "", "::warning"},
		"no branch, fails": {operation, "nonesuch", "true", nil, 2, "", "::error title=hallmark::nonesuch cannot be fetched"},
		"unreadable":       {"openapi: 3.1.0", "main", "false", nil, 0, "", "::warning title=hallmark::api/api.yaml cannot be compared with that of main: "},
		"unreadable, gate": {"openapi: 3.1.0", "main", "true", nil, 2, "", "::error"},
		"new":              {"", "empty", "true", nil, 0, "It is not in empty yet", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t)
			git := func(folder string, args ...string) {
				t.Helper()
				cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", filepath.Join(r.dir, folder), "-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %q: %v\n%s", args, err, out)
				}
			}
			r.write(t, "origin/api/schemas/a.yaml", "A: {type: array}\n")
			git("origin", "init", "--quiet", "--initial-branch=empty")
			git("origin", "add", ".")
			git("origin", "commit", "--quiet", "--message=one")
			git("origin", "checkout", "--quiet", "-b", "main")
			r.write(t, "origin/api/api.yaml", operation)
			git("origin", "add", ".")
			git("origin", "commit", "--quiet", "--message=two")
			git("", slices.Concat([]string{"clone", "--quiet"}, c.clone, []string{"file://" + filepath.Join(r.dir, "origin"), "workspace"})...)
			if c.contract != "" {
				r.write(t, "workspace/api/api.yaml", c.contract)
			}
			binary, err := exec.LookPath("hallmark")
			if err != nil {
				t.Fatal(err)
			}
			r.write(t, "reports/hallmark.md", "")
			code, out, _ := r.script(t, `"$GITHUB_ACTION_PATH/tools/action/diff.sh"`, map[string]string{
				"ARGS": "", "BINARY": binary, "CONTRACT": "./api/api.yaml", "DIFF_BASE": c.base, "FAIL_ON_BREAKING": c.gate, "REPORTS": filepath.Join(r.dir, "reports"),
			})
			if code != c.code || !strings.Contains(out, c.printed) || c.printed == "" && out != "" {
				t.Errorf("it ended with %d:\n%s", code, out)
			}
			diff, summary := r.read(t, "reports/diff.md"), r.read(t, "summary.md")
			if !strings.Contains(diff, c.said) || strings.TrimSpace(summary) != strings.TrimSpace(diff) || (diff == "") != (c.said == "") || strings.Contains(diff+out, os.TempDir()) {
				t.Errorf("it says %q, and on the page of the job %q", diff, summary)
			}
		})
	}
}

// A release is used only with the checksum that it states; where there is none, the source of the action is built.
func TestActionInstalls(t *testing.T) {
	archive := releaseArchive(t, "hallmark_1.2.3_linux_amd64", "#!/bin/sh\necho 'hallmark v1.2.3'\n")
	sum := fmt.Sprintf("%x  hallmark_1.2.3_linux_amd64.tar.gz\n", sha256.Sum256(archive))
	for name, c := range map[string]struct {
		ref, version, path string
		sums               string
		archive            []byte
		built              bool
		code               int
		printed            string
	}{
		"the release of the action": {"v1.2.3", "", "", sum, archive, false, 0, "hallmark v1.2.3"},
		"by the action's folder":    {"", "", "/x/_actions/o/hallmark/v1.2.3", sum, archive, false, 0, "hallmark v1.2.3"},
		"another release":           {"main", "v1.2.3", "", sum, archive, false, 0, "hallmark v1.2.3"},
		"altered":                   {"v1.2.3", "", "", sum, append(slices.Clone(archive), 0), false, 2, "another checksum than SHA256SUMS says"},
		"not in the checksums":      {"v1.2.3", "", "", "0 other.tar.gz\n", archive, false, 2, "the release v1.2.3 has no hallmark_1.2.3_linux_amd64.tar.gz"},
		"lost":                      {"v1.2.3", "", "", sum, nil, false, 2, "cannot be fetched"},
		"no such release":           {"main", "v9.9.9", "", sum, archive, false, 2, "o/hallmark has no release v9.9.9"},
		"no release at all":         {"v9.9.9", "", "", sum, archive, true, 0, "hallmark v9.9.9 of source"},
		"a branch":                  {"main", "", "", sum, archive, true, 0, "hallmark source-"},
		"a wrong version":           {"main", "1.2", "", sum, archive, false, 2, `version is "1.2"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				switch {
				case req.URL.Path == "/o/hallmark/releases/download/v1.2.3/SHA256SUMS":
					fmt.Fprint(w, c.sums)
				case req.URL.Path == "/o/hallmark/releases/download/v1.2.3/hallmark_1.2.3_linux_amd64.tar.gz" && c.archive != nil:
					w.Write(c.archive)
				default:
					http.NotFound(w, req)
				}
			}))
			defer server.Close()
			// It stands in for Go, and makes a program that says its version.
			r.write(t, "bin/go", "#!/bin/sh\n[ \"$PWD\" = \""+r.github["action_path"]+"\" ] && [ \"$CGO_ENABLED\" = 0 ] || exit 1\nwhile [ \"$1\" != -ldflags ]; do shift; done\nprintf '#!/bin/sh\\necho hallmark %s of source\\n' \"${2##*=}\" >\"$4\"\nchmod +x \"$4\"\ntouch \"$RUNNER_TEMP/built\"\n")
			code, out, plan := r.script(t, `"$GITHUB_ACTION_PATH/tools/action/plan.sh"`, map[string]string{
				"ACTION_NAME": "hallmark", "ACTION_PATH": cmp.Or(c.path, r.github["action_path"]), "ACTION_REF": c.ref,
				"ACTION_REPOSITORY": map[bool]string{true: "o/hallmark"}[c.path == ""], "ACTION_VERSION": c.version,
			})
			if code == 0 {
				env := map[string]string{"ACTION_PATH": r.github["action_path"], "ACTION_VERSION": c.version, "GITHUB_SERVER_URL": server.URL}
				for _, name := range []string{"folder", "id", "platform", "repository", "version"} {
					env[strings.ToUpper(name)] = plan[name]
				}
				var more string
				var installed map[string]string
				code, more, installed = r.script(t, `"$GITHUB_ACTION_PATH/tools/action/install.sh"`, env)
				out += more
				if _, err := os.Stat(installed["binary"]); (err == nil) != (c.code == 0) {
					t.Errorf("the binary %q: %v", installed["binary"], err)
				}
				if !strings.HasPrefix(plan["key"], "hallmark-linux-amd64-"+plan["id"]) || !strings.HasPrefix(installed["binary"], plan["folder"]+"/") {
					t.Errorf("the cache keeps %v as %v", installed, plan)
				}
			}
			_, err := os.Stat(filepath.Join(r.dir, "built"))
			if code != c.code || !strings.Contains(out, c.printed) || (err == nil) != c.built {
				t.Errorf("it ended with %d, built %v:\n%s", code, err == nil, out)
			}
		})
	}
}

// releaseArchive is the archive of a release, with a program.
func releaseArchive(t *testing.T, folder, program string) []byte {
	t.Helper()
	var text bytes.Buffer
	zipped := gzip.NewWriter(&text)
	tape := tar.NewWriter(zipped)
	if err := tape.WriteHeader(&tar.Header{Name: folder + "/hallmark", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	if _, err := tape.Write([]byte(program)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(tape.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}
