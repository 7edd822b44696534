// Package lifecycle plays what the resources of a contract go through, and judges what the responses show
// together. A violation found with one resource is reported only if a second resource shows it too.
package lifecycle
