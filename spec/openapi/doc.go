// Package openapi reads OpenAPI documents into contracts, and compiles their schemas. It knows no exchange, and judges nothing but
// the examples of the document itself.
package openapi
