// Package phrase holds what findings expected, what came and where, as typed values, and renders it as prose. It knows no rule
// and no contract.
package phrase
