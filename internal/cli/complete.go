package cli

import "github.com/spf13/cobra"

// Completion never fails: what cannot be found is not proposed.

// Complete proposes for the value of a flag what f returns.
func Complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	_ = cmd.RegisterFlagCompletionFunc(flag, f) // fails for flags that do not exist; a test tries them all
}

// CompleteFiles proposes files with one of the endings, or any file where there are none.
func CompleteFiles(cmd *cobra.Command, flag string, endings ...string) {
	Complete(cmd, flag, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(endings) == 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return endings, cobra.ShellCompDirectiveFilterFileExt
	})
}

// CompleteFolders proposes folders.
func CompleteFolders(cmd *cobra.Command, flag string) {
	Complete(cmd, flag, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
}

// CompleteWords proposes the words, and no files; without words it proposes nothing.
func CompleteWords(cmd *cobra.Command, flag string, words ...string) {
	Complete(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
