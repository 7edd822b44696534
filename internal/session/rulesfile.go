package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"hallmark/internal/cli"
	"hallmark/internal/options"
	"hallmark/internal/text"
	"hallmark/spec"
)

// rulesName is the file beside a contract that changes its rules.
const rulesName = "rules.yaml"

// changed returns the rules of a contract as changed by the file beside it, or by the named one.
func changed(catalogue *spec.Catalogue, contract *spec.Contract, from options.Contract) (*spec.Catalogue, error) {
	name, named := from.Rules, "--rules-file "+text.Visible(from.Rules)
	switch {
	case name == options.NoRules || name == "" && from.File == "":
		return catalogue, nil
	case name == "":
		name = filepath.Join(filepath.Dir(from.File), rulesName)
		named = "the rules beside the contract, " + text.Visible(name)
	}
	data, err := readFile(name, from.Rules != "")
	switch {
	case from.Rules == "" && errors.Is(err, fs.ErrNotExist):
		return catalogue, nil
	case err != nil:
		return nil, fmt.Errorf("%s: the file cannot be read: %w", named, cli.Bare(err))
	}
	entries, err := spec.ReadRules(data)
	if err != nil {
		if from.Rules == "" {
			return nil, fmt.Errorf("%s: %w; if the file has another purpose, add --rules-file %s", named, err, options.NoRules)
		}
		return nil, fmt.Errorf("%s: %w", named, err)
	}
	if len(entries) == 0 {
		return catalogue, nil
	}
	if same, err := spec.LoadCatalogue(data); err == nil && same.Digest() == catalogue.Digest() {
		return catalogue, nil
	}
	if catalogue, err = catalogue.Change(entries); err != nil {
		return nil, fmt.Errorf("%s: %w", named, err)
	}
	if wrong := catalogue.CheckChanged(contract, entries); wrong != nil {
		return nil, fmt.Errorf("%s: %w", named, wrong)
	}
	return catalogue, nil
}

// maxRules is the most that is read of a file of rules, in bytes.
const maxRules = 8 << 20

// readFile reads a file. A file that the user named may be a pipe; a file found by default must not block.
func readFile(name string, named bool) ([]byte, error) {
	if !named {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, errors.New("it is not a regular file")
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxRules+1))
	if err == nil && len(data) > maxRules {
		return nil, fmt.Errorf("it is larger than %d MiB", maxRules>>20)
	}
	return data, err
}
