// Package source holds the text of a contract: every node of the YAML or JSON under its JSON Pointer, with its line, and
// where references lead, also from file to file. It knows nothing of OpenAPI.
package source
