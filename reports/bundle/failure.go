package bundle

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/text/syntax"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// Schema is the name of the format of failure.json, including its version.
const Schema = "hallmark.bundle/v1"

const (
	// fileName is the file that is read in each folder.
	fileName = "failure.json"
	// maxFile is the maximum size of a failure.json in bytes, maxFailures the maximum number of them, maxEntries that of files.
	maxFile, maxFailures, maxEntries = 4 << 20, 200, 10_000
	// maxTotal is the maximum total size in bytes.
	maxTotal = 16 << 20
	// freeValues is how many objects and lists even a short failure.json may have.
	freeValues = 2_000
	// otherScenarios is how many scenarios are repeated besides the one that shows a failure best.
	otherScenarios = 4
)

// Failure is a cause of a failed run, with what is needed to reproduce it. It contains no secrets.
type Failure struct {
	Schema string `json:"schema"`
	// Run identifies the run that found it.
	Run     string         `json:"run,omitempty"`
	Suite   record.Suite   `json:"suite"`
	Target  record.Target  `json:"target"`
	Options record.Options `json:"options"`

	// Rule is the leading rule of the cause; Broken are all violated rules, that of the example first.
	Rule    string     `json:"rule"`
	Level   spec.Level `json:"level"`
	Section string     `json:"section,omitempty"`
	Says    string     `json:"says,omitempty"`
	Broken  []string   `json:"broken"`
	// Example is the finding that shows it best, Message the same on one line.
	Example spec.Finding `json:"example"`
	Message string       `json:"message"`
	// Scenarios are the ids of scenarios that show it, the best first.
	Scenarios []string `json:"scenarios"`
	// Confirmation is the result of repeating it in that run, or nil if it was not repeated.
	Confirmation *record.Confirmation `json:"confirmation,omitempty"`
}

// Failures returns the causes that make a run fail, as failures; Script returns the script for each.
func Failures(v *view.View) []Failure {
	failing, _ := v.Causes()
	all := make([]Failure, 0, len(failing))
	for _, c := range failing {
		all = append(all, failureOf(v, c))
	}
	return all
}

// failureOf returns a cause as a failure.
func failureOf(v *view.View, c verdict.Cause) Failure {
	f := Failure{
		Schema: Schema, Run: v.Record.ID, Suite: v.Record.Suite, Target: v.Record.Target, Options: v.Record.Options,
		Rule: c.Rule, Level: c.Level, Section: c.Section, Says: c.Says, Broken: []string{c.Lead.Rule},
		Example: c.Lead, Message: c.Message, Scenarios: []string{c.Scenario}, Confirmation: c.Confirmation,
	}
	if c.Rule != c.Lead.Rule {
		f.Broken = append(f.Broken, c.Rule)
	}
	for _, also := range c.Also {
		if !slices.Contains(f.Broken, also.Rule) {
			f.Broken = append(f.Broken, also.Rule)
		}
	}
	for _, id := range c.Scenarios {
		if id != c.Scenario && len(f.Scenarios) <= otherScenarios {
			f.Scenarios = append(f.Scenarios, id)
		}
	}
	return f
}

// Open reads the failures of a bundle: a zip file, or a folder extracted from one.
func Open(name string) ([]Failure, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", bare(err))
	}
	if info.IsDir() {
		return Read(os.DirFS(name))
	}
	file, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("it is not a bundle: %w; --report bundle:FILE.zip writes one", bare(err))
	}
	defer file.Close() //nolint:errcheck // it was only read
	return Read(file)
}

// Read reads the failures of a bundle. It reads only failure.json files, at the top or one folder down.
func Read(files fs.FS) ([]Failure, error) {
	var names []string
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", bare(err))
	}
	if len(entries) > maxEntries {
		return nil, fmt.Errorf("it holds %d files, which no bundle does", len(entries))
	}
	for _, e := range entries {
		switch {
		case e.Name() == fileName:
			names = append(names, fileName)
		case e.IsDir():
			if one := path.Join(e.Name(), fileName); exists(files, one) {
				names = append(names, one)
			}
		}
	}
	switch {
	case len(names) == 0:
		return nil, errors.New("it holds no failure: there is no " + fileName + " in it; of a run that found nothing there is nothing to replay")
	case len(names) > maxFailures:
		return nil, fmt.Errorf("it holds %d failures, and at most %d are read", len(names), maxFailures)
	}
	var all []Failure
	total := 0
	for _, name := range names {
		f, size, err := read(files, name)
		if total += size; err == nil && total > maxTotal {
			err = fmt.Errorf("together with those before it, it holds more than %d MiB, which no bundle does", maxTotal>>20)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text.Visible(name), err)
		}
		all = append(all, f)
	}
	return all, nil
}

func exists(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}

// read reads a failure and returns its size in bytes.
func read(files fs.FS, name string) (f Failure, size int, err error) {
	file, err := files.Open(name)
	if err != nil {
		return f, 0, bare(err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	// Do not trust the size in the zip file: decompress no more than the limit.
	data, err := io.ReadAll(record.BoundedTo(io.LimitReader(file, maxFile+1), freeValues))
	if err != nil {
		return f, 0, bare(err)
	}
	if len(data) > maxFile {
		return f, len(data), fmt.Errorf("it is larger than %d MiB, which no failure is", maxFile>>20)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		if wrong := syntax.JSON(data); wrong != nil {
			return f, len(data), fmt.Errorf("it is damaged: %w", wrong)
		}
		return f, len(data), fmt.Errorf("it is damaged: %s", text.Short(syntax.Decoding(err)))
	}
	if f.Schema != Schema {
		return f, len(data), fmt.Errorf("its schema is %s, and this version of hallmark reads %s; use the version that wrote it", text.Short(f.Schema), Schema)
	}
	if f.Rule == "" || len(f.Broken) == 0 || len(f.Scenarios) == 0 || len(f.Scenarios) > otherScenarios+1 {
		return f, len(data), errors.New("it is damaged: it does not say what was broken, or where")
	}
	return f, len(data), nil
}

// bare returns a file error without operation and path.
func bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
