package acceptance

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

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
		{"hallmark/internal/session", "hallmark/spec/openapi", "github.com/pb33f/libopenapi/datamodel/low/v3"},
		{"hallmark/spec/openapi", "hallmark/spec/source", "github.com/pb33f/libopenapi/datamodel"},
	} {
		for i, name := range way[1:] {
			if !slices.Contains(imports[way[i]], name) {
				t.Errorf("%s does not import %s", way[i], name)
			}
		}
	}
	for name, all := range imports {
		other := slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, "github.com/getkin/kin-openapi/") })
		if other && strings.HasPrefix(name, "hallmark/") && name != "hallmark/internal/changes" {
			t.Errorf("%s imports kin-openapi", name)
		}
	}
}
