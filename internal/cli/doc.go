// Package cli is what commands have in common: flags and their variables, help, completion, outputs, signals and exit codes.
// It does not know what is asked of a service, nor how a run is assembled.
package cli
