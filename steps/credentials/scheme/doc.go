// Package scheme makes the credentials for the security schemes of any contract, and near misses of them. It fetches tokens if a scheme or
// a log-in requires them.
//
// It requests tokens itself, because golang.org/x/oauth2 (v0.37.0) parses JSON sent as text/plain or without a Content-Type as a form,
// fails on a lifetime that is not an integer, and repeats in its errors whatever it could not parse. It also lacks addresses relative to
// the service, discovery, a retry without scopes that a server does not know, and errors without secrets.
package scheme
