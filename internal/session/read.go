package session

import (
	"fmt"
	"os"
	"path/filepath"

	"hallmark/internal/bundled"

	"hallmark/internal/cli"
	"hallmark/internal/text"
	"hallmark/reports"
	"hallmark/reports/record"
)

// ReadRecord reads the record of a run from a file of either form; without a name it reads the journal of the last
// run, and says which one that is. It also returns the name of the file.
func ReadRecord(env *cli.Env, args []string) (*record.Record, string, error) {
	var path string
	if len(args) > 0 {
		path = args[0]
	} else {
		folder, err := stateFolder(env)
		if err != nil {
			return nil, "", fmt.Errorf("the journal of the last run cannot be found: %w; name a record or a journal", err)
		}
		names := journals(folder)
		if len(names) == 0 {
			return nil, "", fmt.Errorf("there is no journal of an earlier run in %s; name a record (--report json:FILE wrote it) or a journal", text.Visible(folder))
		}
		path = filepath.Join(folder, names[len(names)-1])
		if named, err := os.Readlink(path); err == nil {
			path = named
		}
		fmt.Fprintf(env.Stderr, "hallmark: the last run here is that of %s\n", text.Visible(path))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, path, fmt.Errorf("%s cannot be read: %w", text.Visible(path), cli.Bare(err))
	}
	defer func() { _ = file.Close() }()
	record, err := reports.Read(file, bundled.Petstore().Code.Resource)
	if err != nil {
		return nil, path, fmt.Errorf("%s: %w", text.Visible(path), cli.Bare(err))
	}
	return record, path, nil
}
