// Package authfile reads auth.yaml of WebFuzzing Commons: the users of a service, each with headers or a log-in, as several
// tools that test services read it.
package authfile
