// Package openapi reads OpenAPI documents into contracts, and compiles their schemas. It knows no exchange, and judges nothing but
// the examples of the document itself.
//
// libopenapi makes a model of an outline of the document, from which paths, operations, parameters, bodies, responses, security and servers are
// read. What they say in detail, and all schemas, are read where they stand: exactly as written, with their lines.
package openapi
