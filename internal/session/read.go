package session

import (
	"fmt"
	"os"
	"path/filepath"

	"hallmark/internal/bundled"

	"hallmark/internal/cli"
	"hallmark/internal/text"
	"hallmark/reports"
	"hallmark/reports/record"
	"hallmark/reports/view"
	"hallmark/spec"
)

// NewView judges a record that was read, by the rules that it was made with. Its contract and features are shown when they
// are the built-in ones.
func NewView(name string, record *record.Record) (*view.View, error) {
	builtin, err := Builtin()
	if err != nil {
		return nil, err
	}
	if err := CheckRules(name, record, builtin.Catalogue); err != nil {
		return nil, err
	}
	loaded, err := builtin.Suite("")
	if err != nil {
		return nil, err
	}
	from := view.Sources{Catalogue: builtin.Catalogue, Contract: builtin.Contract, ContractFile: bundled.Petstore().ContractFile, Features: loaded.Files()}
	return view.New(record, from.Of(record.Suite, loaded.Digest())), nil
}

// CheckRules refuses a record that was made with another catalogue of rules: its verdicts would be other ones here.
func CheckRules(name string, record *record.Record, catalogue *spec.Catalogue) error {
	if record.Suite.Catalogue != catalogue.Digest() {
		return fmt.Errorf("%s was made with other rules, by hallmark %s; use that version, or run again with this one",
			text.Visible(name), text.Visible(record.Suite.Version))
	}
	return nil
}

// ReadRecord reads the record of a run from a file of either form; without a name, the journal of the last run, and then
// it says which that is. It also gives the name of the file that was read.
func ReadRecord(env *cli.Env, args []string) (*record.Record, string, error) {
	var path string
	if len(args) > 0 {
		path = args[0]
	} else {
		folder, err := stateFolder(env)
		if err != nil {
			return nil, "", fmt.Errorf("the journal of the last run cannot be found: %w; name a record or a journal", err)
		}
		names := journals(folder)
		if len(names) == 0 {
			return nil, "", fmt.Errorf("there is no journal of an earlier run in %s; name a record (--report json:FILE wrote it) or a journal", text.Visible(folder))
		}
		path = filepath.Join(folder, names[len(names)-1])
		if named, err := os.Readlink(path); err == nil {
			path = named
		}
		fmt.Fprintf(env.Stderr, "hallmark: the last run here is that of %s\n", text.Visible(path))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, path, fmt.Errorf("%s cannot be read: %w", text.Visible(path), cli.Bare(err))
	}
	defer func() { _ = file.Close() }()
	record, err := reports.Read(file, bundled.Petstore().Code.Resource)
	if err != nil {
		return nil, path, fmt.Errorf("%s: %w", text.Visible(path), cli.Bare(err))
	}
	return record, path, nil
}
