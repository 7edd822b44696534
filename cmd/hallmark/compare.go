package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/compare"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

const compareHelp = `Compare the records of several runs, which --report json:FILE wrote, or their journals.

For several implementations: which rules some keep and others break, and where they answer questions that the interface
leaves open in different ways. Such a question is an ambiguity that the authors of the interface may want to settle.

For two runs of one implementation, the earlier named first: what broke, what was fixed, what is still broken, and what is
no longer judged. Two runs count as such when both name the same implementation in hallmark.yaml, or, where one names none,
when they have the same address; --as decides otherwise.

A run is named after the implementation's project and version, else after its host, or as given in NAME=FILE. Records that
were made with other rules are compared by the ids they share; records of another contract are refused.

Exit codes: 0 when the records could be compared, whatever they say. With --fail-on broke, for two runs of one implementation:
1 when a must rule is broken in the second and was not in the first (a should rule counts if the second run was --strict), else
3 when the second run is inconclusive.`

const compareExample = `  # several implementations, for their authors and the interface's
  hallmark compare ours.json theirs.json "the third=run/3.json" --report html:matrix.html

  # what broke since the last release
  hallmark compare release.json today.json --fail-on broke`

// failOnBroke is the only thing that --fail-on can name as yet.
const failOnBroke = "broke"

// compareOptions are the flags of compare.
type compareOptions struct {
	reports    []string
	as, failOn string
	detail     cli.DetailFlags
}

func compareCommand(a *app) *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use:     "compare [NAME=]RECORD...",
		Short:   "Compare implementations side by side, or two runs of one",
		Long:    compareHelp,
		Example: compareExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("name the records of two runs or more: hallmark compare before.json after.json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.detail.Check(); err != nil {
				return err
			}
			return runCompare(a, args, o)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(cli.ChoiceValue(&o.as, "WAY", string(compare.Implementations), string(compare.Runs)), "as", "compare as implementations, or as runs of one, instead of deciding by the records")
	flags.Var(cli.ChoiceValue(&o.failOn, "WHAT", failOnBroke), "fail-on", "exit with 1 when something broke from the first run to the second")
	flags.Var(cli.ReportsValue(&o.reports), "report", "write the comparison as markdown, html or json; repeatable, or separated by commas; the path - is standard output")
	o.detail.Add(flags)
	cli.CompleteWords(cmd, "as", string(compare.Implementations), string(compare.Runs))
	cli.CompleteWords(cmd, "fail-on", failOnBroke)
	completeFormats(cmd, "report", func() []reports.Format { return compare.Formats(nil) })
	return cmd
}

func runCompare(a *app, args []string, o compareOptions) error {
	var comparison *compare.Comparison
	sinks, err := reports.OpenSinks(o.reports, compare.Formats(&comparison), a.Stdout)
	if err != nil {
		return err
	}
	var runs []*compare.Run
	var catalogue *spec.Catalogue
	for _, arg := range args {
		name, path := nameAndFile(arg)
		run, rules, err := session.ReadRun(a.Env, path)
		if err != nil {
			return err
		}
		if catalogue == nil {
			catalogue = rules
		}
		run.Name = name
		runs = append(runs, run)
	}
	if catalogue == nil {
		if catalogue, err = bundled.Petstore().Catalogue(); err != nil {
			return err
		}
	}
	compare.Nominate(runs)
	if comparison, err = compare.New(runs, catalogue, compare.Mode(o.as)); err != nil {
		return err
	}
	if o.failOn != "" && comparison.Change == nil {
		return fmt.Errorf("--fail-on %s: these are not two runs of one implementation (%s); --as runs compares them anyway", o.failOn, comparison.Because)
	}
	text := a.Output(a.Stdout)
	if sinks.Stdout() {
		text = a.Output(a.Stderr)
	}
	unwritten := sinks.Finish(nil)
	err = compare.Terminal(comparison, text, text.Look(o.detail.Detail()))
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		unwritten = errors.Join(unwritten, fmt.Errorf("the result could not be written: %w", cli.Bare(err)))
	}
	code := verdict.ExitOK
	if o.failOn != "" {
		code = comparison.Gate()
	}
	if unwritten != nil && code == verdict.ExitOK {
		code = verdict.ExitHarness
	}
	return cli.WithCode(code, unwritten)
}

// nameAndFile takes NAME=FILE apart. A file whose own name holds the sign is a file.
func nameAndFile(arg string) (name, path string) {
	if name, path, found := strings.Cut(arg, "="); found && name != "" && path != "" {
		if _, err := os.Stat(arg); err != nil {
			return text.Elide(text.Visible(name), 60), path
		}
	}
	return "", arg
}
