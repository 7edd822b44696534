package cli

import "github.com/spf13/cobra"

// Completion never fails: it proposes nothing if nothing can be found.

// Complete proposes what f returns for the value of a flag.
func Complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	_ = cmd.RegisterFlagCompletionFunc(flag, f) // fails only for unknown flags; a test covers all of them
}

// CompleteFiles proposes files with one of the extensions, or any file if there are none.
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
