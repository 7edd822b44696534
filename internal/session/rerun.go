package session

import (
	"fmt"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// failedBefore reads the record of an earlier run of this suite and lists the scenarios that show whether its failures
// are still there.
func failedBefore(env *cli.Env, file string, loaded *suite.Suite, contract *spec.Contract, catalogue *spec.Catalogue) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	record, _, err := ReadRecord(env, []string{file})
	if err != nil {
		return nil, fmt.Errorf("--rerun: %w", err)
	}
	if what := record.Suite.Other(contract.Digest(), catalogue.Digest(), loaded.Digest()); what != "" {
		return nil, fmt.Errorf("--rerun %s: that run used another %s than this hallmark, so its failures cannot be selected; run the whole suite",
			text.Visible(file), what)
	}
	failed := verdict.FailedIn(record, catalogue.Rules)
	ids := loaded.Again(failed)
	if len(ids) == 0 {
		return nil, fmt.Errorf("--rerun %s: nothing failed in that run, so there is nothing to run again", text.Visible(file))
	}
	return ids, nil
}
