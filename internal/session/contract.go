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
	"hallmark/spec/prose"
	"hallmark/spec/source"
	"hallmark/steps"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// Basis is what services are judged by: a contract, and its rules.
type Basis struct {
	Contract  *spec.Contract
	Catalogue *spec.Catalogue

	from options.Contract
	// rules is the file that changes the rules.
	rules rulesFile
	// promises are those of a given contract; nil for the built-in one, which has rules of its own.
	promises *promise.Promises
}

// Builtin returns the built-in contract and its rules.
func Builtin() (*Basis, error) { return Load(options.Contract{}) }

// Load reads the contract from a file, or the built-in one if no file is named, and its rules, and makes sure that
// the two belong together. The rules of a contract from a file are always derived from it: only the built-in
// contract is judged as the Petstore.
func Load(from options.Contract) (*Basis, error) {
	b := &Basis{from: from}
	load := b.loadDocument
	if from.File == "" {
		load = b.loadBundled
	}
	if err := load(); err != nil {
		return nil, err
	}
	var err error
	b.Catalogue, err = b.rules.change(b.Catalogue, b.Contract)
	return b, err
}

// loadBundled loads the built-in contract and its rules.
func (b *Basis) loadBundled() (err error) {
	own := bundled.Petstore()
	go own.Catalogue() //nolint:errcheck // read in parallel with the contract; code that needs the rules gets the error
	if b.Contract, err = own.Contract(); err != nil {
		return err
	}
	if b.Catalogue, err = own.Catalogue(); err != nil {
		return err
	}
	if wrong := b.Catalogue.Check(b.Contract); len(wrong) > 0 {
		return fmt.Errorf("the built-in contract and its rules do not belong together:\n%w", errors.Join(wrong...))
	}
	if b.rules, err = readRules(b.from); err == nil && b.rules.AssertFormats {
		return fmt.Errorf("%s: formats: assert needs a contract of your own (--contract FILE)", b.rules.named)
	}
	return err
}

// loadDocument reads the contract of a file, and derives its rules.
func (b *Basis) loadDocument() (err error) {
	if b.Contract, err = ReadContract(b.from); err != nil {
		return err
	}
	if b.rules, err = readRules(b.from); err != nil {
		return err
	}
	if b.rules.AssertFormats || prose.AssertsFormats(b.Contract) {
		b.Contract = b.Contract.AssertingFormats()
	}
	b.promises = promise.Of(b.Contract, featureSeed, b.from.PerOperation)
	if err := give(b.promises, b.from); err != nil {
		return err
	}
	b.Catalogue, err = b.promises.Catalogue()
	return err
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

// Promises returns what the contract promises; nil for the built-in one.
func (b *Basis) Promises() *promise.Promises { return b.promises }

// Sentences returns the sentences of the document that state behaviour, with the rules that judge them; none of the built-in one.
func (b *Basis) Sentences() []promise.Sentence {
	if b.promises == nil {
		return nil
	}
	return b.promises.Sentences(b.Catalogue)
}

// IsBundled reports whether the contract is the built-in one, with rules, scenarios and code of its own. A given
// document never is, even one with the same text.
func (b *Basis) IsBundled() bool { return b.promises == nil }

// code returns the Go code of the interface: none if the rules are derived from the contract.
func (b *Basis) code() scenario.Interface {
	if b.IsBundled() {
		return bundled.Petstore().Code
	}
	return scenario.Interface{}
}

// Features returns the features that follow from the contract and its rules.
func (b *Basis) Features() ([]feature.File, error) {
	if b.IsBundled() {
		return derive.Features(b.Contract, b.Catalogue)
	}
	return b.promises.Features(b.Catalogue), nil
}

// Suite parses the features of a folder, or the built-in ones when none is named: those that follow from the contract are
// derived from the one that is judged by.
func (b *Basis) Suite(folder string) (*suite.Suite, error) {
	if folder != "" || b.IsBundled() {
		return b.suiteIn(folder)
	}
	loaded, err := b.derivedSuite()
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
		return nil, fmt.Errorf("--features %s: this is not a folder; name one that holds .feature files", text.Visible(folder))
	}
	from := suite.Source{Folder: "features", FS: os.DirFS(folder)}
	if b.IsBundled() {
		from.Folder = bundled.Petstore().Features.Folder
	}
	loaded, err := steps.LoadSuite(from, b.code(), b.Catalogue)
	if err == nil && !b.IsBundled() {
		err = checkWritten(loaded, b.Catalogue, b.Contract)
	}
	if err != nil {
		return nil, fmt.Errorf("--features %s: %w", text.Visible(folder), err)
	}
	return loaded, nil
}

// foreign names what was given in place of the built-in contract and features, unless it is the same.
func (b *Basis) foreign(folder string, loaded *suite.Suite) ([]string, error) {
	var all []string
	if !b.IsBundled() {
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
