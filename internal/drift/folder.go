package drift

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/feature"
)

// extension is the extension of feature files.
const extension = ".feature"

// Folder is a folder of derived features and its expected content.
type Folder struct {
	path        string
	want        map[string]string
	differences []difference
}

// Read compares the feature files in a folder with those that the contract yields.
func Read(path string, derived []feature.File) (*Folder, error) {
	want := map[string]string{}
	for _, f := range derived {
		want[f.Name] = f.Content
	}
	have, err := read(path)
	if err != nil {
		return nil, err
	}
	return &Folder{path, want, compare(want, have)}, nil
}

// read reads the feature files in a folder. The folder may be missing, but not its parent: otherwise the command is run in the wrong
// place.
func read(folder string) (map[string]string, error) {
	parent := filepath.Dir(filepath.Clean(folder))
	if info, err := os.Stat(parent); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("there is no folder %s here; run this in the folder of the module, or name another one with --out", text.Visible(parent))
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be read: %w", text.Visible(folder), cli.Bare(err))
	}
	have := map[string]string{}
	for _, e := range entries {
		if !e.IsDir() {
			if err := readOne(folder, e.Name(), have); err != nil {
				return nil, err
			}
			continue
		}
		below, err := os.ReadDir(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("the folder %s cannot be read: %w", text.Visible(filepath.Join(folder, e.Name())), cli.Bare(err))
		}
		for _, b := range below {
			name := e.Name() + "/" + b.Name()
			if b.IsDir() {
				continue
			}
			if err := readOne(folder, name, have); err != nil {
				return nil, err
			}
			if !strings.HasPrefix(have[name], derivedMark) {
				delete(have, name) // a written feature
			}
		}
	}
	return have, nil
}

// derivedMark is the beginning of derived files.
const derivedMark = "# Derived from the contract"

// readOne adds the text of a feature file by name; nothing if it is not one.
func readOne(folder, name string, to map[string]string) error {
	if filepath.Ext(name) != extension {
		return nil
	}
	file := filepath.Join(folder, filepath.FromSlash(name))
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s cannot be read: it is not a regular file", text.Visible(file)) // opening a pipe may block forever
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", text.Visible(filepath.Join(folder, name)), cli.Bare(err))
	}
	to[name] = string(content)
	return nil
}

// Check writes the differences, and returns an error if there are any. update is the command that updates the folder.
func (f *Folder) Check(out io.Writer, update string) error {
	if len(f.differences) == 0 {
		return f.upToDate(out)
	}
	for _, d := range f.differences {
		fmt.Fprint(out, d.describe(f.path))
	}
	return cli.WithCode(cli.ExitFound, fmt.Errorf("%s in %s not what follows from the contract; run %s",
		text.Count(len(f.differences), "file"), text.Visible(f.path)+" "+text.Are(len(f.differences)), update))
}

// Update writes different files atomically and removes obsolete ones. It reports each on out.
func (f *Folder) Update(out io.Writer) error {
	if err := os.MkdirAll(f.path, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", text.Visible(f.path), cli.Bare(err))
	}
	for _, d := range f.differences {
		path := filepath.Join(f.path, filepath.FromSlash(d.name))
		did := "wrote"
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err != nil {
			return fmt.Errorf("the folder %s cannot be made: %w", text.Visible(filepath.Dir(path)), cli.Bare(err))
		}
		if d.leftOver {
			did, err = "removed", os.Remove(path)
		} else {
			err = files.Replace(path, f.want[d.name])
		}
		if err != nil {
			return fmt.Errorf("%s cannot be written: %w", text.Visible(path), cli.Bare(err))
		}
		fmt.Fprintf(out, "%-8s %s\n", did, text.Visible(path))
	}
	if len(f.differences) == 0 {
		_ = f.upToDate(out)
	}
	return nil
}

func (f *Folder) upToDate(out io.Writer) error {
	_, err := fmt.Fprintf(out, "%s in %s: up to date\n", text.Count(len(f.want), "derived file"), text.Visible(f.path))
	return err
}
