package changes

import (
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/spec"
)

// Changes are the differences between two versions of a contract.
type Changes struct {
	Old string `json:"old"`
	New string `json:"new"`
	// Contract are the changes of the document, breaking ones first.
	Contract []Contract `json:"contract"`
	// Unread is the reason why the documents could not be compared, or "".
	Unread    string    `json:"unread,omitempty"`
	Rules     Rules     `json:"rules"`
	Scenarios Scenarios `json:"scenarios"`
	// Lost are the places in a team's own files that name rules which the new version does not have.
	Lost []Lost `json:"lost"`
}

// Breaking returns the number of breaking changes.
func (c *Changes) Breaking() int { return c.count(Breaking) }

func (c *Changes) count(effect Effect) int {
	n := 0
	for _, one := range c.Contract {
		if one.Effect == effect {
			n++
		}
	}
	return n
}

// Between compares two versions of a contract and the rules and scenarios derived from them. It also lists the places in a team's files
// that name removed rules.
func Between(before, after options.Contract, files Files) (*Changes, error) {
	c := &Changes{Old: before.File, New: after.File}
	older, err := read(before)
	if err != nil {
		return nil, err
	}
	newer, err := read(after)
	if err != nil {
		return nil, err
	}
	c.Rules, c.Scenarios = compareRules(older, newer), compareScenarios(older, newer)
	if c.Lost, err = files.lost(older, newer); err != nil {
		return nil, err
	}
	if c.Contract, err = compareDocuments(older, newer); err != nil {
		c.Unread = err.Error()
	}
	return c, nil
}

// version is a version of a contract. It holds only what is compared.
type version struct {
	document
	// file is the file of the document.
	file      string
	catalogue *spec.Catalogue
	rules     []rule
	scenarios map[string][]scenario
}

// read reads a version.
func read(from options.Contract) (*version, error) {
	from.Rules, from.Values = options.NoRules, options.NoRules
	basis, err := session.Load(from)
	if err != nil {
		return nil, err
	}
	v := &version{file: from.File, catalogue: basis.Catalogue, scenarios: map[string][]scenario{}}
	v.document.openapi = basis.Contract.OpenAPI()
	v.document.own, v.document.texts = basis.Contract.Texts()
	for _, r := range basis.Catalogue.Rules {
		v.rules = append(v.rules, rule{r.ID, r.Level, r.Says})
	}
	v.readScenarios(basis)
	return v, nil
}
