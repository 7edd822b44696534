package session

import (
	"fmt"
	"os"

	"hallmark/reports/verdict"

	"hallmark/internal/bundled"
	"hallmark/internal/cli"
	"hallmark/internal/text"
	"hallmark/reports"
	"hallmark/reports/compare"
	"hallmark/reports/view"
	"hallmark/spec"
)

// ReadRun reads a record and keeps what is compared of it, so that no two records are in memory at a time.
func ReadRun(env *cli.Env, path string, catalogue *spec.Catalogue) (*compare.Run, error) {
	record, _, err := ReadRecord(env, []string{path})
	if err != nil {
		return nil, err
	}
	if record.Suite.Catalogue == catalogue.Digest() {
		return compare.Take(path, view.New(record, view.Sources{Catalogue: catalogue})), nil
	}
	result, err := storedResult(path)
	if err != nil {
		return nil, err
	}
	return compare.TakeJudged(path, record, result), nil
}

// storedResult reads what was concluded from a record when it was made, with the rules of then. Journals hold no such thing.
func storedResult(path string) (*verdict.Result, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", text.Visible(path), cli.Bare(err))
	}
	defer func() { _ = file.Close() }()
	_, result, err := reports.ReadJSON(file, bundled.Petstore().Code.Resource)
	if err != nil || result == nil {
		return nil, fmt.Errorf("%s was made with other rules, and holds no verdicts; compare its record (--report json:FILE) instead, or run again with this hallmark", text.Visible(path))
	}
	return result, nil
}
