// Package failure tells a cause or a finding at length, as plain text: the promise, what came instead, the exchange, and how to see
// it again. It knows views, and no format that such a text stands in.
package failure
