// Package openapi reads OpenAPI documents into contracts, and compiles their schemas. It knows no exchange, and judges nothing but
// the examples of the document itself.
//
// Operations with their parameters, bodies, headers, responses and links, servers and security schemes are read from the models that
// libopenapi makes of them, object by object (see outline). Three kinds of objects are read where they stand, for its models lose
// something of them:
//
//   - Schemas: a bound is a float64 in its model, so digits beyond 2^53 are lost, and a keyword of the wrong kind is a keyword that is missing.
//   - OAuth flows: its model holds four and "device", which OpenAPI 3.2 calls deviceAuthorization, and passes over all others.
//   - Security requirements: they are names and lists of texts, of which its model makes the same again.
package openapi
