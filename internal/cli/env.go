package cli

import (
	"io"

	"github.com/hallmark-kit/hallmark/reports/github"
)

// Env is the environment of a command: its variables and outputs, and the version of the program.
type Env struct {
	Lookup         func(string) (string, bool) // looks up an environment variable
	Stdout, Stderr io.Writer
	// Commands is where the GitHub Actions runner reads its workflow commands.
	Commands io.Writer
	// Version is the version of hallmark.
	Version string
	// Loaded, if set, is called when a run has loaded everything that it judges by, before it sends a request, with the number of its
	// scenarios.
	Loaded func(scenarios int)
	// Asked, if set, is called when a run has sent all its requests, before its record is evaluated.
	Asked func()
}

// Getenv returns an environment variable. An empty one counts as not set.
func (e *Env) Getenv(name string) string {
	text, _ := e.Lookup(name)
	return text
}

// OnGitHub reports whether a GitHub Actions runner reads the outputs.
func (e *Env) OnGitHub() bool { return e.Getenv("GITHUB_ACTIONS") == "true" }

// Guarded returns a writer that keeps text from being interpreted as workflow commands by the runner.
func (e *Env) Guarded(w io.Writer) io.Writer {
	if !e.OnGitHub() {
		return w
	}
	return github.Guard(w)
}
