package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

const (
	// journalEnding is how the names of journals end that hallmark itself chose.
	journalEnding = ".journal"
	// The last keptJournals are kept, and all that are younger than keptFor, as far as there is room; others are
	// removed when a run begins.
	keptJournals = 20
	keptFor      = 30 * 24 * time.Hour
	// NoJournal is the value of --journal that keeps no journal.
	NoJournal = "none"
	mebibyte  = 1 << 20
)

// stateFolder is where journals without a given name are kept, according to the XDG base directory specification.
func stateFolder(env *cli.Env) (string, error) {
	state := env.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // which the specification says to ignore
		home := env.Getenv("HOME")
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

// Journal is the file of a run's journal.
type Journal struct {
	// Path is empty if no journal is kept.
	Path  string
	file  *os.File
	Lines *record.Journal
}

// OpenJournal starts the journal of a run: in the named file, else in a new file in the state folder. If that is
// impossible, the run goes on without a journal, and a sentence says so. All journals together take at most space
// bytes; 0 means no limit.
func OpenJournal(env *cli.Env, named string, space int64, now time.Time) (*Journal, error) {
	if named == NoJournal {
		return &Journal{}, nil
	}
	if named != "" {
		file, err := os.OpenFile(named, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if err != nil {
			return nil, fmt.Errorf("--journal %s: the file cannot be written: %w", text.Visible(named), cli.Bare(err))
		}
		files.Lock(file)
		noteJournal(env, named, space, now)
		return &Journal{named, file, record.NewJournal(file, space)}, nil
	}
	file, room, err := newJournal(env, space, now)
	if err != nil {
		fmt.Fprintf(env.Stderr, "hallmark: no journal is kept of this run, so a list of what it creates will be missing if it is killed: %v; name a file with --journal FILE, or none\n", cli.Bare(err))
		return &Journal{}, nil
	}
	return &Journal{file.Name(), file, record.NewJournal(file, room)}, nil
}

// newJournal makes a file for a journal, and returns how much room there is for it besides the others.
func newJournal(env *cli.Env, space int64, now time.Time) (file *os.File, room int64, err error) {
	folder, err := stateFolder(env)
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
	files.Lock(file)
	others := removeOldJournals(folder, space, now)
	if space == 0 {
		return file, 0, nil
	}
	return file, max(space-others, space/journalShare), nil
}

// journalBeginning is the beginning of a journal's name: names are ordered by when the runs began, even within a
// second.
func journalBeginning(now time.Time) string { return now.UTC().Format("20060102-150405.000000000-") }

// noteJournal keeps a link to a journal with a name of its own beside the others, so that the last run is found
// whatever its journal is called. It is a convenience: if no link can be made, there is none.
func noteJournal(env *cli.Env, named string, space int64, now time.Time) {
	folder, err := stateFolder(env)
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

// journalShare is the fraction of the space, one in journalShare, that is kept free for the journal of a new run.
const journalShare = 4

// removeOldJournals keeps the state folder from growing forever, removing the oldest first: journals that are
// older than keptFor, except the last keptJournals, and those that leave too little of the space, in bytes, for
// the new run. It returns how many bytes the remaining journals take. Journals that cannot be removed, or that
// another process is still writing, stay. For a journal with a given name only the link is removed.
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
	if !files.Lock(file) || os.Remove(path) != nil {
		return false
	}
	_ = os.Remove(suggestedBeside(path)) // most runs suggest nothing
	return true
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

// openSpill lets a recorder spill scenarios and exchanges to a temporary file. If none can be created it returns nil, and they stay in
// memory.
func openSpill(r *record.Recorder) *os.File {
	file, err := os.CreateTemp("", "hallmark-")
	if err != nil {
		return nil
	}
	_ = os.Remove(file.Name()) // it stays usable while it is open; where it cannot be removed yet, closeSpill removes it
	r.SpillTo(file)
	return file
}

// closeSpill closes and removes the file of openSpill, which may be nil.
func closeSpill(file *os.File) {
	if file != nil {
		_ = file.Close()
		_ = os.Remove(file.Name())
	}
}

// Close closes the file, and returns the first error in writing it.
func (j *Journal) Close() error {
	if j.file == nil {
		return nil
	}
	err := j.Lines.Err()
	if closing := j.file.Close(); err == nil {
		err = closing
	}
	return err
}
