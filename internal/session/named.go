package session

import (
	"fmt"
	"os"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Named is a written scenario that names a rule.
type Named struct {
	// Place is the file and the line of the scenario, Name its name.
	Place, Name, Rule string
}

// NamedRules returns the rules that the written scenarios of a folder name, whether such rules exist or not.
func NamedRules(folder string) ([]Named, error) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("--features %s: this is not a readable folder; name one that holds .feature files", text.Visible(folder))
	}
	loaded, err := suite.LoadAny(suite.Source{Folder: folder, FS: os.DirFS(folder)})
	if err != nil {
		return nil, fmt.Errorf("--features %s: %w", text.Visible(folder), err)
	}
	var all []Named
	for _, file := range loaded.Features {
		for _, s := range file.Scenarios {
			if s.Has(suite.Derived) {
				continue // "hallmark derive" rewrites them
			}
			for _, id := range s.Rules {
				all = append(all, Named{s.ID(), s.Name, id})
			}
		}
	}
	return all, nil
}
