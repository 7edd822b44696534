// Package openapi reads OpenAPI documents into contracts and compiles their schemas. It judges only the examples that a document
// contains.
//
// Operations with their parameters, bodies, headers, responses and links, servers and security schemes are read from libopenapi's
// models, object by object (see outline). The following is read from the nodes, because libopenapi 0.42.4 loses information:
//
//   - Schemas: the model drops a keyword of the wrong kind and does not tell null from absent. Its bounds are float64 values, so
//     digits beyond 2^53 have to be read from the node anyway.
//   - OAuth flows: the model has four and "device", which OpenAPI 3.2 calls deviceAuthorization, and ignores all others.
//   - Security requirements: they are names and lists of strings, and the model adds nothing.
//   - The version: libopenapi reads "3.3.0", "4.0.0" and "3" as OpenAPI 3.0, "3.10.0" as 3.1, and "openapi: 2.0" as 3.
package openapi
