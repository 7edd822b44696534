package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/replay"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/bundle"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// replaySource is where the failures to replay come from: a bundle, or the last run.
type replaySource struct {
	// argument is what names it on the command line, name the file of the bundle or the journal.
	argument, name string
	failures       []bundle.Failure
	// last is the last run, or nil for a bundle.
	last *view.View
}

// failuresNamed returns the failures that an argument names: those of a bundle if there is such a file, otherwise those of the last run
// with that id.
func failuresNamed(a *app, argument string) (replaySource, error) {
	s := replaySource{argument: argument, name: argument}
	_, err := os.Stat(argument)
	if err == nil || strings.ContainsRune(argument, os.PathSeparator) || filepath.Ext(argument) == ".zip" {
		if s.failures, err = bundle.Open(argument); err != nil {
			return s, fmt.Errorf("%s: %w", text.Visible(argument), err)
		}
		return s, nil
	}
	return lastFailures(a, argument)
}

// mostRepeated is the maximum number of runs that are looked through, each of which repeated failures of the one before.
const mostRepeated = 10

// lastFailures returns the failures of the last run with an id. If that run itself repeated failures of another one, as replay does, and has
// no such failure, they are those of the other one.
func lastFailures(a *app, id string) (replaySource, error) {
	var args []string
	var others []string
	for range mostRepeated {
		rec, path, err := session.ReadRecord(a.Env, args)
		if err != nil {
			if len(args) > 0 { // a bundle, or a file that is gone
				break
			}
			return replaySource{}, fmt.Errorf("%s is no bundle, and no failure of the last run: %w", text.Visible(id), err)
		}
		v, err := session.NewView(path, rec)
		if err != nil {
			return replaySource{}, fmt.Errorf("%s: %w", text.Visible(path), err)
		}
		all := bundle.Failures(v)
		if found := replay.Find(all, id); len(found) > 0 {
			return replaySource{id, path, found, v}, nil
		}
		for _, f := range all {
			if !slices.Contains(others, f.Rule) {
				others = append(others, f.Rule)
			}
		}
		if rec.Options.Again == "" || rec.Options.Again == path {
			break
		}
		args = []string{rec.Options.Again}
	}
	if len(others) == 0 {
		return replaySource{}, fmt.Errorf("%s is no bundle, and the last run has no failures", text.Visible(id))
	}
	return replaySource{}, fmt.Errorf("%s is no bundle, and no failure of the last run; its failures are %s", text.Visible(id), text.Visible(strings.Join(others, ", ")))
}

// writeScript writes the requests of the first failure as a shell script.
func (s replaySource) writeScript(w io.Writer) error {
	if s.last == nil {
		return errors.New("--script: the script of a failure is in its folder of the bundle, replay.sh")
	}
	failing, _ := s.last.Causes()
	for _, c := range failing {
		if c.Rule == s.failures[0].Rule && slices.Contains(s.failures[0].Scenarios, c.Scenario) {
			_, err := io.WriteString(w, bundle.Script(s.last, c))
			return err
		}
	}
	return errors.New("--script: the record of the last run does not show its requests; run it again without --script")
}

// setFlags sets the flags of the last run, unless the user set them; a service that the user names replaces that of the run.
func (s replaySource) setFlags(flags *pflag.FlagSet) error {
	if s.last == nil {
		return nil
	}
	run := s.last.Record.Options
	if run.Test != "" {
		return fmt.Errorf("that run was a test, which %s repeats", text.Visible(s.last.Rerun(s.failures[0].Rule)))
	}
	words, ok := text.ShellWords(strings.TrimPrefix(run.Rerun, "hallmark run"))
	if !ok {
		return fmt.Errorf("the command of the last run cannot be read; name the service and the contract with flags, as in %s", text.Visible(run.Rerun))
	}
	kept := map[string]bool{}
	flags.Visit(func(f *pflag.Flag) { kept[f.Name] = true })
	if kept["base-url"] || kept["target"] {
		kept["base-url"], kept["target"] = true, true
	}
	for len(words) > 0 {
		name, value, has := strings.Cut(strings.TrimPrefix(words[0], "--"), "=")
		words = words[1:]
		f := flags.Lookup(name)
		if f == nil { // run has flags that choose scenarios or reports, which replay lacks
			for len(words) > 0 && !strings.HasPrefix(words[0], "--") {
				words = words[1:]
			}
			continue
		}
		if !has {
			if value = f.NoOptDefVal; value == "" && len(words) > 0 {
				value, words = words[0], words[1:]
			}
		}
		if kept[name] {
			continue
		}
		if err := flags.Set(name, value); err != nil {
			return fmt.Errorf("the last run had --%s %s: %w", name, text.Visible(value), err)
		}
	}
	if !slices.ContainsFunc([]string{"base-url", "target"}, flags.Changed) {
		return flags.Set("base-url", s.last.Record.Target.BaseURL)
	}
	return nil
}
