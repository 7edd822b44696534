package session

import (
	"fmt"
	"os"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/compare"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// ReadRun reads a record and keeps only what is compared, so that no two records are in memory at the same time.
// The returned rules are nil if the rules that the record was judged by are not available.
func ReadRun(env *cli.Env, path string) (*compare.Run, *spec.Catalogue, error) {
	rec, _, err := ReadRecord(env, []string{path})
	if err != nil {
		return nil, nil, err
	}
	v, err := judged(path, rec)
	if err != nil {
		return nil, nil, err
	}
	if v.Catalogue == nil {
		return compare.TakeJudged(path, rec, &v.Result), nil, nil
	}
	return compare.Take(path, v), v.Catalogue, nil
}

// judged returns a record with its result, and the rules that it was judged by. If these are not available, the result is the one that was
// stored in the record, and the view has no rules.
func judged(path string, rec *record.Record) (*view.View, error) {
	if rec.Sources == nil {
		builtin, err := bundled.Petstore().Catalogue()
		if err != nil {
			return nil, err
		}
		if rec.Suite.Catalogue != builtin.Digest() {
			result, err := storedResult(path)
			if err != nil {
				return nil, err
			}
			return &view.View{Record: rec, Result: *result}, nil
		}
	}
	rules, err := rulesOf(path, rec)
	if err != nil {
		return nil, err
	}
	return view.New(rec, rules), nil
}

// storedResult reads the conclusions that were stored when a record was made, with the rules of that time.
// Journals do not contain them.
func storedResult(path string) (*verdict.Result, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", text.Visible(path), cli.Bare(err))
	}
	defer func() { _ = file.Close() }()
	_, result, err := reports.ReadJSON(file)
	if err != nil || result == nil {
		return nil, fmt.Errorf("%s was made with other rules, and holds no verdicts; compare its record (--report json:FILE) instead, or run again with this hallmark", text.Visible(path))
	}
	return result, nil
}
