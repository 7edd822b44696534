// Package rapidenv keeps the environment's RAPID_… variables from the library that makes generated cases.
//
// That library reads them as soon as it is imported, and panics when one of them is malformed: a variable that somebody
// set for the tests of another project would end every command with a stack trace. What is generated depends on a run's
// own seed and on nothing else, so the variables are taken out of the environment of this process.
//
// It works by its place: packages without open imports are initialised in the order of their paths (The Go Programming
// Language Specification, "Program initialization"), and hallmark/steps/rapidenv comes before pgregory.net/rapid. It has to
// import nothing that the other does not import, too.
package rapidenv

import (
	"os"
	"strings"
)

func init() { //nolint:gochecknoinits // what another package does when it is imported can only be prevented by importing
	for _, name := range variables(os.Environ()) {
		_ = os.Unsetenv(name)
	}
}

// variables lists the names of an environment's variables that are meant for rapid.
func variables(environment []string) []string {
	var names []string
	for _, line := range environment {
		if name, _, ok := strings.Cut(line, "="); ok && strings.HasPrefix(name, "RAPID_") {
			names = append(names, name)
		}
	}
	return names
}
