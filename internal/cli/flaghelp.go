package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// FlagGroup is a group of flags in the help of a command.
type FlagGroup struct {
	Title string
	Flags []GroupedFlag
}

// GroupedFlag is a flag of a group.
type GroupedFlag struct {
	Name string
	// Brief explains the flag on the one screen of --help. A flag without it is listed only by --help-all.
	Brief string
}

// helpAllFlag lists all flags and the whole text of a command's help.
const helpAllFlag = "help-all"

// helpWidth is the number of columns of the help text.
const helpWidth = 118

// GroupHelp makes the help of a command fit on a screen: --help shows the first paragraph, the first examples and the common flags,
// --help-all the rest. Flags in none of the groups are the command's own and come first. closing ends the short help.
func GroupHelp(cmd *cobra.Command, groups []FlagGroup, closing string) {
	all := &everything{cmd: cmd}
	cmd.Flags().VarPF(all, helpAllFlag, "", "explain all flags and their variables").NoOptDefVal = "true"
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if all.on {
			writeAllHelp(cmd.OutOrStdout(), cmd, groups)
			return
		}
		writeBriefHelp(cmd.OutOrStdout(), cmd, groups, closing)
	})
}

// everything is the value of --help-all: cobra knows only one flag that asks for help, so it turns that one on.
type everything struct {
	cmd *cobra.Command
	on  bool
}

func (e *everything) String() string { return "false" }

func (e *everything) Type() string { return "bool" }

func (e *everything) Set(text string) error {
	if e.on = text == "true"; !e.on {
		return nil
	}
	e.cmd.InitDefaultHelpFlag()
	return e.cmd.Flags().Set("help", "true")
}

// flagSection is the flags of one topic with their explanations.
type flagSection struct {
	title string
	rows  []flagRow
}

// flagRow is a flag with its explanation.
type flagRow struct {
	flag *pflag.Flag
	says string
}

// briefExamples is the number of examples in the short help.
const briefExamples = 2

func writeBriefHelp(w io.Writer, cmd *cobra.Command, groups []FlagGroup, closing string) {
	first, _, _ := strings.Cut(cmd.Long, "\n\n")
	var examples []string
	for line := range strings.Lines(cmd.Example) {
		if strings.HasPrefix(line, "  hallmark ") && len(examples) < briefExamples {
			examples = append(examples, line)
		}
	}
	fmt.Fprintf(w, "%s\n\nUsage:\n  %s\n\nExamples:\n%s", first, cmd.UseLine(), strings.Join(examples, ""))
	writeFlags(w, flagSections(cmd.Flags(), groups, func(_ *pflag.Flag, brief string) string { return brief }))
	fmt.Fprintf(w, "\n%s\"%s --%s\" explains all flags.\n", closing, cmd.CommandPath(), helpAllFlag)
}

func writeAllHelp(w io.Writer, cmd *cobra.Command, groups []FlagGroup) {
	fmt.Fprintf(w, "%s\n\nUsage:\n  %s\n\nExamples:\n%s\n", cmd.Long, cmd.UseLine(), cmd.Example)
	writeFlags(w, flagSections(cmd.Flags(), groups, func(f *pflag.Flag, _ string) string { return usageOf(f) }))
}

// flagSections returns the flags of a command by group, with what explain returns for them; a flag without an explanation is left out.
func flagSections(flags *pflag.FlagSet, groups []FlagGroup, explain func(f *pflag.Flag, brief string) string) []flagSection {
	grouped := map[string]bool{"help": true, helpAllFlag: true}
	sections := []flagSection{{title: "Flags"}}
	for _, g := range groups {
		section := flagSection{title: g.Title}
		for _, one := range g.Flags {
			grouped[one.Name] = true
			if f := flags.Lookup(one.Name); f != nil {
				if says := explain(f, one.Brief); says != "" {
					section.rows = append(section.rows, flagRow{f, says})
				}
			}
		}
		sections = append(sections, section)
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if !grouped[f.Name] && !f.Hidden {
			sections[0].rows = append(sections[0].rows, flagRow{f, usageOf(f)})
		}
	})
	return sections
}

// usageOf returns the whole explanation of a flag, with its default.
func usageOf(f *pflag.Flag) string {
	_, usage := pflag.UnquoteUsage(f)
	switch f.DefValue {
	case "", "0", "0s", "false":
		return usage
	}
	return usage + " (default " + f.DefValue + ")"
}

// synopsis returns a flag as help shows it: "  -u, --base-url URL".
func synopsis(f *pflag.Flag) string {
	name := "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	if kind, _ := pflag.UnquoteUsage(f); kind != "" {
		name += " " + kind
	}
	return name
}

func writeFlags(w io.Writer, sections []flagSection) {
	column := 0
	for _, s := range sections {
		for _, row := range s.rows {
			column = max(column, len(synopsis(row.flag))+2)
		}
	}
	for _, s := range sections {
		if len(s.rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s:\n", s.title)
		for _, row := range s.rows {
			name := synopsis(row.flag)
			for _, line := range text.Wrap(row.says, helpWidth-column) {
				fmt.Fprintf(w, "%-*s%s\n", column, name, line)
				name = ""
			}
		}
	}
}

// helpFlag returns the flag that lists all flags of a command.
func helpFlag(cmd *cobra.Command) string {
	if cmd.Flags().Lookup(helpAllFlag) != nil {
		return helpAllFlag
	}
	return "help"
}
