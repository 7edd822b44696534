// Package redact takes secrets out of texts, in whatever form a service echoes them. It knows neither what a secret is for
// nor where it came from.
package redact
