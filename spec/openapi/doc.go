// Package openapi reads OpenAPI documents into contracts, and compiles their schemas. It knows no exchange, and judges nothing but
// the examples of the document itself.
//
// Operations with their parameters, bodies, headers, responses and links, servers and security schemes are read from the models that
// libopenapi makes of them, object by object (see outline). The following is read from the nodes, because libopenapi 0.42.4 loses something:
//
//   - Schemas: a keyword of the wrong kind is missing in their model, and one that is null looks like one that is absent. A bound is a float64 there,
//     so digits beyond 2^53 have to be fetched from the node in any case.
//   - OAuth flows: its model holds four and "device", which OpenAPI 3.2 calls deviceAuthorization, and passes over all others.
//   - Security requirements: they are names and lists of texts, of which its model makes the same again.
//   - The version: "3.3.0", "4.0.0" and "3" are OpenAPI 3.0 for libopenapi, "3.10.0" is 3.1, and "openapi: 2.0" is 3.
package openapi
