package reports

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// writeEvery is the minimum interval between two writes of a report during a run. A slow write delays the next one, so that reports never
// take more than a tenth of the time of a run.
const writeEvery = 2 * time.Second

// Sinks are the reports of a run. Files are replaced atomically during the run, so that a killed run leaves its results, marked as
// incomplete. Standard output is written once, at the end.
type Sinks struct {
	sinks  []sink
	stdout io.Writer

	sources view.Sources
	started bool
	stop    chan struct{}
	done    chan struct{}
	once    sync.Once
}

type sink struct {
	format Format
	// flag is the value of the flag, path the destination; "-" is standard output.
	flag, path string
	// once reports whether the report is written only at the end: to standard output, devices and pipes.
	once bool
}

// OpenSinks parses the values of --report, each FORMAT:PATH, and checks that the reports can be written. It writes nothing.
func OpenSinks(specs []string, formats []Format, stdout io.Writer) (*Sinks, error) {
	s := &Sinks{stdout: stdout, stop: make(chan struct{}), done: make(chan struct{})}
	taken := map[string]string{}
	for _, flag := range specs {
		one, err := openSink(flag, formats)
		if err != nil {
			return nil, fmt.Errorf("--report %s: %w", text.Visible(flag), err)
		}
		if before, twice := taken[one.path]; twice {
			return nil, fmt.Errorf("--report %s: %s goes to the same place already; give each report a path of its own", text.Visible(flag), text.Visible(before))
		}
		taken[one.path] = flag
		s.sinks = append(s.sinks, one)
	}
	return s, nil
}

func openSink(flag string, formats []Format) (sink, error) {
	name, path, found := strings.Cut(flag, ":")
	var known []string
	for _, f := range formats {
		known = append(known, f.Name)
	}
	if !found || path == "" || name == "" {
		return sink{}, fmt.Errorf("a report is asked for as FORMAT:PATH, for example junit:report.xml; formats are %s", strings.Join(known, ", "))
	}
	if i := strings.LastIndexByte(path, ','); i >= 0 && slices.Contains(known, strings.TrimSpace(path[i+1:])) {
		return sink{}, fmt.Errorf("%s is asked for without a path; write %s:PATH", strings.TrimSpace(path[i+1:]), strings.TrimSpace(path[i+1:]))
	}
	for _, f := range formats {
		if f.Name == name {
			if word, rest, more := strings.Cut(path, ":"); more && IsForm(word) && len(f.Variants) > 0 {
				other := f.Variants[word]
				if other == nil {
					return sink{}, fmt.Errorf("the format %s has no form %q; forms are %s", name, word, strings.Join(slices.Sorted(maps.Keys(f.Variants)), ", "))
				}
				if rest == "" {
					return sink{}, fmt.Errorf("a path is missing, as in %s:%s:report.xml", name, word)
				}
				f.Write, path = other, rest
			}
			if other := f.Ending[strings.ToLower(filepath.Ext(path))]; other != nil {
				f.Write = other
			}
			return placeSink(sink{format: f, flag: flag, path: path})
		}
	}
	hint := ""
	if near := text.Similar(name, known); near != "" {
		hint = "; did you mean " + near + "?"
	}
	return sink{}, fmt.Errorf("there is no format %q; formats are %s%s", name, strings.Join(known, ", "), hint)
}

// IsForm reports whether a word between a format and its path names a variant of the format, like by=rule in junit:by=rule:report.xml.
func IsForm(word string) bool { return strings.HasPrefix(word, "by=") }

