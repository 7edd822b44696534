// Package stub makes a service of an OpenAPI document alone: it keeps state, holds requests against the document, and answers as the
// document says. It is a second reading of a document, beside the one that judges services, so that each finds the mistakes of the other.
//
// Both share what a second implementation would only repeat: how a document becomes a model (spec, spec/openapi), compiled schemas
// (spec/schema), values made of schemas (spec/instance) and JSON texts (spec/exactjson). What a document means is read here anew: which
// paths name resources and which operations create, list, change and delete them, which parameters page, filter and sort, how parameters
// and bodies travel, what is refused and by which status, who is let in. Nothing here imports what judges.
package stub
