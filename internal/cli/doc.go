// Package cli holds what commands share: flags and their variables, help, completion, outputs, signals and exit codes. It does not know
// what is sent to a service or how a run is assembled.
package cli
