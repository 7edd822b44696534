package acceptance

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/tests/pages"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// The jobs of docs/ci.md are run: their lines of shell in the folder of a repository, or the action that they use, against the reference
// service, with their secrets and without.

// docsJob is a job of a CI system as far as it is run here.
type docsJob struct {
	// env are its variables, with the values of its secrets.
	env map[string]string
	// lines are run by one shell, which ends at the first failure.
	lines []string
	// uses are the inputs of the action; nil if it is not used.
	uses map[string]string
}

// jobReaders read a block by its kind. They replace a secret by its value; absent is what the system passes on for a secret that is not set.
func jobReaders() map[string]struct {
	absent string
	read   func(t *testing.T, text, job string, secret string) docsJob
} {
	return map[string]struct {
		absent string
		read   func(t *testing.T, text, job string, secret string) docsJob
	}{
		"github":  {"", githubJob},
		"gitlab":  {"", gitlabJob},
		"jenkins": {"", jenkinsJob},
		"azure":   {"$(STAGING_TOKEN)", azureJob},
	}
}

const (
	docsToken   = "STAGING_TOKEN"
	docsStaging = "https://staging.example.com/v1"
)

func addTexts(to map[string]string, from any, secret string) {
	all, _ := from.(map[string]any)
	for name, value := range all {
		to[name] = regexp.MustCompile(`\$\{\{ secrets\.`+docsToken+` \}\}|\$\(`+docsToken+`\)`).ReplaceAllLiteralString(fmt.Sprint(value), secret)
	}
}

func githubJob(t *testing.T, text, name, secret string) docsJob {
	t.Helper()
	job := at[map[string]any](t, decodeExample(t, text), "jobs", name)
	out := docsJob{env: map[string]string{}}
	addTexts(out.env, job["env"], secret)
	for i := range at[[]any](t, job, "steps") {
		step := at[map[string]any](t, job, "steps", i)
		addTexts(out.env, step["env"], secret)
		if run, is := step["run"].(string); is {
			out.lines = append(out.lines, run)
		}
		if uses, _ := step["uses"].(string); strings.HasPrefix(uses, "hallmark-kit/hallmark@") {
			out.uses = map[string]string{}
			addTexts(out.uses, step["with"], secret)
		}
	}
	return out
}

func gitlabJob(t *testing.T, text, name, secret string) docsJob {
	t.Helper()
	job := at[map[string]any](t, decodeExample(t, text), name)
	// The variables of the project come from its settings.
	out := docsJob{env: map[string]string{"HALLMARK_CREDENTIAL_TOKEN": secret}}
	addTexts(out.env, job["variables"], secret)
	for _, key := range []string{"before_script", "script"} {
		for i := range at[[]any](t, job, key) {
			out.lines = append(out.lines, at[string](t, job, key, i))
		}
	}
	return out
}

func jenkinsJob(t *testing.T, text, name, secret string) docsJob {
	t.Helper()
	out := docsJob{env: map[string]string{}}
	for _, m := range regexp.MustCompile(`(?m)^ +([A-Z_]+) = (?:'([^']*)'|(credentials)\('staging-token'\))$`).FindAllStringSubmatch(text, -1) {
		out.env[m[1]] = m[2]
		if m[3] != "" {
			out.env[m[1]] = secret
		}
	}
	_, stage, found := strings.Cut(text, "stage('"+name+"')")
	if !found {
		t.Fatalf("there is no stage %s", name)
	}
	for _, m := range regexp.MustCompile(`(?m)^ +sh '([^']*)'$`).FindAllStringSubmatch(stage, -1) {
		out.lines = append(out.lines, m[1])
	}
	return out
}

func azureJob(t *testing.T, text, name, secret string) docsJob {
	t.Helper()
	pipeline := decodeExample(t, text)
	out := docsJob{env: map[string]string{}}
	addTexts(out.env, pipeline["variables"], secret)
	for i := range at[[]any](t, pipeline, "jobs") {
		job := at[map[string]any](t, pipeline, "jobs", i)
		for i := range at[[]any](t, job, "steps") {
			step := at[map[string]any](t, job, "steps", i)
			addTexts(out.env, step["env"], secret)
			if run, is := step["bash"].(string); is && job["job"] == name {
				out.lines = append(out.lines, run)
			}
		}
	}
	return out
}

