package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hallmark/reports"
	"hallmark/reports/record"
)

const (
	// journalEnding is how the names of journals end that hallmark itself chose.
	journalEnding = ".journal"
	// keptJournals are kept, and all that are younger than keptFor, as far as there is room; others go when a run begins.
	keptJournals = 20
	keptFor      = 30 * 24 * time.Hour
	noJournal    = "none"
	// journalSpace is how much room all journals take together, in MiB: a hundred runs.
	journalSpace = 256
	mebibyte     = 1 << 20
)

// stateFolder is where journals are kept that were given no name, by the XDG base directory specification.
func (a *app) stateFolder() (string, error) {
	state := a.env("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // which the specification says to ignore
		home := a.env("HOME")
		if home == "" {
			home, _ = os.UserHomeDir()
		}
		if home == "" {
			return "", fmt.Errorf("neither XDG_STATE_HOME nor HOME says where")
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "hallmark"), nil
}

// journalFile is the file of a run's journal.
type journalFile struct {
	// path is empty when none is kept.
	path    string
	file    *os.File
	journal *record.Journal
}

// openJournal begins the journal of a run: in the file that was named, else in one of its own in the state folder. Where
// that cannot be, the run goes on without, and a sentence says so. All journals together take at most space bytes; 0 sets no
// limit.
func (a *app) openJournal(named string, space int64, now time.Time) (*journalFile, error) {
	if named == noJournal {
		return &journalFile{}, nil
	}
	if named != "" {
		file, err := os.OpenFile(named, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if err != nil {
			return nil, fmt.Errorf("--journal %s: the file cannot be written: %w", visible(named), bare(err))
		}
		lockJournal(file)
		a.noteJournal(named, space, now)
		return &journalFile{named, file, record.NewJournal(file, space)}, nil
	}
	file, room, err := a.newJournal(space, now)
	if err != nil {
		fmt.Fprintf(a.stderr, "hallmark: no journal is kept of this run, so a list of what it creates will be missing if it is killed: %v; name a file with --journal FILE, or none\n", bare(err))
		return &journalFile{}, nil
	}
	return &journalFile{file.Name(), file, record.NewJournal(file, room)}, nil
}

// newJournal makes a file for a journal, and returns how much room there is for it besides the others.
func (a *app) newJournal(space int64, now time.Time) (file *os.File, room int64, err error) {
	folder, err := a.stateFolder()
	if err != nil {
		return nil, 0, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, 0, err
	}
	file, err = os.CreateTemp(folder, journalBeginning(now)+"*"+journalEnding)
	if err != nil {
		return nil, 0, err
	}
	lockJournal(file)
	others := removeOldJournals(folder, space, now)
	if space == 0 {
		return file, 0, nil
	}
	return file, max(space-others, space/journalShare), nil
}

// journalBeginning is how the name of a journal begins: their order is that in which runs began, also within a second.
func journalBeginning(now time.Time) string { return now.UTC().Format("20060102-150405.000000000-") }

// noteJournal keeps a link to a journal that has a name of its own beside the others, so that the last run is found
// whatever its journal is called. It is a convenience: where no link can be made there is none.
func (a *app) noteJournal(named string, space int64, now time.Time) {
	folder, err := a.stateFolder()
	if err != nil || os.MkdirAll(folder, 0o700) != nil {
		return
	}
	path, err := filepath.Abs(named)
	if err != nil {
		return
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	_ = os.Symlink(path, filepath.Join(folder, journalBeginning(now)+"named"+journalEnding))
	removeOldJournals(folder, space, now)
}

// journalShare is the part of the space, one in so many, that is free for the journal of a run that begins.
const journalShare = 4

// removeOldJournals keeps the state folder from growing for ever, the oldest first: what is older than keptFor, except for the
// last keptJournals, and what leaves too little of the space, in bytes, for the run that begins. It returns how many bytes the
// journals take that are left. What cannot be removed stays, and so does what another process still writes. Of a journal that
// was named only the link goes.
func removeOldJournals(folder string, space int64, now time.Time) (left int64) {
	names := journals(folder)
	sizes := make([]int64, len(names))
	for i, name := range names {
		path := filepath.Join(folder, name)
		info, err := os.Lstat(path)
		switch {
		case err != nil:
		case i < len(names)-keptJournals && now.Sub(info.ModTime()) > keptFor && removeJournal(path, info):
		case info.Mode().IsRegular():
			sizes[i] = info.Size()
			left += info.Size()
		}
	}
	for i, name := range names {
		if space == 0 || left <= space-space/journalShare {
			break
		}
		path := filepath.Join(folder, name)
		if info, err := os.Lstat(path); err == nil && sizes[i] > 0 && removeJournal(path, info) {
			left -= sizes[i]
		}
	}
	return left
}

// removeJournal removes a journal that no process writes, and reports whether it did.
func removeJournal(path string, info os.FileInfo) bool {
	if !info.Mode().IsRegular() {
		return os.Remove(path) == nil
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // it is only locked
	return lockJournal(file) && os.Remove(path) == nil
}

// journals are the names of a folder's journals, oldest first: their names begin with the time. Some are links.
func journals(folder string) []string {
	entries, _ := os.ReadDir(folder)
	var names []string
	for _, e := range entries {
		if (e.Type().IsRegular() || e.Type() == os.ModeSymlink) && strings.HasSuffix(e.Name(), journalEnding) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// close ends the file, and gives what went wrong with it first.
func (j *journalFile) close() error {
	if j.file == nil {
		return nil
	}
	err := j.journal.Err()
	if closing := j.file.Close(); err == nil {
		err = closing
	}
	return err
}

// readRecord reads the record of a run from a file of either form; without a name, the journal of the last run, and then
// it says which that is. It also gives the name of the file that was read.
func (a *app) readRecord(args []string) (*record.Record, string, error) {
	var path string
	if len(args) > 0 {
		path = args[0]
	} else {
		folder, err := a.stateFolder()
		if err != nil {
			return nil, "", fmt.Errorf("the journal of the last run cannot be found: %w; name a record or a journal", err)
		}
		names := journals(folder)
		if len(names) == 0 {
			return nil, "", fmt.Errorf("there is no journal of an earlier run in %s; name a record (--report json:FILE wrote it) or a journal", visible(folder))
		}
		path = filepath.Join(folder, names[len(names)-1])
		if named, err := os.Readlink(path); err == nil {
			path = named
		}
		fmt.Fprintf(a.stderr, "hallmark: the last run here is that of %s\n", visible(path))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, path, fmt.Errorf("%s cannot be read: %w", visible(path), bare(err))
	}
	defer func() { _ = file.Close() }()
	record, err := reports.Read(file)
	if err != nil {
		return nil, path, fmt.Errorf("%s: %w", visible(path), bare(err))
	}
	return record, path, nil
}

// oneRecord lets at most one file be named.
func oneRecord(args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("one record or journal can be read at a time: %q is too much", args[1])
	}
	return nil
}
