// Package wholerun holds the tests that let whole runs loose on services, and look at them from outside only.
package wholerun
