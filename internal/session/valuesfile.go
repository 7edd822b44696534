package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/values"
)

// valuesName is the file beside a contract that says what cannot be inferred from it.
const valuesName = "values.yaml"

// commandTime bounds a command of a file of values.
const commandTime = 30 * time.Second

// give replaces generated values with the constants of the file beside a contract, or of the named one.
func give(promises *promise.Promises, from options.Contract) error {
	name, named := from.Values, "--values-file "+text.Visible(from.Values)
	switch name {
	case options.NoRules:
		return nil
	case "":
		if from.File == "" {
			return nil
		}
		name = filepath.Join(filepath.Dir(from.File), valuesName)
		named = "the values beside the contract, " + text.Visible(name)
	}
	data, err := readFile(name, from.Values != "")
	switch {
	case from.Values == "" && errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s: the file cannot be read: %w", named, cli.Bare(err))
	}
	all, err := values.Read(data, valueSources(name, from.Values != ""))
	if err == nil {
		err = promises.Give(all)
	}
	if err != nil && from.Values == "" {
		return fmt.Errorf("%s: %w; if the file has another purpose, add --values-file %s", named, err, options.NoRules)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", named, err)
	}
	return nil
}

// valueSources finds what the entries of a file refer to: files below its folder, and the output of commands. A
// file that the user did not name runs nothing, and reads nothing from elsewhere: it may have come with the
// contract.
func valueSources(name string, named bool) values.Sources {
	folder := filepath.Dir(name)
	return values.Sources{
		File: func(file string) ([]byte, error) {
			if !named && !filepath.IsLocal(file) {
				return nil, errors.New("it is not below the folder of the values; --values-file " + text.Visible(name) + " allows it")
			}
			if !filepath.IsAbs(file) {
				file = filepath.Join(folder, file)
			}
			data, err := readFile(file, false)
			if err != nil {
				return nil, cli.Bare(err)
			}
			return data, nil
		},
		Command: func(words []string) ([]byte, error) {
			if !named {
				return nil, errors.New("a file that was only found beside the contract may not run commands; --values-file " + text.Visible(name) + " allows it")
			}
			ctx, cancel := context.WithTimeout(context.Background(), commandTime)
			defer cancel()
			cmd := exec.CommandContext(ctx, words[0], words[1:]...)
			cmd.Dir = folder
			out, err := cmd.Output()
			if ctx.Err() != nil {
				return nil, fmt.Errorf("it did not end within %v", commandTime)
			}
			if exit := (&exec.ExitError{}); errors.As(err, &exit) {
				return nil, fmt.Errorf("it exited with code %d: %s", exit.ExitCode(), text.Visible(firstLine(exit.Stderr)))
			}
			return out, err
		},
	}
}

// firstLine returns the first line that a command wrote, shortened.
func firstLine(data []byte) string {
	const most = 200
	for i, c := range data {
		if c == '\n' || i == most {
			return string(data[:i])
		}
	}
	return string(data)
}
