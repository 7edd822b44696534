package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/steps"
)

const stepsHelp = `List the steps that written features may use, over any contract: an example of each, and what it does.

With words, only the steps that contain all of them are listed.`

const stepsExample = `  hallmark steps
  hallmark steps status
  hallmark steps created ticket
  hallmark steps --json | jq -r '.[].example'`

func stepsCommand(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "steps [WORD...]",
		Short:   "List the steps of written features, with examples",
		Long:    stepsHelp,
		Example: stepsExample,
		RunE: func(_ *cobra.Command, words []string) error {
			chosen := []steps.Listed{}
			for _, s := range steps.Vocabulary() {
				if holdsAll(s, words) {
					chosen = append(chosen, s)
				}
			}
			if len(chosen) == 0 && !asJSON {
				return fmt.Errorf("no step contains %s; list all steps with hallmark steps", text.Visible(strings.Join(words, " ")))
			}
			if asJSON {
				return writeJSON(a, chosen)
			}
			return listSteps(a, chosen)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, with the pattern of each step")
	return cmd
}

// holdsAll reports whether a step mentions all words.
func holdsAll(s steps.Listed, words []string) bool {
	all := strings.ToLower(s.Group + " " + s.Example + " " + s.Means)
	for _, w := range words {
		if !strings.Contains(all, strings.ToLower(w)) {
			return false
		}
	}
	return true
}

// listSteps writes steps under their headings.
func listSteps(a *app, all []steps.Listed) error {
	var out strings.Builder
	group := ""
	room := max(a.Output(a.Stdout).Width()-4, 0)
	for _, s := range all {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(&out, "\n%s\n", group)
		}
		fmt.Fprintf(&out, "  %s\n    %s\n", s.Example, strings.Join(text.Wrap(s.Means, room), "\n    "))
	}
	_, err := fmt.Fprint(a.Stdout, strings.TrimPrefix(out.String(), "\n"))
	return err
}
