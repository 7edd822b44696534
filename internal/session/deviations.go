package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// knownViolations reads the list of known violations for a run.
func knownViolations(file string, catalogue *spec.Catalogue) ([]record.Deviation, error) {
	if file == "" {
		return nil, nil
	}
	data, err := readFile(file, true)
	if err != nil {
		return nil, fmt.Errorf("--deviations %s: the file cannot be read: %w", text.Visible(file), cli.Bare(err))
	}
	all, err := verdict.ReadDeviations(data, catalogue.Rules)
	if err != nil {
		s := err.Error()
		if strings.Contains(s, "\n") {
			return nil, fmt.Errorf("--deviations %s:\n%w", text.Visible(file), err)
		}
		return nil, fmt.Errorf("--deviations %s: %w", text.Visible(file), err)
	}
	return all, nil
}

// renewal says how to update a list of known violations that an earlier version wrote; empty for one of this
// version.
func renewal(file string, all []record.Deviation) string {
	if !slices.ContainsFunc(all, record.Deviation.ByMessage) {
		return ""
	}
	return fmt.Sprintf("--deviations %s: entries without a kind match by message; after a whole run, hallmark deviations --update --deviations %s renews them",
		text.Visible(file), text.Visible(file))
}
