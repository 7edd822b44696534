package session

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/github"
	"github.com/hallmark-kit/hallmark/reports/markdown"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Under GitHub Actions a run is also reported as Markdown on the job page, and as annotations. All other output is kept from being
// interpreted as workflow commands.

// ReportToGitHub adds a run to the summary of the job, and makes annotations of it. If that fails, it says so, but
// the run does not fail.
func ReportToGitHub(env *cli.Env, v *view.View, off bool, place func(verdict.Cause) github.Location) {
	if variable, err := strconv.ParseBool(env.Getenv(cli.Variable(options.GitHubFlag))); err == nil && variable {
		off = true
	}
	if off || !env.OnGitHub() {
		return
	}
	if file := env.Getenv("GITHUB_STEP_SUMMARY"); file != "" {
		if err := appendSummary(file, v); err != nil {
			fmt.Fprintf(env.Stderr, "hallmark: the result cannot be added to the summary of the job: %v\n", cli.Bare(err))
		}
	}
	// The runner takes commands from both outputs; a report may be on standard output.
	io.WriteString(env.Commands, github.Annotations(v, place))
}

// appendSummary adds a run to what the steps of a job have written, as far as GitHub accepts it.
func appendSummary(file string, v *view.View) error {
	out, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := out.Stat()
	if err == nil {
		left := markdown.Summary - int(min(info.Size(), markdown.Summary)) - 1
		if left < markdown.Least {
			err = fmt.Errorf("this step has written %s bytes to it, and GitHub accepts at most %s", text.Number(info.Size()), text.Number(markdown.Summary))
		} else {
			var text bytes.Buffer
			if info.Size() > 0 {
				text.WriteByte('\n') // the text there may lack the end of its last line
			}
			if err = markdown.Write(&text, v, left); err == nil {
				_, err = out.Write(text.Bytes())
			}
		}
	}
	if closing := out.Close(); err == nil {
		err = closing
	}
	return err
}

// PlaceOf finds the place of a cause in the user's repository: the violated constraint of the contract, else the scenario in the given folder
// of features, else the line of the contract that encodes the rule, or that of the operation.
func PlaceOf(env *cli.Env, features string, v *view.View) func(verdict.Cause) github.Location {
	return func(c verdict.Cause) github.Location {
		places := v.Places(v.Rule(c.Rule), c.Lead)
		if len(places) > 0 && places[0].Pointer == c.Lead.Contract {
			if at := inContract(env, v, places[0]); at.File != "" {
				return at
			}
		}
		if at := inFeatures(env, features, c.Scenario); at.File != "" {
			return at
		}
		for _, p := range places {
			if at := inContract(env, v, p); at.File != "" {
				return at
			}
		}
		return github.Location{}
	}
}

func inContract(env *cli.Env, v *view.View, p view.Place) github.Location {
	file := filepath.FromSlash(p.File)
	if file == "" {
		file = v.ContractFile
	} else if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.Dir(v.ContractFile), file)
	}
	return github.Location{File: inWorkspace(env, file), Line: p.Line}
}

func inFeatures(env *cli.Env, features, scenario string) github.Location {
	name, at, _ := strings.Cut(strings.TrimPrefix(scenario, bundled.Petstore().Folder+"/"), ".feature:")
	line, err := strconv.Atoi(at)
	if features == "" || err != nil {
		return github.Location{}
	}
	return github.Location{File: inWorkspace(env, filepath.Join(features, filepath.FromSlash(name+".feature"))), Line: line}
}

// inWorkspace is the path of a file within the job's repository; empty for any other file, for one that is not there, such as the feature of
// a derived scenario that was never written, and for an address.
func inWorkspace(env *cli.Env, file string) string {
	workspace := env.Getenv("GITHUB_WORKSPACE")
	if file == "" || workspace == "" {
		return ""
	}
	whole := func(path string) string {
		if followed, err := filepath.EvalSymlinks(path); err == nil {
			path = followed
		}
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		return path
	}
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	relative, err := filepath.Rel(whole(workspace), whole(file))
	if err != nil || !filepath.IsLocal(relative) {
		return ""
	}
	return filepath.ToSlash(relative)
}
