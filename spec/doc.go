// Package spec is what the other rooms speak of: contracts with their operations and schemas, rules and their catalogue,
// exchanges, findings and observations.
//
// Packages below it read contracts (openapi), judge responses by them (judge) and derive scenarios from them (derive), and
// hold those that are bundled (petstore). It knows no document format, no HTTP client, no test runner and no report.
package spec
