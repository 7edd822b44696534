// Package spec holds what is promised: the contract (openapi.yaml), the catalogue of rules (rules.yaml), and the
// judgement of one exchange by them. It also derives Gherkin from the contract (see the derive folder).
//
// It knows no HTTP client, no test runner and no report: exchanges come in as data, findings go out as data.
package spec
