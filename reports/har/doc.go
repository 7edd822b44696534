// Package har writes all exchanges of a run as an HTTP Archive, version 1.2, which the network panels of browsers and most HTTP tools
// can open.
//
// Information without a place in the format is in members that begin with an underscore, as the format requires: _hallmark has the
// scenario and the findings of an exchange, _error the reason why there is no response.
package har
