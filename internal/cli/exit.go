package cli

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"hallmark/reports/verdict"
)

// The exit codes that do not come from a record; see reports for the others.
const (
	ExitFound = verdict.ExitViolated // what was asked for was found: drift, a must rule without a scenario
	ExitUsage = 2
)

// failure ends a command with an exit code. Without an error it says nothing more: what there is to say was said.
type failure struct {
	code int
	err  error
}

// WithCode returns an error that ends a command with an exit code. Where err is nil, what there is to say was said.
func WithCode(code int, err error) error { return failure{code, err} }

func (f failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f failure) Unwrap() error { return f.err }

// ExitCode is the exit code for a command's error. Whatever says nothing else is wrong usage: that is what cobra's own
// errors are.
func ExitCode(err error) int {
	if err == nil {
		return verdict.ExitOK
	}
	if f, ok := errors.AsType[failure](err); ok {
		return f.code
	}
	return ExitUsage
}

// Message is an error as it is shown: one line, or where there are several things to say, a line for each below it.
func Message(err error) string {
	text := strings.TrimSpace(err.Error())
	if text == "" {
		return ""
	}
	return "hallmark: " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}

// Bare takes the operation and the path off a file's error, since the sentence around it names the path already.
func Bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}
