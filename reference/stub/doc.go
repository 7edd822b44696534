// Package stub makes a service from an OpenAPI document alone: it keeps state, checks requests against the
// document, and answers as the document says. It is a second interpretation of a document, besides the one that
// judges services, so that each finds the mistakes of the other.
//
// Both share what a second implementation would only repeat: how a document becomes a model (spec, spec/openapi),
// compiled schemas (spec/schema), values made from schemas (spec/instance) and JSON texts (spec/exactjson). The
// meaning of a document is interpreted independently: which paths name resources and which operations create,
// list, change and delete them, which parameters page, filter and sort, how parameters and bodies are encoded,
// what is refused and with which status, who has access. Nothing here imports the code that judges.
package stub
