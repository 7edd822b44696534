package scaffold_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/drift"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/scaffold"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/tests/shop"
)

// reports is a contract of which nothing is created, and whose requests name what nothing tells.
const reports = `openapi: 3.1.0
info: {title: "Reports [yearly]", version: "1"}
servers: [{url: "https://api.example.com/reports/v2/"}]
paths:
  /years/{year}:
    get:
      operationId: GET a year
      parameters: [{name: year, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: Yes, content: {application/json: {schema: {type: object}}}}}
  /health:
    get: {operationId: health, responses: {"204": {description: Yes}}}
`

// written makes a suite in a new folder beside a contract, and returns the folder.
func written(t *testing.T, contract, ci string) string {
	t.Helper()
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "api.yaml"), contract)
	folder := filepath.Join(root, "suite")
	mustWrite(t, folder, options.Contract{File: filepath.Join(root, "api.yaml")}, ci)
	return folder
}

func mustWrite(t *testing.T, folder string, from options.Contract, ci string) string {
	t.Helper()
	s, err := scaffold.New(folder, from, ci)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Write(&out, false); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, name ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(name...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// of returns what a suite judges by, as its hallmark.yaml says.
func of(folder string) options.Contract {
	return options.Contract{File: filepath.Join(folder, "..", "api.yaml"), Rules: filepath.Join(folder, "rules.yaml"), Values: filepath.Join(folder, "values.yaml")}
}

func TestSuitesLoad(t *testing.T) {
	for name, c := range map[string]struct {
		contract string
		// example are words of the written feature.
		example []string
	}{
		"a shop":    {string(shop.Contract()), []string{"a plain request to createItem that succeeds", "it holds what was sent"}},
		"a desk":    {string(shop.DeskContract()), []string{"readTicket reads it", "it holds what was sent", "listTickets lists what there is", "deleteTicket deletes it", "it is gone"}},
		"a library": {string(shop.LibraryContract()), []string{"a plain request to addBook that succeeds", "it is gone"}},
		"reports":   {reports, []string{"a plain request to health", "the response is a success that the contract documents"}},
	} {
		t.Run(name, func(t *testing.T) {
			folder := written(t, c.contract, scaffold.GitHub)
			basis, err := session.Load(of(folder))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := basis.Suite(filepath.Join(folder, "features")); err != nil {
				t.Fatal(err)
			}
			example := readFile(t, folder, "features", "example.feature")
			for _, words := range c.example {
				if !strings.Contains(example, words) {
					t.Errorf("the example does not say %q:\n%s", words, example)
				}
			}
			derived := basis.Folders()
			features, err := drift.Read(filepath.Join(folder, "features", "derived"), derived)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := features.Check(&out, "hallmark derive"); err != nil {
				t.Errorf("%v\n%s", err, out.String())
			}
			if readme := readFile(t, folder, "README.md"); strings.Count(readme, "\n") != 10 {
				t.Errorf("the README has not ten lines:\n%s", readme)
			}
		})
	}
}

var commented = regexp.MustCompile(`(?m)^# (- id: |  (?:level|off|source|says|section|covers): )`)

// What stands in comments is in force once it is taken out of them.
func TestCommentsAreEntries(t *testing.T) {
	folder := written(t, string(shop.DeskContract()), scaffold.NoCI)
	before, err := session.Load(of(folder))
	if err != nil {
		t.Fatal(err)
	}
	rules := readFile(t, folder, "rules.yaml")
	entries := strings.Count(rules, "\n# - id: ")
	// The list of keys at the head is no entry.
	writeFile(t, filepath.Join(folder, "rules.yaml"), commented.ReplaceAllString(rules, "$1"))
	after, err := session.Load(of(folder))
	if err != nil {
		t.Fatal(err)
	}
	changed := 0 // new rules, and those with another level
	for _, r := range after.Catalogue.Rules {
		if _, there := before.Catalogue.Rule(r.ID); !there {
			changed++
		}
	}
	for _, r := range before.Catalogue.Rules {
		if now, _ := after.Catalogue.Rule(r.ID); now.Level != r.Level {
			changed++
		}
	}
	if entries < 10 || changed != entries {
		t.Errorf("%d of %d entries change a rule", changed, entries)
	}
}

func TestGapsAreMarked(t *testing.T) {
	folder := written(t, reports, scaffold.NoCI)
	values := readFile(t, folder, "values.yaml")
	const gap = "# year: …  # GET a year\n"
	if !strings.Contains(values, gap) {
		t.Fatalf("values.yaml does not hold %q:\n%s", gap, values)
	}
	writeFile(t, filepath.Join(folder, "values.yaml"), strings.Replace(values, "# year: …", "year: 2024", 1))
	basis, err := session.Load(of(folder))
	if err != nil {
		t.Fatal(err)
	}
	if gaps := basis.Unlocking(); len(gaps) > 0 {
		t.Errorf("there are gaps still: %v", gaps)
	}
	if targets := readFile(t, folder, "hallmark.yaml"); !strings.Contains(targets, "base-url: http://127.0.0.1:8080/reports/v2\n") {
		t.Errorf("the path of the server is not that of the document:\n%s", targets)
	}
}

// What lies beside the contract is judged by, wherever the suite is; and a second suite is like the first.
func TestWhatIsThereStays(t *testing.T) {
	root := t.TempDir()
	api := filepath.Join(root, "api.yaml")
	writeFile(t, api, reports)
	writeFile(t, filepath.Join(root, "values.yaml"), "year: 2024\n")
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	from := options.Contract{File: api, PerOperation: 7}
	first, second := filepath.Join(root, "tests", "one"), filepath.Join(root, "tests", "two")
	mustWrite(t, first, from, scaffold.GitLab)
	mustWrite(t, second, from, scaffold.GitLab)
	for _, name := range []string{"hallmark.yaml", "rules.yaml", "README.md", "features/example.feature", "features/derived/health.feature"} {
		if a, b := readFile(t, first, name), readFile(t, second, name); a != b {
			t.Errorf("%s differs:\n%s\n%s", name, a, b)
		}
	}
	targets := readFile(t, first, "hallmark.yaml")
	for _, line := range []string{"contract: ../../api.yaml", "values-file: ../../values.yaml", "rules-file: rules.yaml", "per-operation: 7"} {
		if !strings.Contains(targets, "\n  "+line+"\n") {
			t.Errorf("hallmark.yaml does not hold %q:\n%s", line, targets)
		}
	}
	if _, err := os.Stat(filepath.Join(first, "values.yaml")); err == nil {
		t.Error("a second file of values was written")
	}
	if ci := readFile(t, first, "gitlab.yaml"); !strings.Contains(ci, "- cd tests/one\n") {
		t.Errorf("the job runs elsewhere:\n%s", ci)
	}
}

func TestNothingIsWrittenOver(t *testing.T) {
	folder := written(t, reports, scaffold.GitHub)
	from := options.Contract{File: filepath.Join(folder, "..", "api.yaml")}
	again := func(force bool) (string, error) {
		s, err := scaffold.New(folder, from, scaffold.GitHub)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = s.Write(&out, force)
		return out.String(), err
	}
	if _, err := again(false); err == nil || !strings.Contains(err.Error(), "features exists already; nothing was written") {
		t.Errorf("the folder of features: %v", err)
	}
	if err := os.Rename(filepath.Join(folder, "features"), filepath.Join(folder, "old")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(folder, "rules.yaml"), "# ours\n")
	writeFile(t, filepath.Join(folder, "README.md"), "# ours\n")
	writeFile(t, filepath.Join(folder, "values.yaml"), "# ours\n")
	if _, err := again(false); err == nil || !regexp.MustCompile(`rules.yaml and \S+values.yaml exist already`).MatchString(err.Error()) {
		t.Errorf("two files: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "features")); err == nil {
		t.Error("something was written")
	}
	if out, err := again(true); err != nil || !strings.Contains(out, "wrote    "+filepath.Join(folder, "rules.yaml")) || !strings.Contains(out, "kept     "+filepath.Join(folder, "README.md")) {
		t.Errorf("by force: %v\n%s", err, out)
	}
	if readFile(t, folder, "README.md") != "# ours\n" || readFile(t, folder, "rules.yaml") == "# ours\n" {
		t.Error("force replaced the README.md, or nothing else")
	}
}

func TestPipelinesAreYAML(t *testing.T) {
	for _, ci := range []string{scaffold.GitHub, scaffold.GitLab} {
		folder := written(t, string(shop.Contract()), ci)
		var doc map[string]any
		text := readFile(t, folder, ci+".yaml")
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Errorf("%s: %v", ci, err)
		}
		if !strings.Contains(text, "HALLMARK_CREDENTIAL_") {
			t.Errorf("%s names no secret:\n%s", ci, text)
		}
		if !strings.Contains(text, `: "${HALLMARK_CREDENTIAL_`) {
			t.Errorf("%s does not look whether the secret is there:\n%s", ci, text)
		}
	}
	if _, err := os.Stat(filepath.Join(written(t, reports, scaffold.NoCI), "none.yaml")); err == nil {
		t.Error("a file for no CI is there")
	}
}

func TestContractOutsideOfTheRepository(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "api.yaml"), reports)
	repository := filepath.Join(root, "repository")
	if err := os.MkdirAll(filepath.Join(repository, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	out := mustWrite(t, filepath.Join(repository, "suite"), options.Contract{File: filepath.Join(root, "api.yaml")}, scaffold.NoCI)
	if !strings.Contains(out, "outside of this repository (../../api.yaml)") {
		t.Errorf("it says\n%s", out)
	}
}

func TestContractAtAnAddress(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, reports) }))
	defer server.Close()
	folder := filepath.Join(t.TempDir(), "suite")
	mustWrite(t, folder, options.Contract{File: server.URL + "/api.yaml"}, scaffold.NoCI)
	if targets := readFile(t, folder, "hallmark.yaml"); !strings.Contains(targets, "contract: "+server.URL+"/api.yaml\n") {
		t.Errorf("hallmark.yaml does not name the address:\n%s", targets)
	}
	if _, err := scaffold.New(folder, options.Contract{File: server.URL + "/api.yaml?token=abc"}, scaffold.NoCI); err == nil || strings.Contains(err.Error(), "abc") {
		t.Errorf("an address with a token: %v", err)
	}
}
