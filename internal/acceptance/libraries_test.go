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
