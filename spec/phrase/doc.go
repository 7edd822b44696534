// Package phrase holds what findings expected and received, and where, as typed values, and renders them as prose. It does not know rules
// or contracts.
package phrase
