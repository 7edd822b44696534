package session

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/traffic"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/feature"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/prose"
	"github.com/hallmark-kit/hallmark/spec/source"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Basis is what services are judged by: a contract, and its rules.
type Basis struct {
	Contract  *spec.Contract
	Catalogue *spec.Catalogue

	from options.Contract
	// rules is the file that changes the rules.
	rules    rulesFile
	promises *promise.Promises
}

// Builtin returns the built-in contract and its rules.
func Builtin() (*Basis, error) { return Load(options.Contract{}) }

// Load reads the contract from a file, or the built-in one if no file is named, and its rules, and makes sure that
// the two belong together.
func Load(from options.Contract) (b *Basis, err error) {
	b = &Basis{from: from}
	if from == (options.Contract{}) { // derived once for all
		if b.Contract, err = bundled.Petstore().Contract(); err == nil {
			b.promises, b.Catalogue, err = bundled.Petstore().Derived()
		}
		return b, err
	}
	if b.IsBundled() {
		b.Contract, err = bundled.Petstore().Contract()
	} else {
		b.Contract, err = ReadContract(from)
	}
	if err != nil {
		return nil, err
	}
	if b.rules, err = readRules(from); err != nil {
		return nil, err
	}
	if b.rules.AssertFormats || prose.AssertsFormats(b.Contract) {
		b.Contract = b.Contract.AssertingFormats()
	}
	b.promises = promise.Of(b.Contract, bundled.Seed, from.PerOperation)
	if err := give(b.promises, from); err != nil {
		return nil, err
	}
	if b.IsBundled() {
		b.Catalogue, err = bundled.Petstore().RulesOf(b.Contract, b.promises)
	} else {
		b.Catalogue, err = b.promises.Catalogue()
	}
	if err != nil {
		return nil, err
	}
	b.Catalogue, err = b.rules.change(b.Catalogue, b.Contract)
	return b, err
}

// ReadContract reads the contract that the flags name.
func ReadContract(from options.Contract) (*spec.Contract, error) {
	contract, err := openapi.LoadFile(from.File, source.Options{AllowRemote: from.AllowRemote})
	hint := ""
	if cli.IsURL(from.File) {
		hint = "; if this is the address of the service, give it with --base-url"
	}
	switch {
	case errors.As(err, new(*source.Error)):
		return nil, fmt.Errorf("--contract %s: %w%s", text.Visible(cli.ShowURL(from.File)), err, hint)
	case err != nil:
		return nil, fmt.Errorf("--contract %s: the file cannot be read: %w%s", text.Visible(cli.ShowURL(from.File)), cli.Bare(err), hint)
	}
	return contract, nil
}

// Promises returns what the contract promises.
func (b *Basis) Promises() *promise.Promises { return b.promises }

// Sentences returns the sentences of the document that state behaviour, with the rules that judge them.
func (b *Basis) Sentences() []promise.Sentence { return b.promises.Sentences(b.Catalogue) }

// IsBundled reports whether the contract is the built-in one. A given document never is, even one with the same text.
func (b *Basis) IsBundled() bool { return b.from.File == "" }

// Features returns the features that follow from the contract and its rules.
func (b *Basis) Features() []feature.File { return b.promises.Features(b.Catalogue) }

// Suite parses the features of a folder or, when none is named, those that follow from the contract, with the written ones of the
// built-in contract.
func (b *Basis) Suite(folder string) (*suite.Suite, error) {
	switch {
	case folder != "":
		return b.suiteIn(folder)
	case b.IsBundled():
		from, err := bundled.Petstore().Features(b.promises, b.Catalogue)
		if err != nil {
			return nil, err
		}
		return steps.LoadSuite(from, b.Catalogue)
	}
	loaded, err := steps.LoadDerived(b.promises.LastFeatures(b.Catalogue), b.Catalogue)
	if err != nil {
		return nil, fmt.Errorf("--contract %s: %w", text.Visible(b.from.File), err)
	}
	return loaded, nil
}

// suiteIn parses the features of a folder.
func (b *Basis) suiteIn(folder string) (*suite.Suite, error) {
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--features %s: the folder cannot be read: %w", text.Visible(folder), cli.Bare(err))
	case !info.IsDir():
		return nil, fmt.Errorf("--features %s: this is not a folder; name one that holds .feature files", text.Visible(folder))
	}
	from := suite.Source{Folder: "features", FS: os.DirFS(folder)}
	if b.IsBundled() {
		from.Folder = bundled.Petstore().Folder
	}
	loaded, err := steps.LoadSuite(from, b.Catalogue)
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

// ContractFile is where the contract is: as the user named it or, for the built-in one, in the repository of
// hallmark.
func (b *Basis) ContractFile() string {
	return cmp.Or(cli.ShowURL(b.from.File), bundled.Petstore().ContractFile)
}

// Traffic returns what exchanges that others made are judged by.
func (b *Basis) Traffic() traffic.Basis {
	return traffic.Basis{Contract: b.Contract, Catalogue: b.Catalogue, Promises: b.promises}
}
