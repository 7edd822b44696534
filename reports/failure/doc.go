// Package failure renders a cause or a finding in detail as plain text: the rule, what was received instead, the exchange, and how to
// reproduce it. It knows views, but none of the formats that embed the text.
package failure
