// Package lifecycle plays what the resources of a contract go through, and judges what the responses say together. What it finds on
// one instance is told only when a second one shows it too.
package lifecycle
