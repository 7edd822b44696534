// Package har writes all exchanges of a run as an HTTP Archive, version 1.2, which the network panels of browsers and most
// HTTP tools open.
//
// What the format has no place for stands in members that begin with an underscore, as it asks for: _hallmark tells which
// scenario made an exchange and what was found in it, _error why there is no response.
package har
