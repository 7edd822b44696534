package main

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/bundled"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// What the shell may complete. Completion never fails: what cannot be found is not proposed.

// completeRules proposes the ids of rules, with their sentences.
func completeRules(cmd *cobra.Command, flag string) {
	cli.Complete(cmd, flag, func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var all []cobra.Completion
		if catalogue, err := bundled.Petstore().Catalogue(); err == nil {
			for _, r := range catalogue.Rules {
				if strings.HasPrefix(r.ID, begun) && r.Untestable == "" {
					all = append(all, cobra.CompletionWithDesc(r.ID, r.Says))
				}
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	})
}

// completeOperations proposes the operations, with their summaries.
func completeOperations(cmd *cobra.Command, flag string) {
	cli.Complete(cmd, flag, func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var all []cobra.Completion
		if contract, err := bundled.Petstore().Contract(); err == nil {
			for _, op := range contract.Operations() {
				if strings.HasPrefix(op.ID, begun) {
					all = append(all, cobra.CompletionWithDesc(op.ID, op.Summary))
				}
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	})
}

// completeReports proposes the formats of reports; the path comes after them.
func completeReports(cmd *cobra.Command, flag string) { completeFormats(cmd, flag, session.Formats) }

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
	for _, flag := range []string{"proxy", "header", "secret-header"} {
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
	completeRules(cmd, "rule")
	completeOperations(cmd, "operation")
	completeOperations(cmd, "allow")
	completeReports(cmd, "report")
	completeSigning(cmd)
	completeNetwork(cmd)
	completeLimits(cmd)
	for _, flag := range []string{"base-url", "now", "seed", "timeout", "max-created", "max-sensitive", "confirm", "journal-space"} {
		cli.CompleteWords(cmd, flag)
	}
	cli.CompleteWords(cmd, "concurrency", "auto")
	cli.CompleteWords(cmd, "intermittent", options.IntermittentFail, record.IntermittentWarn)
	cli.CompleteWords(cmd, "tags", "@read-only", "@derived", "~@derived")
}
