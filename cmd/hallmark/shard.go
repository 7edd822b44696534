package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"hallmark/reports"
	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/suite"
)

// maxShards bounds --shard: no part would hold anything beyond it.
const maxShards = 1000

// autoShard leaves it to the environment which shard it is.
const autoShard = "auto"

// numbering is how a CI system tells its jobs which of how many they are.
type numbering struct {
	name, index, total string
	// first is the number of the first job.
	first int
}

func numberings() []numbering {
	return []numbering{
		{"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1},
		// Kubernetes sets the first of them; the second is for the manifest to set.
		{"Kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0},
	}
}

// shardValue is a flag's value: 2/5, or auto.
func shardValue(to *string) *value {
	return &value{kind: "I/N", set: func(text string) error {
		if text != autoShard {
			if _, err := parseShard(text); err != nil {
				return err
			}
		}
		*to = text
		return nil
	}}
}

// parseShard reads 2/5.
func parseShard(text string) (suite.Shard, error) {
	a, b, found := strings.Cut(text, "/")
	index, errIndex := strconv.Atoi(a)
	of, errOf := strconv.Atoi(b)
	if !found || errIndex != nil || errOf != nil || index < 1 || of < 1 || of > maxShards {
		return suite.Shard{}, fmt.Errorf("%q is no shard; write for example 2/5, the second of five, or %s", visible(text), autoShard)
	}
	if index > of {
		return suite.Shard{}, fmt.Errorf("%q is no shard: there is no part %d of %d; they count from 1", visible(text), index, of)
	}
	return suite.Shard{Index: index, Of: of}, nil
}

// shard is the part that a run takes.
func (a *app) shard(text string) (suite.Shard, error) {
	switch text {
	case "":
		return suite.Shard{}, nil
	case autoShard:
		return a.automaticShard()
	}
	return parseShard(text)
}

// automaticShard asks the environment which of how many jobs this is.
func (a *app) automaticShard() (suite.Shard, error) {
	var found []numbering
	var all []string
	for _, n := range numberings() {
		all = append(all, n.index+" and "+n.total+" ("+n.name+")")
		if a.env(n.index) != "" {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 0:
		return suite.Shard{}, fmt.Errorf("--shard auto: the environment does not say which of how many jobs this is; it looks for %s", strings.Join(all, ", "))
	case 1:
	default:
		return suite.Shard{}, fmt.Errorf("--shard auto: %s and %s are both set; write the shard out, as in 2/5", found[0].index, found[1].index)
	}
	n := found[0]
	index, errIndex := strconv.Atoi(a.env(n.index))
	total, errTotal := strconv.Atoi(a.env(n.total))
	switch {
	case a.env(n.total) == "":
		return suite.Shard{}, fmt.Errorf("--shard auto: %s is set and %s is not; set it to the number of jobs", n.index, n.total)
	case errIndex != nil || errTotal != nil || total < 1 || total > maxShards || index < n.first || index >= total+n.first:
		return suite.Shard{}, fmt.Errorf("--shard auto: %s is %q and %s is %q; they must be numbers, the first from %d to one less or the same as the second",
			n.index, visible(a.env(n.index)), n.total, visible(a.env(n.total)), n.first)
	}
	return suite.Shard{Index: index - n.first + 1, Of: total}, nil
}

// again reads the record of an earlier run of this suite and lists the scenarios that show what became of its failures.
func (a *app) again(file string, suite *suite.Suite, contract *spec.Contract, catalogue *spec.Catalogue) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	rec, _, err := a.readRecord([]string{file})
	if err != nil {
		return nil, fmt.Errorf("--rerun: %w", err)
	}
	if what := rec.Suite.Other(contract.Digest(), catalogue.Digest(), suite.Digest()); what != "" {
		return nil, fmt.Errorf("--rerun %s: that run judged by another %s than this hallmark has, so that its failures cannot be found again; run the whole suite",
			visible(file), what)
	}
	failed := reports.AskAgain(rec, catalogue.Rules)
	ids := suite.Again(failed)
	if len(ids) == 0 {
		return nil, fmt.Errorf("--rerun %s: nothing failed in that run, so there is nothing to run again", visible(file))
	}
	return ids, nil
}

const mergeHelp = `Join the records of all shards of a suite into one verdict: the verdict that one run of the whole suite would have.

Each RECORD is what "hallmark run --shard I/N --report json:RECORD" wrote, and all N are required. Records that do not belong
together are refused: a shard that is missing, given twice or ended early, or that differs in suite, target or options.

The text, the reports and the exit code are those of the whole run. --strict and --require-complete are those of the shards.

` + exitCodes

const mergeExample = `  hallmark run --base-url https://pets.example.com/v1 --shard 1/2 --report json:1.json
  hallmark run --base-url https://pets.example.com/v1 --shard 2/2 --report json:2.json
  hallmark merge 1.json 2.json --report junit:hallmark.xml --report json:merged.json`

func (a *app) mergeCommand() *cobra.Command {
	var wanted []string
	var detail detailFlags
	var noGitHub bool
	cmd := &cobra.Command{
		Use:     "merge RECORD...",
		Short:   "Join the records of all shards into one verdict",
		Long:    mergeHelp,
		Example: mergeExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("name the records of all shards: hallmark merge 1.json 2.json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := detail.check(); err != nil {
				return err
			}
			return a.merge(args, wanted, detail.detail(), noGitHub)
		},
	}
	cmd.Flags().Var(listValue(&wanted, "FORMAT:PATH"), "report", "write a report; repeatable; the path - is standard output")
	detail.add(cmd.Flags())
	addGitHub(cmd.Flags(), &noGitHub)
	completeReports(cmd, "report")
	return cmd
}

func (a *app) merge(files, wanted []string, detail reports.Detail, noGitHub bool) error {
	catalogue, err := spec.DefaultCatalogue()
	if err != nil {
		return err
	}
	var all []record.Named
	for _, file := range files {
		rec, _, err := a.readRecord([]string{file})
		if err != nil {
			return err
		}
		if err := sameRules(file, rec, catalogue); err != nil {
			return err
		}
		all = append(all, record.Named{Name: file, Record: rec})
	}
	rec, err := record.Merge(all)
	if err != nil {
		return fmt.Errorf("the records cannot be merged:\n%w", err)
	}
	sinks, err := reports.OpenSinks(wanted, formats(), a.stdout)
	if err != nil {
		return err
	}
	text := a.screen(a.stdout)
	if sinks.Stdout() {
		text = a.screen(a.stderr)
	}
	view, err := viewOf(files[0], rec)
	if err != nil {
		return err
	}
	result := &view.Result
	unwritten := sinks.Finish(view)
	a.tellGitHub(view, noGitHub, nil)
	err = reports.Terminal(text, view, text.look(detail))
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		unwritten = errors.Join(unwritten, fmt.Errorf("the result could not be written: %w", bare(err)))
	}
	if unwritten != nil && result.ExitCode == reports.ExitOK {
		result.ExitCode = reports.ExitHarness // nobody could read that all is well
	}
	return failure{result.ExitCode, unwritten}
}
