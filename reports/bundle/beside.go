package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// mostScripts is how many scripts are written beside reports: those of the first causes that fail the run.
const mostScripts = 20

// scriptName matches the names of scripts beside reports.
var scriptName = regexp.MustCompile(`^[0-9]{2}-.*\.sh$`)

// WriteScripts writes the scripts of the causes that fail the run into a folder, in place of those of an earlier run, and notes them in the
// view. Without such causes there is no folder. Traffic has no scripts: others made its requests, as somebody whom a script cannot be.
func WriteScripts(folder string, v *view.View) error {
	if err := removeScripts(folder); err != nil {
		return fmt.Errorf("the scripts of an earlier run in %s could not be removed: %w", text.Visible(folder), err)
	}
	if v.Record.Traffic != nil {
		return nil
	}
	v.Scripts = map[int]string{}
	for i := range v.Result.Causes {
		c := v.Result.Causes[i]
		if !v.Fails(c) || len(v.Replay(c.Lead)) == 0 || len(v.Scripts) == mostScripts {
			continue
		}
		if len(v.Scripts) == 0 {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return fmt.Errorf("the folder %s could not be made: %w", text.Visible(folder), bare(err))
			}
		}
		path := filepath.Join(folder, caseName(len(v.Scripts), c.Rule)+".sh")
		if err := files.Replace(path, Script(v, c)); err != nil {
			return fmt.Errorf("the script %s could not be written: %w", text.Visible(path), bare(err))
		}
		v.Scripts[i] = path
	}
	return nil
}

// removeScripts removes the scripts of an earlier run, and the folder if nothing else is in it.
func removeScripts(folder string) error {
	there, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return bare(err)
	}
	kept := slices.DeleteFunc(there, func(e fs.DirEntry) bool {
		path := filepath.Join(folder, e.Name())
		if !e.Type().IsRegular() || !scriptName.MatchString(e.Name()) {
			return false
		}
		written, readErr := os.ReadFile(path)
		if readErr != nil || !strings.Contains(string(written), scriptSays) {
			return false
		}
		removeErr := os.Remove(path)
		err = errors.Join(err, removeErr)
		return removeErr == nil
	})
	if len(kept) == 0 {
		err = errors.Join(err, os.Remove(folder))
	}
	return err
}
