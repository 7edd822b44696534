// Package scheme makes what a request carries to be let in by the security schemes of any contract, and near misses of it; it
// fetches tokens where a scheme or a log-in asks for them.
package scheme
