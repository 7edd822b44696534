package bundled_test

import (
	"os"
	"path/filepath"
	"testing"

	"hallmark/internal/bundled"
	"hallmark/steps"
)

// Reports name scenarios by paths; these must lead to the scenario in the repository.
func TestScenarioIDsArePaths(t *testing.T) {
	own := bundled.Petstore()
	promises, catalogue, err := own.Derived()
	if err != nil {
		t.Fatal(err)
	}
	features, err := own.Features(promises, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := steps.LoadSuite(features, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range loaded.Files() {
		file, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(name)))
		if err != nil || string(file) != content {
			t.Errorf("%s is not the file of that name: %v", name, err)
		}
	}
	if !loaded.Has("features/petstore/derived/listPets.feature:193") {
		t.Error("a scenario has another id than its file and line")
	}
}
