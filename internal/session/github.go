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

// placeOf finds the place of a cause in the user's repository: in the given contract, else in the given features.
// Built-in ones are not in the repository.
func placeOf(env *cli.Env, o options.Options, v *view.View) func(verdict.Cause) github.Location {
	return func(c verdict.Cause) github.Location {
		if file := inWorkspace(env, o.Contract.File); file != "" && c.Lead.Contract != "" && v.Contract != nil {
			if line := v.Contract.Line(c.Lead.Contract); line > 0 {
				return github.Location{File: file, Line: line}
			}
		}
		name, at, _ := strings.Cut(strings.TrimPrefix(c.Scenario, bundled.Petstore().Folder+"/"), ".feature:")
		line, err := strconv.Atoi(at)
		if o.Features == "" || err != nil {
			return github.Location{}
		}
		if file := inWorkspace(env, filepath.Join(o.Features, filepath.FromSlash(name+".feature"))); file != "" {
			return github.Location{File: file, Line: line}
		}
		return github.Location{}
	}
}

// inWorkspace is the path of a file within the job's repository; empty for any other file.
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
	relative, err := filepath.Rel(whole(workspace), whole(file))
	if err != nil || !filepath.IsLocal(relative) {
		return ""
	}
	return filepath.ToSlash(relative)
}
