package session

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// ReadRecord reads the record of a run from a file of either form; without a name it reads the journal of the last
// run, and says which one that is. It also returns the name of the file.
func ReadRecord(env *cli.Env, args []string) (*record.Record, string, error) {
	var path string
	if len(args) > 0 {
		path = args[0]
	} else {
		var err error
		if path, err = lastJournal(env); err != nil {
			return nil, "", err
		}
		fmt.Fprintf(env.Stderr, "hallmark: the last run here is that of %s\n", text.Visible(path))
	}
	rec, err := readRecord(path)
	return rec, path, err
}

// lastJournal returns the path of the journal of the last run.
func lastJournal(env *cli.Env) (string, error) {
	folder, err := stateFolder(env)
	if err != nil {
		return "", fmt.Errorf("the journal of the last run cannot be found: %w; name a record or a journal", err)
	}
	names := journals(folder)
	if len(names) == 0 {
		return "", fmt.Errorf("there is no journal of an earlier run in %s; name a record (--report json:FILE wrote it) or a journal", text.Visible(folder))
	}
	path := filepath.Join(folder, names[len(names)-1])
	if named, err := os.Readlink(path); err == nil {
		path = named
	}
	return path, nil
}

// Replayable reports whether "hallmark replay" finds the run of a record: the last journal is that of the run.
func Replayable(env *cli.Env, rec *record.Record) bool {
	path, err := lastJournal(env)
	if err != nil || rec.Traffic != nil || rec.ID == "" {
		return false
	}
	if info, err := os.Stat(path); err != nil || info.Size() > longestAside {
		return false
	}
	last, err := readRecord(path)
	return err == nil && last.ID == rec.ID
}

// readRecord reads a record, or a journal, from a file.
func readRecord(path string) (*record.Record, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", text.Visible(path), cli.Bare(err))
	}
	defer func() { _ = file.Close() }()
	rec, err := reports.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text.Visible(path), cli.Bare(err))
	}
	return rec, nil
}

// longestAside is the size of the largest journal that is read besides what was asked for, in bytes.
const longestAside = 64 * mebibyte

// lastRun returns the record of the last run by a contract, at an address unless that is empty. It returns nil if the last run was another
// one, or if its journal cannot be read.
func lastRun(env *cli.Env, contract, baseURL string) *record.Record {
	path, err := lastJournal(env)
	if err != nil {
		return nil
	}
	if info, err := os.Stat(path); err != nil || info.Size() > longestAside {
		return nil
	}
	rec, err := readRecord(path)
	if err != nil || rec.Suite.Contract != contract || baseURL != "" && rec.Target.BaseURL != baseURL {
		return nil
	}
	return rec
}
