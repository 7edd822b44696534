// Package pathguard keeps godog from starting the go command.
//
// A package variable of godog is the output of "go env GOTOOLDIR": importing godog runs whatever is called go on PATH, with
// the whole environment, the API key included, and without a time limit. Nothing here needs that output. Without PATH the
// command is not found, so pathguard removes PATH before godog is initialized, and Restore brings it back afterwards.
//
// It works by its place: of the packages whose imports are initialized, the one with the first import path comes next (The
// Go Programming Language Specification, "Program initialization"). pathguard imports os alone, and hallmark/ sorts before
// os/exec, which godog needs. It must import nothing else.
package pathguard

import "os"

// path is the value of PATH at the start of the process, and set reports whether it had one.
var path, set = remove()

func remove() (path string, set bool) {
	path, set = os.LookupEnv("PATH")
	_ = os.Unsetenv("PATH")
	return path, set
}

// Restore brings PATH back as it was when the process started.
func Restore() {
	if set {
		_ = os.Setenv("PATH", path)
	}
}
