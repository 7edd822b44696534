// Package credentials makes the credentials of requests: the right key, near misses of it, and random keys. It
// sends nothing.
package credentials
