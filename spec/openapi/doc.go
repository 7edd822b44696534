// Package openapi reads OpenAPI documents into contracts, and compiles their schemas. It knows no exchange, and judges
// nothing.
package openapi
