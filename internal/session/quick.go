package session

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// bothChosen refuses a command line that chooses scenarios in two ways.
func (p *preparation) bothChosen() error {
	if p.o.Recorded.Quick && p.o.Recorded.Again != "" && p.o.Settings.OnCommandLine("quick") {
		return errors.New("--quick and --rerun choose different scenarios; give one of them")
	}
	return nil
}

// quicken selects the quick part of the suite if that was requested. What failed in an earlier run is always run
// again.
func (p *preparation) quicken() error {
	switch {
	case !p.o.Recorded.Quick:
		return nil
	case p.run.Selection.Only != nil:
		return nil
	case !p.IsBundled():
		return errors.New("--quick: the choice of scenarios is proven for the built-in contract only; run the whole suite")
	case p.proven.Quick == nil:
		return errors.New("--quick: no proof says which scenarios suffice; hallmark prove --full --update determines them")
	}
	proven := record.NewProof(p.proven, 0)
	other := proven.Others(record.Suite{Contract: p.Contract.Digest(), Catalogue: p.Catalogue.Digest(), Features: p.run.Suite.Digest()})
	if len(other) > 0 {
		return fmt.Errorf("--quick: the choice of scenarios was proven for another suite (%s); run the whole suite", strings.Join(other, ", "))
	}
	p.run.Selection.Quick = slices.Sorted(maps.Keys(p.proven.Quick.Finds))
	return nil
}
