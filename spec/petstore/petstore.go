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
	//go:embed covers.yaml
	coversYAML []byte
	//go:embed proof.json
	proofJSON []byte
)

// Contract returns the contract of the Petstore interface.
func Contract() (*spec.Contract, error) { return openapi.Load(openapiYAML) }

// Catalogue returns the rules of the Petstore interface.
func Catalogue() (*spec.Catalogue, error) { return spec.LoadCatalogue(rulesYAML) }

// CatalogueDigest returns the digest of the catalogue, without reading its rules.
func CatalogueDigest() string { return spec.CatalogueDigest(rulesYAML) }

// Proof returns the figures of the last proof that was kept ("hallmark prove --update").
func Proof() (spec.Proven, error) { return spec.ReadProof(proofJSON) }

// Covers returns the text of covers.yaml: how what serves every contract is to judge each rule.
func Covers() []byte { return coversYAML }
