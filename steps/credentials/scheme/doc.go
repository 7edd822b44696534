// Package scheme makes what a request carries to be let in by the security schemes of any contract, and near misses of it; it
// fetches tokens where a scheme or a log-in asks for them.
//
// It asks for tokens itself: golang.org/x/oauth2 (v0.37.0) takes JSON that a server sends as text/plain, or without a Content-Type, for a
// form, gives up on a lifetime that is no whole number, and repeats whatever it could not read. Addresses relative to the service,
// discovery, scopes that a server does not know, and errors without secrets would remain to be done here.
package scheme
