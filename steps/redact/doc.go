// Package redact removes secrets from texts, in whatever form a service echoes them. It does not know what a secret is for or where it came
// from.
package redact
