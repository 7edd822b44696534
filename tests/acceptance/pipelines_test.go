package acceptance

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/tests/shop"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// suiteWith lets "hallmark init" write a suite into a repository, and returns the folder of the suite.
func suiteWith(t *testing.T, ci string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "api.yaml"), shop.DeskContract(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "hallmark", "init", "tests/contract", "--contract", "api.yaml", "--ci", ci)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("hallmark init: %v\n%s", err, out)
	}
	return filepath.Join(root, "tests", "contract")
}

// wantJob runs the commands of a job in the folder of a suite, against the desk, and looks for the reports that the job keeps.
func wantJob(t *testing.T, suite, script string) {
	t.Helper()
	skip.UnderRace(t)
	server := httptest.NewServer(shop.NewDesk(""))
	defer server.Close()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Dir = suite
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "HALLMARK_") && !strings.HasPrefix(v, "GITHUB_") && !strings.HasPrefix(v, "CI_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "HALLMARK_BASE_URL="+server.URL, "HALLMARK_CREDENTIAL_KEY="+shop.Key, "XDG_STATE_HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "CONFORMANT") {
		t.Errorf("%s: %v\n%s", script, err, out)
	}
}

func wantFiles(t *testing.T, root string, names []string) {
	t.Helper()
	if len(names) != 3 {
		t.Errorf("the job keeps %q", names)
	}
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(root, strings.TrimSpace(name))); err != nil {
			t.Errorf("the job keeps what is not there: %v", err)
		}
	}
}

func TestGitHubJobOfASuite(t *testing.T) {
	suite := suiteWith(t, "github")
	text, err := os.ReadFile(filepath.Join(suite, "github.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if tool, err := filepath.Abs(filepath.Join(docsRoot, "bin", "tools", "actionlint")); err == nil {
		if _, err := os.Stat(tool); err == nil {
			if out, err := exec.CommandContext(t.Context(), tool, filepath.Join(suite, "github.yaml")).CombinedOutput(); err != nil {
				t.Errorf("actionlint: %v\n%s", err, out)
			}
		}
	}
	job := at[map[string]any](t, decodeExample(t, string(text)), "jobs", "contract")
	if folder := at[string](t, job, "defaults", "run", "working-directory"); folder != "tests/contract" {
		t.Errorf("the job runs in %s", folder)
	}
	steps := at[[]any](t, job, "steps")
	check, judge, keep := len(steps)-3, len(steps)-2, len(steps)-1
	env := at[map[string]any](t, job, "steps", judge, "env")
	if env["HALLMARK_CREDENTIAL_KEY"] != "${{ secrets.HALLMARK_CREDENTIAL_KEY }}" || env["HALLMARK_BASE_URL"] == nil {
		t.Errorf("the environment is %v", env)
	}
	wantJob(t, suite, at[string](t, job, "steps", check, "run")+"\n"+at[string](t, job, "steps", judge, "run"))
	wantFiles(t, filepath.Join(suite, "..", ".."), strings.Split(strings.TrimSpace(at[string](t, job, "steps", keep, "with", "path")), "\n"))
}

func TestGitLabJobOfASuite(t *testing.T) {
	suite := suiteWith(t, "gitlab")
	text, err := os.ReadFile(filepath.Join(suite, "gitlab.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	job := at[map[string]any](t, decodeExample(t, string(text)), "contract")
	for key := range job {
		if !slices.Contains(gitlabKeys(), key) {
			t.Errorf("there is no keyword %s", key)
		}
	}
	if before := at[[]any](t, job, "before_script"); before[len(before)-1] != "cd tests/contract" {
		t.Errorf("the job runs elsewhere: %v", before)
	}
	wantJob(t, suite, at[string](t, job, "script", 0)+"\n"+at[string](t, job, "script", 1))
	var kept []string
	for i := range at[[]any](t, job, "artifacts", "paths") {
		kept = append(kept, at[string](t, job, "artifacts", "paths", i))
	}
	wantFiles(t, filepath.Join(suite, "..", ".."), kept)
}
