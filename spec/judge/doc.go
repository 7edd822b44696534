// Package judge holds single responses against a contract: findings come out for what they break, and the rules that they
// put to the test. It knows no document, no HTTP client and no other exchange.
package judge
