package session

import (
	"errors"
	"fmt"
	"os"

	"hallmark/internal/bundled"
	"hallmark/internal/cli"
	"hallmark/internal/options"
	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/spec/feature"
	"hallmark/spec/openapi"
	"hallmark/spec/promise"
	"hallmark/spec/source"
	"hallmark/steps"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// Basis is what services are judged by: a contract, and the rules that it is held to.
type Basis struct {
	Contract  *spec.Contract
	Catalogue *spec.Catalogue

	from options.Contract
	// promises are those of a contract whose rules follow from it alone; nil for others.
	promises *promise.Promises
}

// Builtin returns the contract that is built in, and its rules.
func Builtin() (*Basis, error) { return Load(options.Contract{}) }

// Load reads the contract of a file, or the built-in one when none is named, and its rules, and makes sure that the two belong
// together.
func Load(from options.Contract) (*Basis, error) {
	go bundled.Petstore().Catalogue() //nolint:errcheck // read beside the contract; who needs the rules is told what is wrong with them
	own, err := bundled.Petstore().Contract()
	if err != nil {
		return nil, err
	}
	b := &Basis{Contract: own, from: from}
	if from.File != "" {
		if b.Contract, err = ReadContract(from); err != nil {
			return nil, err
		}
		b.promises = promisesOf(own, b.Contract, from)
	}
	if b.promises != nil {
		if err := give(b.promises, from); err != nil {
			return nil, err
		}
	}
	if b.promises == nil {
		b.Catalogue, err = adapted(own, b.Contract, from.File)
	} else {
		b.Catalogue, err = b.promises.Catalogue()
	}
	if err == nil {
		b.Catalogue, err = changed(b.Catalogue, b.Contract, from)
	}
	return b, err
}

// adapted returns the rules of the bundled interface as they read for a contract of it.
func adapted(own, contract *spec.Contract, file string) (*spec.Catalogue, error) {
	catalogue, err := bundled.Petstore().Catalogue()
	if err != nil {
		return nil, err
	}
	if catalogue, err = catalogue.Adapt(own, contract); err != nil {
		return nil, fmt.Errorf("--contract %s: %w", text.Visible(file), err)
	}
	if wrong := catalogue.Check(contract); len(wrong) > 0 {
		what := "the contract"
		if file != "" {
			what += " " + text.Visible(file)
		}
		return nil, fmt.Errorf("%s and the catalogue of rules do not belong together:\n%w", what, errors.Join(wrong...))
	}
	return catalogue, nil
}

// ReadContract reads the contract that the flags name.
func ReadContract(from options.Contract) (*spec.Contract, error) {
	contract, err := openapi.LoadFile(from.File, source.Options{AllowRemote: from.AllowRemote})
	switch {
	case errors.As(err, new(*source.Error)):
		return nil, fmt.Errorf("--contract %s: %w", text.Visible(from.File), err)
	case err != nil:
		return nil, fmt.Errorf("--contract %s: the file cannot be read: %w", text.Visible(from.File), cli.Bare(err))
	}
	return contract, nil
}

// featureSeed fixes what derived scenarios send, so that their ids mean the same in each run.
const featureSeed = 1

// promisesOf returns what a contract promises whose rules follow from it alone; nil for the contract of a bundled interface, and
// for one that has all of its operations: that has rules and scenarios of its own.
func promisesOf(own, contract *spec.Contract, from options.Contract) *promise.Promises {
	for _, op := range own.Operations() {
		there, ok := contract.Operation(op.ID)
		if !ok || there.Method != op.Method || there.Path != op.Path {
			return promise.Of(contract, featureSeed, from.PerOperation)
		}
	}
	return nil
}

// Promises returns what the contract promises; nil where its rules do not follow from it alone.
func (b *Basis) Promises() *promise.Promises { return b.promises }

// Derived reports whether the rules follow from the contract alone.
func (b *Basis) Derived() bool { return b.promises != nil }

// code returns the Go code of the interface: none where the rules follow from the contract.
func (b *Basis) code() scenario.Interface {
	if b.promises != nil {
		return scenario.Interface{}
	}
	return bundled.Petstore().Code
}

// isOwn reports whether the contract is the one that is built in.
func (b *Basis) isOwn() (bool, error) {
	own, err := bundled.Petstore().Contract()
	if err != nil {
		return false, err
	}
	return own.Digest() == b.Contract.Digest(), nil
}

// Features returns the features that follow from the contract and its rules.
func (b *Basis) Features() ([]feature.File, error) {
	if b.promises == nil {
		return derive.Features(b.Contract, b.Catalogue)
	}
	return b.promises.Features(b.Catalogue), nil
}

// Suite parses the features of a folder, or the built-in ones when none is named: those that follow from the contract are
// derived from the one that is judged by.
func (b *Basis) Suite(folder string) (*suite.Suite, error) {
	own, err := b.isOwn()
	switch {
	case err != nil:
		return nil, err
	case folder != "" || own:
		return b.suiteIn(folder)
	}
	var loaded *suite.Suite
	if b.promises == nil {
		loaded, err = steps.LoadSuiteFor(bundled.Petstore().Features, bundled.Petstore().Code, b.Contract, b.Catalogue)
	} else {
		loaded, err = b.derivedSuite()
	}
	if err != nil {
		return nil, fmt.Errorf("--contract %s: %w", text.Visible(b.from.File), err)
	}
	return loaded, nil
}

// derivedSuite loads the features that follow from the contract alone.
func (b *Basis) derivedSuite() (*suite.Suite, error) {
	return steps.LoadDerived(b.promises.LastFeatures(b.Catalogue), b.Catalogue)
}

// suiteIn parses the features of a folder, or the built-in ones when none is named.
func (b *Basis) suiteIn(folder string) (*suite.Suite, error) {
	if folder == "" {
		return steps.LoadSuite(bundled.Petstore().Features, bundled.Petstore().Code, b.Catalogue)
	}
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--features %s: the folder cannot be read: %w", text.Visible(folder), cli.Bare(err))
	case !info.IsDir():
		return nil, fmt.Errorf("--features %s: this is no folder; name one that holds .feature files", text.Visible(folder))
	}
	from := suite.Source{Folder: bundled.Petstore().Features.Folder, FS: os.DirFS(folder)}
	if b.promises != nil {
		from.Folder = "features"
	}
	loaded, err := steps.LoadSuite(from, b.code(), b.Catalogue)
	if err != nil {
		return nil, fmt.Errorf("--features %s: %w", text.Visible(folder), err)
	}
	return loaded, nil
}

// foreign names what was given in place of the built-in contract and features, unless it is the same.
func (b *Basis) foreign(folder string, loaded *suite.Suite) ([]string, error) {
	var all []string
	if own, err := b.isOwn(); err != nil {
		return nil, err
	} else if !own {
		all = append(all, "contract")
	}
	if folder == "" {
		return all, nil
	}
	builtin, err := Builtin()
	if err != nil {
		return nil, err
	}
	own, err := builtin.Suite("")
	if err != nil {
		return nil, err
	}
	if own.Digest() != loaded.Digest() {
		all = append(all, "features")
	}
	return all, nil
}
