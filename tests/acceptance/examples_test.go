package acceptance

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// The files of docs/examples are meant to be taken as they are. So the tools that know such files read them, and what they
// run is run here, against the reference service.

const examples = docsRoot + "/docs/examples"

func readExample(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(examples, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func decodeExample(t *testing.T, text string) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// at follows a path of names and indexes.
func at[T any](t *testing.T, doc any, path ...any) T {
	t.Helper()
	for _, step := range path {
		switch key := step.(type) {
		case string:
			m, _ := doc.(map[string]any)
			doc = m[key]
		case int:
			l, _ := doc.([]any)
			if key >= len(l) {
				t.Fatalf("%v: there are %d items", path, len(l))
			}
			doc = l[key]
		}
	}
	value, ok := doc.(T)
	if !ok {
		t.Fatalf("%v is %T %v", path, doc, doc)
	}
	return value
}

// TestExamplesByTheirTools has each file read by the tool that knows it, and makes sure that the tool would see a slip.
func TestExamplesByTheirTools(t *testing.T) {
	for _, c := range []struct{ tool, file, from, to string }{
		{"actionlint", "github.yaml", "runs-on:", "run-on:"},
		{"actionlint", "github.yaml", "needs: build", "needs: biuld"},
		{"actionlint", "github.yaml", "matrix.shard }}", "matrix.shrad }}"},
		{"kubernetes", "kubernetes.yaml", "completionMode:", "completionsMode:"},
		{"kubernetes", "kubernetes.yaml", "completions: 3", `completions: "3"`},
		{"kubernetes", "kubernetes.yaml", "restartPolicy: Never", "restartPolicy: Always"},
		{"kubernetes", "kubernetes-verdict.yaml", "- name: results\n              mountPath", "- name: result\n              mountPath"},
	} {
		t.Run(c.tool+" "+c.to, func(t *testing.T) {
			tool, err := filepath.Abs(filepath.Join(docsRoot, "bin", "tools", c.tool))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(tool); err != nil {
				t.Skipf("%s is not built here; make tools builds it", c.tool)
			}
			text := readExample(t, c.file)
			for _, try := range []struct {
				text string
				ok   bool
			}{{text, true}, {strings.Replace(text, c.from, c.to, 1), false}} {
				file := filepath.Join(t.TempDir(), c.file)
				if err := os.WriteFile(file, []byte(try.text), 0o600); err != nil {
					t.Fatal(err)
				}
				out, err := exec.CommandContext(t.Context(), tool, file).CombinedOutput()
				if (err == nil) != try.ok {
					t.Errorf("%s says %v of %s:\n%s", c.tool, err, c.file, out)
				}
			}
		})
	}
}

// gitlabKeys are the keywords of GitLab jobs, as its reference lists them. Its own schema is not to be had as a package.
func gitlabKeys() []string {
	return []string{
		"after_script", "allow_failure", "artifacts", "before_script", "cache", "coverage", "dast_configuration", "dependencies",
		"environment", "extends", "hooks", "id_tokens", "identity", "image", "inherit", "interruptible", "manual_confirmation",
		"needs", "pages", "parallel", "release", "resource_group", "retry", "rules", "run", "script", "secrets", "services",
		"stage", "start_in", "tags", "timeout", "trigger", "variables", "when",
	}
}

func TestGitLabExample(t *testing.T) {
	text := readExample(t, "gitlab.yaml")
	if wrong := gitlabTrouble(decodeExample(t, text)); len(wrong) > 0 {
		t.Error(strings.Join(wrong, "\n"))
	}
	for from, to := range map[string]string{
		"parallel: 3": "paralel: 3", "stage: verdict": "stage: nonesuch", "parallel: 3 ": "parallel: three", "max: 1": "max: 7",
	} {
		from = strings.TrimSpace(from)
		if wrong := gitlabTrouble(decodeExample(t, strings.Replace(text, from, to, 1))); len(wrong) == 0 {
			t.Errorf("%q is not seen", to)
		}
	}
}

// gitlabTrouble lists what is wrong with a pipeline.
func gitlabTrouble(pipeline map[string]any) []string {
	var wrong []string
	stages, _ := pipeline["stages"].([]any)
	for name, j := range pipeline {
		if name == "stages" {
			continue
		}
		job, _ := j.(map[string]any)
		for key := range job {
			if !slices.Contains(gitlabKeys(), key) {
				wrong = append(wrong, fmt.Sprintf("%s: there is no keyword %s", name, key))
			}
		}
		if !slices.Contains(stages, job["stage"]) {
			wrong = append(wrong, fmt.Sprintf("%s: there is no stage %v", name, job["stage"]))
		}
		if script, _ := job["script"].([]any); len(script) == 0 {
			wrong = append(wrong, name+" has no script")
		}
		if n, given := job["parallel"]; given {
			if n, isNumber := n.(int); !isNumber || n < 1 || n > 200 {
				wrong = append(wrong, fmt.Sprintf("%s: parallel is %v", name, job["parallel"]))
			}
		}
		if retry, _ := job["retry"].(map[string]any); retry != nil {
			if n, isNumber := retry["max"].(int); !isNumber || n < 0 || n > 2 {
				wrong = append(wrong, fmt.Sprintf("%s: retry.max is %v", name, retry["max"]))
			}
		}
	}
	return wrong
}

// workshop is a folder in which the scripts of an example are run, with hallmark where they expect it.
type workshop struct {
	dir, address string
}

func newWorkshop(t *testing.T, fault string, places ...string) workshop {
	t.Helper()
	hallmark, err := exec.LookPath("hallmark")
	if err != nil {
		t.Fatal(err)
	}
	w := workshop{dir: t.TempDir(), address: newWalk(t).serve(t, fault)}
	for _, place := range places {
		file := filepath.Join(w.dir, place)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		// A script that stands for it: chmod and a copy by artifact do no harm to it.
		if err := os.WriteFile(file, []byte("#!/bin/sh\nexec "+hallmark+" \"$@\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// run runs a script of a job and gives its exit code.
func (w workshop) run(t *testing.T, shell []string, script string, env map[string]string) int {
	t.Helper()
	if _, err := exec.LookPath(shell[0]); err != nil {
		t.Skipf("there is no %s here", shell[0])
	}
	cmd := exec.CommandContext(t.Context(), shell[0], append(shell[1:], script)...)
	cmd.Dir = w.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "HALLMARK_") && !strings.HasPrefix(v, "CI_NODE_") && !strings.HasPrefix(v, "GITHUB_") && !strings.HasPrefix(v, "JOB_COMPLETION") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "XDG_STATE_HOME="+filepath.Join(w.dir, "state"))
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Env = append(cmd.Env, "HALLMARK_API_KEY="+docsKey, "HALLMARK_BASE_URL="+w.address)
	out, err := cmd.CombinedOutput()
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case failed:
		t.Logf("%s\n%s", script, lastLine(out))
		return exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	return 0
}

func lastLine(out []byte) string {
	all := strings.Split(strings.TrimSpace(string(out)), "\n")
	return all[len(all)-1]
}

// verdict reads the merged record that an example leaves.
func (w workshop) verdict(t *testing.T, name string) verdict.Verdict {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	_, res, err := reports.ReadJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return res.Verdict
}

// outcomes are the services that the examples judge: one that keeps the interface, and one that does not.
func outcomes() map[string]struct {
	code    int
	verdict verdict.Verdict
} {
	return map[string]struct {
		code    int
		verdict verdict.Verdict
	}{"": {0, verdict.Conformant}, "limit-ignored": {1, verdict.Violated}}
}

func TestGitHubExampleRuns(t *testing.T) {
	skip.UnderRace(t)
	workflow := decodeExample(t, readExample(t, "github.yaml"))
	shards := at[[]any](t, workflow, "jobs", "shard", "strategy", "matrix", "shard")
	step := at[map[string]any](t, workflow, "jobs", "shard", "steps", 1)
	verdict := at[string](t, workflow, "jobs", "verdict", "steps", 1, "run")
	for fault, want := range outcomes() {
		t.Run("against "+fault, func(t *testing.T) {
			w := newWorkshop(t, fault, "bin/hallmark", "hallmark")
			for _, shard := range shards {
				env := map[string]string{}
				for name, value := range at[map[string]any](t, step, "env") {
					text := strings.ReplaceAll(fmt.Sprint(value), "${{ matrix.shard }}", fmt.Sprint(shard))
					env[name] = strings.ReplaceAll(text, "${{ strategy.job-total }}", fmt.Sprint(len(shards)))
				}
				if code := w.run(t, []string{"bash", "-e", "-c"}, at[string](t, step, "run"), env); code != want.code {
					t.Errorf("shard %v ended with %d, want %d", shard, code, want.code)
				}
			}
			if code := w.run(t, []string{"bash", "-e", "-c"}, verdict, nil); code != want.code || w.verdict(t, "hallmark.json") != want.verdict {
				t.Errorf("the merging ended with %d, want %d; the verdict is %s", code, want.code, w.verdict(t, "hallmark.json"))
			}
		})
	}
}

func TestGitLabExampleRuns(t *testing.T) {
	skip.UnderRace(t)
	skip.InShort(t)
	pipeline := decodeExample(t, readExample(t, "gitlab.yaml"))
	of := at[int](t, pipeline, "conformance", "parallel")
	for fault, want := range outcomes() {
		t.Run("against "+fault, func(t *testing.T) {
			w := newWorkshop(t, fault, "hallmark/bin/hallmark")
			if err := os.Chmod(filepath.Join(w.dir, "hallmark/bin/hallmark"), 0o700); err != nil {
				t.Fatal(err)
			}
			for i := 1; i <= of; i++ {
				env := map[string]string{"CI_NODE_INDEX": fmt.Sprint(i), "CI_NODE_TOTAL": fmt.Sprint(of)}
				if code := w.run(t, []string{"sh", "-e", "-c"}, at[string](t, pipeline, "conformance", "script", 0), env); code != want.code {
					t.Errorf("job %d ended with %d, want %d", i, code, want.code)
				}
			}
			code := w.run(t, []string{"sh", "-e", "-c"}, at[string](t, pipeline, "verdict", "script", 0), nil)
			if code != want.code || w.verdict(t, "hallmark.json") != want.verdict {
				t.Errorf("the merging ended with %d, want %d; the verdict is %s", code, want.code, w.verdict(t, "hallmark.json"))
			}
		})
	}
}

func TestKubernetesExampleRuns(t *testing.T) {
	skip.UnderRace(t)
	skip.InShort(t)
	_, text, _ := strings.Cut(readExample(t, "kubernetes.yaml"), "\n---\n")
	job, merging := decodeExample(t, text), decodeExample(t, readExample(t, "kubernetes-verdict.yaml"))
	of := at[int](t, job, "spec", "completions")
	container := at[map[string]any](t, job, "spec", "template", "spec", "containers", 0)
	command := func(container map[string]any, env map[string]string) string {
		line := "hallmark"
		for _, arg := range at[[]any](t, container, "args") {
			expanded := regexp.MustCompile(`\$\((\w+)\)`).ReplaceAllStringFunc(fmt.Sprint(arg), func(v string) string { return env[v[2:len(v)-1]] })
			line += " " + strings.ReplaceAll(expanded, "/results/", "results/")
		}
		return line
	}
	for fault, want := range outcomes() {
		t.Run("against "+fault, func(t *testing.T) {
			w := newWorkshop(t, fault)
			if err := os.Mkdir(filepath.Join(w.dir, "results"), 0o700); err != nil {
				t.Fatal(err)
			}
			for i := range of {
				env := map[string]string{"JOB_COMPLETION_INDEX": fmt.Sprint(i)}
				for _, v := range at[[]any](t, container, "env") {
					if value, plain := at[map[string]any](t, v)["value"].(string); plain {
						env[at[string](t, v, "name")] = value
					}
				}
				if code := w.run(t, []string{"sh", "-c"}, command(container, env), env); code != want.code {
					t.Errorf("pod %d ended with %d, want %d", i, code, want.code)
				}
			}
			last := at[map[string]any](t, merging, "spec", "template", "spec", "containers", 0)
			if code := w.run(t, []string{"sh", "-c"}, command(last, nil), nil); code != want.code || w.verdict(t, "results/hallmark.json") != want.verdict {
				t.Errorf("the merging ended with %d, want %d; the verdict is %s", code, want.code, w.verdict(t, "results/hallmark.json"))
			}
		})
	}
}

// TestContainerfile reads the image's definition: a static program like that of the Makefile, alone, for a user that is
// not root, and from folders that are there.
func TestContainerfile(t *testing.T) {
	lines := map[string][]string{}
	var order []string
	for line := range strings.SplitSeq(readExample(t, "Containerfile"), "\n") {
		if word, rest, found := strings.Cut(line, " "); found && !strings.HasPrefix(line, "#") {
			lines[word] = append(lines[word], rest)
			order = append(order, word)
		}
	}
	known := []string{"ARG", "COPY", "ENTRYPOINT", "FROM", "RUN", "USER", "WORKDIR"}
	if got := slices.Sorted(maps.Keys(lines)); !slices.Equal(got, known) {
		t.Fatalf("it has the instructions %v, want %v", got, known)
	}
	if order[0] != "FROM" || order[len(order)-1] != "ENTRYPOINT" || len(lines["FROM"]) != 2 || lines["FROM"][1] != "scratch" {
		t.Errorf("the stages are %v, in %v", lines["FROM"], order)
	}
	if got := lines["USER"]; len(got) != 1 || !regexp.MustCompile(`^[1-9]\d+:[1-9]\d+$`).MatchString(got[0]) {
		t.Errorf("the user is %v; Kubernetes knows by a number only that it is not root", got)
	}
	makefile, err := os.ReadFile(filepath.Join(docsRoot, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	flags := regexp.MustCompile(`(?m)^BUILD_FLAGS := (.*)$`).FindSubmatch(makefile)
	build := lines["RUN"][len(lines["RUN"])-1]
	if flags == nil || !strings.HasPrefix(build, "CGO_ENABLED=0 go build "+string(flags[1])+" ") || !strings.HasSuffix(build, " -o /hallmark ./cmd/hallmark") {
		t.Errorf("it is built by %q, and by the Makefile with %q", build, flags)
	}
	gomod, err := os.ReadFile(filepath.Join(docsRoot, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(gomod)
	if version == nil || lines["FROM"][0] != "golang:"+string(version[1])+" AS build" {
		t.Errorf("it is built from %q, and go.mod asks for Go %q", lines["FROM"][0], version)
	}
	// No package of it may need cgo: then the program would need a C library, which scratch has not.
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags=nomsgpack", "-f", "{{if and .CgoFiles (not .GoFiles)}}{{.ImportPath}}{{end}}", "./cmd/hallmark")
	list.Dir = docsRoot
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := list.CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
		t.Errorf("without cgo these do not build: %v\n%s", err, out)
	}
}
