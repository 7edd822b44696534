package main

import (
	"errors"
	"strings"

	"hallmark/reports"
)

// The exit codes that do not come from a record; see reports for the others.
const (
	exitFound = reports.ExitViolated // what was asked for was found: drift, a must rule without a scenario
	exitUsage = 2
)

// failure ends a command with an exit code. Without an error it says nothing more: what there is to say was said.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f failure) Unwrap() error { return f.err }

// exitCode is the exit code for a command's error. Whatever says nothing else is wrong usage: that is what cobra's own
// errors are.
func exitCode(err error) int {
	if err == nil {
		return reports.ExitOK
	}
	if f, ok := errors.AsType[failure](err); ok {
		return f.code
	}
	return exitUsage
}

// message is an error as it is shown: one line, or where there are several things to say, a line for each below it.
func message(err error) string {
	text := strings.TrimSpace(err.Error())
	if text == "" {
		return ""
	}
	return "hallmark: " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}
