// Package request makes requests of operations out of values, and writes them as HTTP carries them. It knows contracts; it
// sends nothing.
package request
