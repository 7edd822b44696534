// Package shop is a small service and its contract, for tests of what is derived from a contract alone. Each of its faults breaks
// one derived rule, and each of its freedoms breaks none. Only tests import it.
package shop
