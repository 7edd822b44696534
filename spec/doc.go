// Package spec defines the nouns of the project: contracts with their operations and schemas, rules and catalogues, exchanges, findings
// and observations.
//
// Packages below it read contracts (openapi), judge responses (judge), derive scenarios (derive), and hold the bundled interface
// (petstore). It knows no document format, HTTP client, test runner or report.
package spec
