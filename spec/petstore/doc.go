// Package petstore holds what the Petstore interface promises: its contract, its rules, and what the suite was last proven
// to see of them. It knows no service, and nothing else knows its files.
package petstore
