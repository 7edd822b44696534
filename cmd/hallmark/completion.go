package main

import (
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// What the shell may complete. Completion never fails: what cannot be found is not proposed.

// completionTime bounds the search for proposals: a person waits for them, and goes on typing.
const completionTime = 2 * time.Second

// largeContract is the size in bytes from which on rules take longer to derive than a person waits. Their operations, with which the ids of
// rules begin, are proposed instead.
const largeContract = 1 << 20

// contractFinder returns the contract of a command line that is being typed, and false if it cannot be read.
type contractFinder func(cmd *cobra.Command, args []string) (from options.Contract, ok bool)

// propose proposes what list finds in time for a contract. Nothing may reach the terminal but proposals.
func propose(cmd *cobra.Command, flag string, find contractFinder, list func(from options.Contract) ([]cobra.Completion, error)) {
	cli.Complete(cmd, flag, proposed(find, list))
}

// proposed returns the completion that proposes what list returns for the contract at hand.
func proposed(find contractFinder, list func(from options.Contract) ([]cobra.Completion, error)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		found := make(chan []cobra.Completion, 1)
		go func() {
			defer func() {
				if recover() != nil { // a contract that cannot be read proposes nothing
					found <- nil
				}
			}()
			all, err := []cobra.Completion(nil), error(nil)
			if from, ok := find(cmd, args); ok {
				all, err = list(from)
			}
			if err != nil {
				all = nil
			}
			found <- slices.DeleteFunc(all, func(c cobra.Completion) bool { return !strings.HasPrefix(c, begun) })
		}()
		select {
		case all := <-found:
			return all, cobra.ShellCompDirectiveNoFileComp
		case <-time.After(completionTime):
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
}

// contractAtHand finds the contract in the arguments, the environment or hallmark.yaml, as the command does. It is the built-in one if none
// is named there.
func (a *app) contractAtHand(cmd *cobra.Command, args []string) (options.Contract, bool) {
	if len(args) > 0 && strings.Contains(cmd.Use, "[CONTRACT]") {
		if err := cli.TakeContract(cmd.Flags(), args[:1]); err != nil {
			return options.Contract{}, false
		}
	}
	env := *a.Env
	env.Stderr = io.Discard
	if _, err := options.Resolve(&env, cmd.Flags()); err != nil {
		var file options.Contract // there may be no target yet, but a contract for all
		if _, err := file.FromFile(&env, cmd.Flags()); err != nil {
			return options.Contract{}, false
		}
	}
	return contractOfFlags(cmd, args)
}

// contractOfFlags finds the contract in the flags. It must be a file, because completion neither uses the network nor starts commands.
func contractOfFlags(cmd *cobra.Command, _ []string) (options.Contract, bool) {
	from := options.Contract{File: cli.FlagText(cmd.Flags(), "contract"), Rules: cli.FlagText(cmd.Flags(), "rules-file"), Values: options.NoRules}
	if from.File == "" {
		return options.Contract{}, true
	}
	info, err := os.Stat(from.File)
	return from, err == nil && info.Mode().IsRegular()
}

// completeRules proposes the ids of rules, with their sentences.
func completeRules(a *app, cmd *cobra.Command, flag string) {
	propose(cmd, flag, a.contractAtHand, ruleNames)
}

// ruleNames returns the ids of the rules of a contract that can be tested, with their sentences.
func ruleNames(from options.Contract) ([]cobra.Completion, error) {
	if info, err := os.Stat(from.File); err == nil && info.Size() > largeContract {
		return operationNames(from, "")
	}
	basis, err := session.Load(from)
	if err != nil {
		return nil, err
	}
	var all []cobra.Completion
	for _, r := range basis.Catalogue.Rules {
		if r.Untestable == "" && r.Off == "" {
			all = append(all, cobra.CompletionWithDesc(r.ID, oneLine(r.Says)))
		}
	}
	return all, nil
}

// completeOperations proposes the operations, with their summaries.
func completeOperations(a *app, cmd *cobra.Command, flag string) {
	propose(cmd, flag, a.contractAtHand, func(from options.Contract) ([]cobra.Completion, error) {
		return operationNames(from, "")
	})
}

// completeTags proposes tags of scenarios.
func completeTags(a *app, cmd *cobra.Command) {
	propose(cmd, "tags", a.contractAtHand, func(from options.Contract) ([]cobra.Completion, error) {
		all := []cobra.Completion{"@read-only", "@derived", "~@derived", "@level:must", "@level:should", "@level:inferred"}
		operations, err := operationNames(from, "@operation:")
		return append(all, operations...), err
	})
}

// operationNames returns the operations of a contract behind a prefix, with their summaries.
func operationNames(from options.Contract, prefix string) ([]cobra.Completion, error) {
	operations, err := operationsOf(from)
	var all []cobra.Completion
	for _, op := range operations {
		all = append(all, cobra.CompletionWithDesc(prefix+op.ID, oneLine(op.Summary)))
	}
	return all, err
}

func operationsOf(from options.Contract) ([]spec.Operation, error) {
	if from.File == "" {
		contract, err := bundled.Petstore().Contract()
		if err != nil {
			return nil, err
		}
		return contract.Operations(), nil
	}
	contract, err := session.ReadContract(from)
	if err != nil {
		return nil, err
	}
	return contract.Operations(), nil
}

// oneLine puts a description on one line: shells read a proposal from each.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// completeReports proposes the formats of reports; the path comes after them.
func completeReports(cmd *cobra.Command) { completeFormats(cmd, "report", session.Formats) }

func completeFormats(cmd *cobra.Command, flag string, formats func() []reports.Format) {
	cli.Complete(cmd, flag, func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if strings.Contains(begun, ":") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var all []cobra.Completion
		for _, f := range formats() {
			all = append(all, cobra.CompletionWithDesc(f.Name+":", f.Says))
		}
		return all, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	})
}

// completeTargets proposes the names of the targets, with their addresses.
func completeTargets(a *app, cmd *cobra.Command) {
	cli.CompleteFiles(cmd, "config", "yaml", "yml")
	cli.Complete(cmd, "target", func(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var all []cobra.Completion
		file, _, err := options.LoadTargets(a.Env, cli.FlagText(cmd.Flags(), "config"))
		if err != nil || file == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, name := range file.Targets() {
			if strings.HasPrefix(name, begun) {
				all = append(all, cobra.CompletionWithDesc(name, file.Value(name, "base-url")))
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	})
}

func completeNetwork(cmd *cobra.Command) {
	cli.CompleteFiles(cmd, "ca-file", "pem", "crt", "cer")
	cli.CompleteFiles(cmd, "client-cert", "pem", "crt", "cer")
	cli.CompleteFiles(cmd, "client-key", "pem", "key")
	cli.CompleteFiles(cmd, "unix-socket")
	for _, flag := range []string{"proxy", "header", "secret-header", "secret-query"} {
		cli.CompleteWords(cmd, flag)
	}
}

func completeLimits(cmd *cobra.Command) {
	for _, flag := range []string{"rate", "max-requests", "max-time", "wait", "settle", "patience"} {
		cli.CompleteWords(cmd, flag)
	}
	cli.CompleteWords(cmd, "correlation-header", "X-Correlation-ID", "X-Request-ID")
}

func completeSigning(cmd *cobra.Command) {
	cli.CompleteFiles(cmd, "sign", "key", "pem")
	cli.CompleteWords(cmd, "valid-days")
}

// completeDocuments proposes files that may be contracts, as an argument.
func completeDocuments(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeContract is what the shell may complete of the flags that say what is judged by.
func completeContract(cmd *cobra.Command) {
	cli.CompleteFiles(cmd, "contract", "yaml", "yml", "json")
	cli.CompleteFiles(cmd, "rules-file", "yaml", "yml")
	cli.CompleteFiles(cmd, "values-file", "yaml", "yml")
	cli.CompleteWords(cmd, "per-operation")
}

// completeRun is what the shell may complete of the flags of run.
func completeRun(a *app, cmd *cobra.Command) {
	completeTargets(a, cmd)
	cli.CompleteFiles(cmd, "api-key-file")
	cli.CompleteFiles(cmd, "journal")
	cli.CompleteFiles(cmd, "rerun")
	cli.CompleteWords(cmd, "shard", options.AutoShard)
	completeContract(cmd)
	cli.CompleteFiles(cmd, "auth-file", "yaml", "yml")
	cli.CompleteWords(cmd, "role")
	cli.CompleteFiles(cmd, "deviations", "yaml", "yml")
	cli.CompleteFolders(cmd, "features")
	completeRules(a, cmd, "rule")
	completeOperations(a, cmd, "operation")
	completeOperations(a, cmd, "allow")
	completeReports(cmd)
	completeSigning(cmd)
	completeNetwork(cmd)
	completeLimits(cmd)
	for _, flag := range options.HookFlags() {
		cli.CompleteWords(cmd, flag)
	}
	for _, flag := range []string{"base-url", "now", "seed", "timeout", "max-created", "max-sensitive", "confirm", "journal-space"} {
		cli.CompleteWords(cmd, flag)
	}
	cli.CompleteWords(cmd, "concurrency", "auto")
	cli.CompleteWords(cmd, "intermittent", options.IntermittentFail, record.IntermittentWarn)
	completeCoverage(cmd)
	completeTags(a, cmd)
}

// completeCoverage proposes what coverage can be required of.
func completeCoverage(cmd *cobra.Command) {
	var words []string
	for _, d := range record.Dimensions() {
		words = append(words, string(d)+"=100")
	}
	cli.CompleteWords(cmd, "require-coverage", words...)
}
