package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// rulesName is the file beside a contract that changes its rules.
const rulesName = "rules.yaml"

// rulesFile is a file that changes the rules of a contract; the zero value changes nothing.
type rulesFile struct {
	spec.RulesFile
	// named says in messages which file it is.
	named string
}

// readRules reads the rules file beside a contract, or the named one.
func readRules(from options.Contract) (f rulesFile, err error) {
	name, named := from.Rules, "--rules-file "+text.Visible(from.Rules)
	switch {
	case name == options.NoRules || name == "" && from.File == "":
		return f, nil
	case name == "":
		name = filepath.Join(filepath.Dir(from.File), rulesName)
		named = "the rules beside the contract, " + text.Visible(name)
	}
	data, err := readFile(name, from.Rules != "")
	switch {
	case from.Rules == "" && errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return f, fmt.Errorf("%s: the file cannot be read: %w", named, cli.Bare(err))
	}
	f = rulesFile{named: named}
	if f.RulesFile, err = spec.ReadRulesFile(data); err != nil {
		if from.Rules == "" {
			return f, fmt.Errorf("%s: %w; if the file has another purpose, add --rules-file %s", named, err, options.NoRules)
		}
		return f, fmt.Errorf("%s: %w", named, err)
	}
	return f, nil
}

// change returns the rules of a contract as changed by the file.
func (f rulesFile) change(catalogue *spec.Catalogue, contract *spec.Contract) (*spec.Catalogue, error) {
	if len(f.Entries) == 0 {
		return catalogue, nil
	}
	catalogue, err := catalogue.Change(f.Entries)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.named, err)
	}
	if wrong := catalogue.CheckChanged(contract, f.Entries); wrong != nil {
		return nil, fmt.Errorf("%s: %w", f.named, wrong)
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
