// Package credentials makes what a request carries to be let in, or to be refused: the right key, near misses of it, and keys
// that nobody has given out. It sends nothing.
package credentials
