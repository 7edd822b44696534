package main

import (
	"strings"

	"github.com/spf13/cobra"

	"hallmark/reports"
	"hallmark/spec"
)

// What the shell may complete. Completion never fails: what cannot be found is not proposed.

func complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	_ = cmd.RegisterFlagCompletionFunc(flag, f) // fails for flags that do not exist; a test tries them all
}

func completeFiles(cmd *cobra.Command, flag string, endings ...string) {
	complete(cmd, flag, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(endings) == 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return endings, cobra.ShellCompDirectiveFilterFileExt
	})
}

func completeFolders(cmd *cobra.Command, flag string) {
	complete(cmd, flag, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
}

func completeWords(cmd *cobra.Command, flag string, words ...string) {
	complete(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completeRules proposes the ids of rules, with their sentences.
func completeRules(cmd *cobra.Command, flag string) {
	complete(cmd, flag, func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var all []cobra.Completion
		if catalogue, err := spec.DefaultCatalogue(); err == nil {
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
	complete(cmd, flag, func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var all []cobra.Completion
		if contract, err := spec.DefaultContract(); err == nil {
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
func completeReports(cmd *cobra.Command, flag string) { completeFormats(cmd, flag, formats) }

func completeFormats(cmd *cobra.Command, flag string, formats func() []reports.Format) {
	complete(cmd, flag, func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
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