// placeSink checks that a report can be written to its destination.
func placeSink(s sink) (sink, error) {
	if s.path == "-" || strings.HasPrefix(s.path, "/dev/") {
		s.once = true
		return s, nil
	}
	if aim, err := filepath.EvalSymlinks(s.path); err == nil {
		s.path = aim // keep a link and write its target
	}
	s.path = filepath.Clean(s.path)
	info, err := os.Stat(s.path)
	switch {
	case err == nil && info.IsDir():
		return s, errors.New("this is a folder; name a file in it")
	case err == nil && !info.Mode().IsRegular():
		s.once = true
		return s, nil
	case err == nil:
		// The permissions of the folder suffice for replacing a file, but a write-protected file is meant to be kept.
		file, err := os.OpenFile(s.path, os.O_WRONLY, 0)
		if err != nil {
			return s, fmt.Errorf("the file cannot be written: %w", bare(err))
		}
		_ = file.Close()
	}
	folder := filepath.Dir(s.path)
	if info, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		return s, fmt.Errorf("the folder %s does not exist; create it first", text.Visible(folder))
	} else if err == nil && !info.IsDir() {
		return s, fmt.Errorf("%s is not a folder", text.Visible(folder))
	}
	probe, err := os.CreateTemp(folder, ".hallmark-*.tmp")
	if err != nil {
		return s, fmt.Errorf("nothing can be written in the folder %s: %w", text.Visible(folder), bare(err))
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	return s, nil
}

// bare returns a file error without operation and path, which the caller adds.
func bare(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}

// Stdout reports whether a report goes to standard output, which then must not be used otherwise.
func (s *Sinks) Stdout() bool {
	for _, one := range s.sinks {
		if one.path == "-" {
			return true
		}
	}
	return false
}

// Scripts returns the folder for the scripts of failures: beside the first report that is a file and that people read about failures. It is ""
// if there is none.
func (s *Sinks) Scripts() string {
	for _, one := range s.sinks {
		if one.format.Scripts && !one.once {
			return strings.TrimSuffix(one.path, filepath.Ext(one.path)) + "-scripts"
		}
	}
	return ""
}

// Start writes the reports for the first time, so that those of an earlier run are not mistaken for new ones, and updates them during
// the run until Finish.
func (s *Sinks) Start(rec *record.Recorder, from view.Sources) error {
	s.sources = from
	last := rec.Tally() // before writing: later changes are written next time
	if err := s.writeSnapshot(rec); err != nil {
		return err
	}
	s.started = true
	go func() {
		defer close(s.done)
		wait := writeEvery
		timer := time.NewTimer(wait)
		defer timer.Stop()
		for {
			select {
			case <-s.stop:
				return
			case <-timer.C:
			}
			if now := rec.Tally(); now.Scenarios != last.Scenarios || now.Exchanges != last.Exchanges {
				last = now
				began := time.Now()
				// A full disk may be freed in time, so only the error of the last write matters.
				_ = s.writeSnapshot(rec)
				wait = max(writeEvery, 10*time.Since(began))
			}
			timer.Reset(wait)
		}
	}()
	return nil
}

func (s *Sinks) writeSnapshot(rec *record.Recorder) error {
	var v *view.View
	for _, one := range s.sinks {
		if one.once {
			continue
		}
		if v == nil {
			snapshot := rec.Snapshot()
			v = view.New(&snapshot, s.sources)
		}
		if err := one.write(s.stdout, v); err != nil {
			return err
		}
	}
	return nil
}

// Empty reports whether no report was requested.
func (s *Sinks) Empty() bool { return len(s.sinks) == 0 }

// Finish stops the updates and writes the reports for the last time. It tries all of them; the error names those that failed.
func (s *Sinks) Finish(v *view.View) error {
	s.once.Do(func() { close(s.stop) })
	if s.started {
		<-s.done
	}
	// Write as many in parallel as there are processors: they only read the view and have different destinations.
	all := make([]error, len(s.sinks))
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i, one := range s.sinks {
		places <- struct{}{}
		group.Go(func() {
			defer func() { <-places }()
			all[i] = one.write(s.stdout, v)
		})
	}
	group.Wait()
	return errors.Join(all...)
}

func (one sink) write(stdout io.Writer, v *view.View) error {
	content := func(w io.Writer) error { return one.format.Write(w, v) }
	var err error
	switch {
	case one.path == "-":
		err = content(stdout)
	case one.once:
		err = files.Overwrite(one.path, content)
	default:
		err = files.ReplaceWith(one.path, content)
	}
	if err != nil {
		return fmt.Errorf("the report %s could not be written: %w", text.Visible(one.flag), bare(err))
	}
	return nil
}
