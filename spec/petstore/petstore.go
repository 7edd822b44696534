package petstore

import (
	_ "embed"

	"hallmark/spec"
	"hallmark/spec/openapi"
)

var (
	//go:embed openapi.yaml
	openapiYAML []byte
	//go:embed rules.yaml
	rulesYAML []byte
	//go:embed cases.yaml
	casesYAML []byte
	//go:embed proof.json
	proofJSON []byte
)

// Contract returns the contract of the Petstore interface.
func Contract() (*spec.Contract, error) { return openapi.Load(openapiYAML) }

// Rules returns the rules of the Petstore interface, which change and cover those derived from its contract.
func Rules() ([]spec.Entry, error) { return spec.ReadRules(rulesYAML) }

// Catalogue returns the rules of the Petstore interface as its own engine judges by them: without what they cover, and with the entries of
// cases.yaml.
func Catalogue() (*spec.Catalogue, error) {
	entries, err := Rules()
	if err != nil {
		return nil, err
	}
	cases, err := spec.ReadRules(casesYAML)
	if err != nil {
		return nil, err
	}
	own := map[string]spec.Rule{}
	for _, c := range cases {
		own[c.ID] = c.Rule
	}
	var rules []spec.Rule
	for _, e := range entries {
		if e.Section == "" { // it changes a derived rule
			continue
		}
		r, c := e.Rule, own[e.ID]
		r.Contract, r.Cases, r.Always, r.Operations, r.Covers = c.Contract, c.Cases, c.Always, c.Operations, nil
		rules = append(rules, r)
	}
	return spec.NewCatalogue(rules)
}

// Proof returns the figures of the last proof that was kept ("hallmark prove --update").
func Proof() (spec.Proven, error) { return spec.ReadProof(proofJSON) }