func TestDocsJobs(t *testing.T) {
	skip.UnderRace(t)
	contract, err := os.ReadFile(filepath.Join(docsRoot, "spec", "petstore", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, p := range pages.Read(t, docsRoot) {
		for _, f := range p.Fences() {
			name, kind := f.Attribute("job"), f.Kind()
			if name == "" {
				continue
			}
			system, known := jobReaders()[kind]
			if !known {
				t.Fatalf("%s:%d: jobs of %s cannot be run", p.Name, f.From, kind)
			}
			found[kind]++
			for _, c := range []struct {
				name, secret string
				code         int
			}{{"the secret", docsKey, 0}, {"no secret", system.absent, 2}, {"a wrong secret", "of-nobody-at-all", 3}} {
				t.Run(fmt.Sprintf("%s:%d with %s", p.Name, f.From, c.name), func(t *testing.T) {
					t.Parallel()
					service, err := petstore.New(petstore.Options{Keys: []string{docsKey}})
					if err != nil {
						t.Fatal(err)
					}
					server := httptest.NewServer(service.Handler())
					defer server.Close()
					r := newRunner(t)
					r.write(t, "workspace/api.yaml", strings.ReplaceAll(string(contract), "apiKey", "token"))
					job := system.read(t, strings.ReplaceAll(strings.Join(p.Lines[f.From:f.To], "\n"), docsStaging, server.URL+"/v1"), name, c.secret)
					code, out := job.run(t, r)
					if code != c.code || c.code == 0 && !strings.Contains(out, "CONFORMANT") {
						t.Errorf("it ended with %d, want %d:\n%s", code, c.code, out)
					}
					if c.secret != "" && strings.Contains(out, c.secret) {
						t.Errorf("it shows the secret:\n%s", out)
					}
				})
			}
		}
	}
	if len(found) != len(jobReaders()) || found["github"] < 2 {
		t.Errorf("jobs for each CI system are expected, for GitHub with the action and without; found %v", found)
	}
}

// run runs the job in the folder of the repository.
func (j docsJob) run(t *testing.T, r *runner) (code int, out string) {
	t.Helper()
	if j.uses != nil {
		if len(j.lines) > 0 {
			t.Errorf("the job that uses the action has lines of shell that are not run: %q", j.lines)
		}
		maps.Copy(r.env, j.env)
		p := r.play(t, j.uses)
		return p.code, p.out
	}
	r.release(t)
	j.env["GITHUB_ACTIONS"] = ""
	code, out, _ = r.script(t, strings.Join(j.lines, "\n"), j.env)
	if _, err := os.Stat(filepath.Join(r.workspace, "hallmark.xml")); (err == nil) != (code == 0 || code == 3) {
		t.Errorf("it ended with %d, and hallmark.xml: %v", code, err)
	}
	return code, out
}

// release lets curl fetch a release that there is not yet, with a program that calls the binary of the tests.
func (r *runner) release(t *testing.T) {
	t.Helper()
	binary, err := exec.LookPath("hallmark")
	if err != nil {
		t.Fatal(err)
	}
	archive := releaseArchive(t, "hallmark_0.1.0_linux_amd64", "#!/bin/sh\nexec "+binary+" \"$@\"\n")
	r.write(t, "release/hallmark_0.1.0_linux_amd64.tar.gz", string(archive))
	r.write(t, "release/SHA256SUMS", fmt.Sprintf("%x  hallmark_0.1.0_linux_amd64.zip\n%x  hallmark_0.1.0_linux_amd64.tar.gz\n", sha256.Sum256(nil), sha256.Sum256(archive)))
	r.write(t, "bin/curl", `#!/bin/sh
file=$RUNNER_TEMP/release/${2##*/}
case $1:$2 in
-fsSLO:https://github.com/hallmark-kit/hallmark/releases/download/v0.1.0/*) cp "$file" . ;;
-fsSL:https://github.com/hallmark-kit/hallmark/releases/download/v0.1.0/*) cat "$file" ;;
*) exit 1 ;;
esac
`)
}

// The inputs of the action that docs/ci.md lists are those that there are.
func TestDocsActionInputs(t *testing.T) {
	action, _ := readAction(t)
	text, err := os.ReadFile(filepath.Join(docsRoot, "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n| Input |")
	table, _, _ = strings.Cut(table, "\n\n")
	listed := map[string]bool{}
	for row := range strings.Lines(table) {
		cells := strings.Split(row, "|")
		for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(cells[min(1, len(cells)-1)], -1) {
			listed[m[1]] = true
			if _, known := action.Inputs[m[1]]; !known {
				t.Errorf("the action has no input %s", m[1])
			}
		}
	}
	for name := range action.Inputs {
		if !listed[name] {
			t.Errorf("docs/ci.md does not list the input %s", name)
		}
	}
	for name := range action.Outputs {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/ci.md does not name the output %s", name)
		}
	}
}
