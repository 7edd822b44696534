package cli

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// The exit codes that do not come from a record; see package verdict for the others.
const (
	ExitFound = verdict.ExitViolated // a check found something: drift, a must rule without a scenario
	ExitUsage = 2
)

// failure ends a command with an exit code. Without an error it prints nothing more.
type failure struct {
	code int
	err  error
}

// WithCode returns an error that ends a command with an exit code. If err is nil, nothing more is printed.
func WithCode(code int, err error) error { return failure{code, err} }

func (f failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f failure) Unwrap() error { return f.err }

// ExitCode returns the exit code for a command's error. Errors without a code, such as cobra's own, are wrong usage.
func ExitCode(err error) int {
	if err == nil {
		return verdict.ExitOK
	}
	if f, ok := errors.AsType[failure](err); ok {
		return f.code
	}
	return ExitUsage
}

// Message formats an error for display: on one line, or, for several errors, with each on a line below.
func Message(err error) string {
	message := text.VisibleLines(strings.TrimSpace(err.Error()))
	if message == "" {
		return ""
	}
	return "hallmark: " + strings.ReplaceAll(message, "\n", "\n  ") + "\n"
}

// Bare removes the operation and the path from a file error, since the surrounding message names the path.
func Bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}
