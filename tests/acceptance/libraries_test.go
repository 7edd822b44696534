package acceptance

import (
	"debug/buildinfo"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The binary rests on the libraries of its design, and a run on those that play, read and judge.
func TestTheLibrariesAreAtWork(t *testing.T) {
	binary, err := exec.LookPath("hallmark")
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	var modules []string
	for _, m := range info.Deps {
		modules = append(modules, m.Path)
	}
	out, err := exec.CommandContext(t.Context(), "go", append(append([]string{"list", "-deps"}, buildFlags()...), docsRoot+"/internal/session")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	run := strings.Fields(string(out))
	for module, played := range map[string]bool{
		"github.com/cucumber/godog": true, "github.com/pb33f/libopenapi": true, "github.com/pb33f/libopenapi-validator": true, "github.com/gin-gonic/gin": false,
	} {
		if !slices.Contains(modules, module) {
			t.Errorf("the binary does not hold %s", module)
		}
		if played && !slices.ContainsFunc(run, func(p string) bool { return p == module || strings.HasPrefix(p, module+"/") }) {
			t.Errorf("a run does without %s", module)
		}
	}
}

// A run reads its contract by libopenapi. The reader that oasdiff brings compares documents, and reads none for a run.
func TestLibopenapiReadsContracts(t *testing.T) {
	args := append(append([]string{"list", "-deps"}, buildFlags()...), "-f", `{{.ImportPath}} {{join .Imports " "}}`, program)
	out, err := exec.CommandContext(t.Context(), "go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		imports[words[0]] = words[1:]
	}
	for _, way := range [][]string{
		{"github.com/hallmark-kit/hallmark/internal/session", "github.com/hallmark-kit/hallmark/spec/openapi", "github.com/pb33f/libopenapi/datamodel/low/v3"},
		{"github.com/hallmark-kit/hallmark/spec/openapi", "github.com/hallmark-kit/hallmark/spec/source", "github.com/pb33f/libopenapi/datamodel"},
	} {
		for i, name := range way[1:] {
			if !slices.Contains(imports[way[i]], name) {
				t.Errorf("%s does not import %s", way[i], name)
			}
		}
	}
	for name, all := range imports {
		other := slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, "github.com/getkin/kin-openapi/") })
		if other && strings.HasPrefix(name, "github.com/hallmark-kit/hallmark/") && name != "github.com/hallmark-kit/hallmark/internal/changes" {
			t.Errorf("%s imports kin-openapi", name)
		}
	}
}
