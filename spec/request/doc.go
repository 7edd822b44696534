// Package request builds requests of operations from values and serializes them for HTTP. It knows contracts, but sends nothing.
package request
