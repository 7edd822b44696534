package session

import (
	"fmt"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
)

// isBuiltin reports whether contract, rules and scenarios are all built in.
func (p *preparation) isBuiltin() (bool, error) {
	catalogue, err := bundled.Petstore().Catalogue()
	if err != nil {
		return false, err
	}
	return len(p.foreign) == 0 && catalogue.Digest() == p.Catalogue.Digest(), nil
}

// pack packs what the record must hold to show its readers what the run was judged by; nothing if all of it is
// built in. A contract that contains a secret is left out, and so are features that do.
func (p *preparation) pack() (err error) {
	if is, err := p.isBuiltin(); is || err != nil {
		return err
	}
	redactor := p.run.Target.Redactor()
	s := record.Sources{Rules: p.Catalogue.Rules, ContractFile: p.ContractFile(), Features: map[string]string{}}
	s.Own, s.Contract = p.Contract.Texts()
	for _, content := range s.Contract {
		if redactor.Text(content) != content {
			s.Contract = nil
			break
		}
	}
	for name, content := range p.run.Suite.Files() {
		if redactor.Text(content) != content {
			s.Features = nil
			break
		}
		s.Features[name] = content
	}
	p.packed, err = s.Pack()
	return err
}

// sourcesOf returns what a record with that name was judged by. The contract and the features are left out if they
// are not available.
func sourcesOf(name string, rec *record.Record) (view.Sources, error) {
	if rec.Sources == nil {
		return builtinSources(name, rec)
	}
	kept, err := rec.Sources.Sources()
	if err != nil {
		return view.Sources{}, fmt.Errorf("%s: %w", text.Visible(name), err)
	}
	s := view.Sources{Catalogue: spec.RestoreCatalogue(kept.Rules, rec.Suite.Catalogue), ContractFile: kept.ContractFile, Features: kept.Features}
	if kept.Contract != nil {
		if s.Contract, err = openapi.Reload(kept.Own, kept.Contract); err != nil {
			s.Contract = nil // another version of hallmark may have read what this one cannot
		}
	}
	return s.Of(rec.Suite, rec.Suite.Features), nil
}

// builtinSources returns the sources for a record that holds none.
func builtinSources(name string, rec *record.Record) (view.Sources, error) {
	if err := checkKept(name, rec); err != nil {
		return view.Sources{}, err
	}
	builtin, err := Builtin()
	if err != nil {
		return view.Sources{}, err
	}
	if rec.Suite.Catalogue != builtin.Catalogue.Digest() {
		return view.Sources{}, fmt.Errorf("%s was made with other rules, by hallmark %s; use that version, or run again with this one",
			text.Visible(name), text.Visible(rec.Suite.Version))
	}
	loaded, err := builtin.Suite("")
	if err != nil {
		return view.Sources{}, err
	}
	s := view.Sources{Catalogue: builtin.Catalogue, Contract: builtin.Contract, ContractFile: bundled.Petstore().ContractFile, Features: loaded.Files()}
	return s.Of(rec.Suite, loaded.Digest()), nil
}

// checkKept refuses a record whose rules follow from a contract, and that holds none of them.
func checkKept(name string, rec *record.Record) error {
	if rec.Suite.ForeignContract() && rec.Sources == nil {
		return fmt.Errorf("%s was judged by the rules of another contract, which hallmark %s did not store in it; run again with this version",
			text.Visible(name), text.Visible(rec.Suite.Version))
	}
	return nil
}

// CatalogueOf returns the rules that a record was judged by.
func CatalogueOf(name string, rec *record.Record) (*spec.Catalogue, error) {
	s, err := rulesOf(name, rec)
	return s.Catalogue, err
}

// rulesOf returns the rules that a record was judged by, and the file of its contract. It reads no contract.
func rulesOf(name string, rec *record.Record) (view.Sources, error) {
	if rec.Sources == nil {
		s, err := builtinSources(name, rec)
		return view.Sources{Catalogue: s.Catalogue, ContractFile: s.ContractFile}, err
	}
	kept, err := rec.Sources.Sources()
	if err != nil {
		return view.Sources{}, fmt.Errorf("%s: %w", text.Visible(name), err)
	}
	return view.Sources{Catalogue: spec.RestoreCatalogue(kept.Rules, rec.Suite.Catalogue), ContractFile: kept.ContractFile}, nil
}

// NewView judges a record that was read, by the rules that it was made with. Its contract and features are shown
// if the record holds them, or if they are the built-in ones.
func NewView(name string, rec *record.Record) (*view.View, error) {
	s, err := sourcesOf(name, rec)
	if err != nil {
		return nil, err
	}
	return view.New(rec, s), nil
}
