package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/history"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// mostRecords is the maximum number of records of a history.
const mostRecords = 5_000

// ReadHistory reads the records and journals of files, and those in folders and the folders in them. Only one record is in memory at a time.
// The notes say what in folders could not be read; what is no record there is left out without a word.
func ReadHistory(paths []string) (runs []*history.Run, notes []string, err error) {
	files, found, err := recordFiles(paths)
	if err != nil {
		return nil, nil, err
	}
	var broken []string
	for _, path := range files {
		run, err := readPast(path)
		switch {
		case err == nil:
			runs = append(runs, run)
		case found[path]:
			broken = append(broken, err.Error())
		default:
			return nil, nil, err
		}
	}
	switch n := len(broken); {
	case n > 0:
		notes = append(notes, text.Count(n, "record")+" could not be read: "+text.Short(broken[0]))
	case len(runs) == 0:
		return nil, nil, fmt.Errorf("%s holds no records of runs; hallmark run --report json:FILE writes them", text.Visible(strings.Join(paths, ", ")))
	}
	return runs, notes, nil
}

// recordFiles returns the files to be read, each once; found has those that were found in folders.
func recordFiles(paths []string) (files []string, found map[string]bool, err error) {
	found = map[string]bool{}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("%s cannot be read: %w", text.Visible(path), cli.Bare(err))
		case !info.IsDir():
			files = append(files, path)
			continue
		}
		err = filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
			if err != nil {
				return fmt.Errorf("%s cannot be read: %w", text.Visible(name), cli.Bare(err))
			}
			if ending := filepath.Ext(name); e.Type().IsRegular() && (ending == ".json" || ending == journalEnding) && isRecord(name) {
				files, found[name] = append(files, name), true
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	slices.Sort(files)
	if files = slices.Compact(files); len(files) > mostRecords {
		return nil, nil, fmt.Errorf("%s are too many; name folders with at most %s", text.Count(len(files), "record"), text.Number(mostRecords))
	}
	return files, found, nil
}

// isRecord reports whether a file begins as a record or a journal does.
func isRecord(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return true // reading it gives the reason
	}
	defer func() { _ = file.Close() }()
	const names = `"schema":"hallmark.`
	start := make([]byte, 64)
	k, err := io.ReadFull(file, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	_, name, _ := strings.Cut(string(start[:k]), names)
	return strings.HasPrefix(name, "record/") || strings.HasPrefix(names+name, `"schema":"`+record.JournalName)
}

// readPast reads a record, and keeps what a history needs.
func readPast(path string) (*history.Run, error) {
	rec, err := readRecord(path)
	if err != nil {
		return nil, err
	}
	v, err := judged(path, rec)
	if err != nil {
		return nil, err
	}
	var rules []spec.Rule
	if v.Catalogue != nil {
		rules = v.Catalogue.Rules
	}
	return history.Take(path, v.ContractFile, rec, &v.Result, rules), nil
}
