package cli

import (
	"io"

	"hallmark/reports/github"
)

// Env is what a command has of the world: variables and outputs, and the version that it is of.
type Env struct {
	Lookup         func(string) (string, bool) // a variable of the environment
	Stdout, Stderr io.Writer
	// Commands is where the runner of GitHub Actions takes its commands from.
	Commands io.Writer
	// Version is that of hallmark.
	Version string
	// Loaded is called when a run has loaded all that it judges by, before it asks for anything, with the number of its scenarios; it
	// may be nil.
	Loaded func(scenarios int)
	// Asked is called when a run has asked for all that it asks for, before anything is drawn from its record; it may be nil.
	Asked func()
}

// Getenv is a variable of the environment. One that is set to nothing counts as not set.
func (e *Env) Getenv(name string) string {
	text, _ := e.Lookup(name)
	return text
}

// OnGitHub reports whether a runner of GitHub Actions reads the outputs.
func (e *Env) OnGitHub() bool { return e.Getenv("GITHUB_ACTIONS") == "true" }

// Guarded keeps a text for people from steering the runner.
func (e *Env) Guarded(w io.Writer) io.Writer {
	if !e.OnGitHub() {
		return w
	}
	return github.Guard(w)
}
