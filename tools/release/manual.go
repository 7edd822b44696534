package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// helpOf returns what gives the whole help of a program, or of one of its commands.
func helpOf(ctx context.Context, binary string) func(command ...string) (string, error) {
	return func(command ...string) (string, error) {
		out, err := exec.CommandContext(ctx, binary, append(slices.Clone(command), "--help-all")...).Output()
		if err != nil { // only commands with many flags tell some of them apart
			out, err = exec.CommandContext(ctx, binary, append(slices.Clone(command), "--help")...).Output()
		}
		return string(out), err
	}
}

// commandLine is a command in the help of the program, with its summary.
var commandLine = regexp.MustCompile(`(?m)^  ([a-z]+) {2,}(\S.*)$`)

// writeManual writes a page for the program and one for each of its commands.
func writeManual(help func(command ...string) (string, error), version, folder string) error {
	text, err := help()
	if err != nil {
		return fmt.Errorf("the help cannot be read: %w", err)
	}
	const name = "hallmark"
	commands := commandLine.FindAllStringSubmatch(text, -1)
	if len(commands) == 0 {
		return errors.New("the help lists no commands")
	}
	pages := map[string]string{name: page(name, version, "judge HTTP services by their OpenAPI documents", text)}
	for _, m := range commands {
		command, err := help(m[1])
		if err != nil {
			return fmt.Errorf("the help of %s cannot be read: %w", m[1], err)
		}
		pages[name+"-"+m[1]] = page(name+"-"+m[1], version, m[2], command)
	}
	for name, text := range pages {
		out, err := os.Create(filepath.Join(folder, name+".1"))
		if err != nil {
			return err
		}
		_, err = out.WriteString(text)
		if err := errors.Join(err, out.Close()); err != nil {
			return err
		}
	}
	return nil
}

// page returns a page of man that shows a text as it is.
func page(name, version, summary, text string) string {
	return fmt.Sprintf(".TH %s 1 \"\" \"hallmark %s\" hallmark\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n%s\n.fi\n",
		strings.ToUpper(name), version, roff(name), roff(summary), roff(strings.TrimRight(text, "\n")))
}

// control is what begins a line that is an instruction to roff.
var control = regexp.MustCompile(`(?m)^([.'])`)

// roff escapes a text.
func roff(text string) string {
	return control.ReplaceAllString(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), `\&$1`)
}
