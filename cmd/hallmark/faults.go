package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hallmark/internal/cli"
	"hallmark/internal/prove"
	"hallmark/internal/session"
	"hallmark/internal/text"
	"hallmark/reference/petstore/variants"
)

const faultsHelp = `List the faults: defects that can be put into the reference service, each of which breaks one rule. Some are written by
hand, others follow from the contract. "hallmark prove" measures whether the suite finds them. To see one at work, run
"hallmark serve --fault NAME" and judge that service.`

const freedomsHelp = `List the freedoms: unusual ways of the reference service that the interface allows. "hallmark prove" finds out whether the
suite accepts them; to see one with your own eyes, run "hallmark serve --freedom NAME" and judge that service.`

func (a *app) faultsCommand() *cobra.Command {
	return a.casesCommand(prove.Fault, "faults", "List the faults that can be put into the reference service", faultsHelp)
}

func (a *app) freedomsCommand() *cobra.Command {
	return a.casesCommand(prove.Freedom, "freedoms", "List the legal variations of the reference service", freedomsHelp)
}

// casesCommand lists the cases of one kind.
func (a *app) casesCommand(kind prove.Kind, name, short, long string) *cobra.Command {
	formats := []string{"table", "markdown", "json"}
	format := formats[0]
	var only []string
	cmd := &cobra.Command{
		Use: name, Short: short, Long: long,
		Example: fmt.Sprintf("  hallmark %s\n  hallmark %s --only 'list.*' --format markdown", name, name),
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			cases, err := casesOf(kind)
			if err != nil {
				return err
			}
			if cases, err = prove.Find(cases, only); err != nil {
				return fmt.Errorf("--only: %w", err)
			}
			return writeCases(a.Stdout, cases, format, a.Output(a.Stdout).Width())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(wordsValue(&only, "NAME"), "only", "only those of this name, family or rule; \"*\" matches any text; repeatable")
	flags.Var(cli.ChoiceValue(&format, "FORMAT", formats...), "format", "table, markdown or json")
	completeCases(cmd, "only", kind)
	cli.CompleteWords(cmd, "format", formats...)
	return cmd
}

// casesOf are all cases of a kind.
func casesOf(kind prove.Kind) ([]prove.Case, error) {
	contract, catalogue, err := session.LoadContract("")
	if err != nil {
		return nil, err
	}
	all, err := prove.Cases(contract, catalogue)
	if err != nil {
		return nil, err
	}
	var cases []prove.Case
	for _, c := range all {
		if kind == "" || c.Kind == kind {
			cases = append(cases, c)
		}
	}
	return cases, nil
}

// writeCases lists cases, a family after the other.
func writeCases(w io.Writer, cases []prove.Case, format string, width int) error {
	var out strings.Builder
	switch format {
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(cases)
	case "markdown":
		family := ""
		for _, c := range cases {
			if c.Family != family {
				family = c.Family
				fmt.Fprintf(&out, "\n## %s\n\n| Name | Rule | Says |\n|---|---|---|\n", family)
			}
			fmt.Fprintf(&out, "| `%s` | `%s` | %s |\n", c.Name, c.Rule, cell(c.Says))
		}
		_, err := io.WriteString(w, strings.TrimPrefix(out.String(), "\n"))
		return err
	}
	head := [2]string{"NAME", "RULE"}
	wide := [2]int{len(head[0]), len(head[1])}
	for _, c := range cases {
		wide[0], wide[1] = max(wide[0], len(c.Name)), max(wide[1], len(c.Rule))
	}
	indent, room := wide[0]+wide[1]+4, 0
	if width > 0 {
		room = max(width-indent, leastSentence)
	}
	fmt.Fprintf(&out, "%-*s  %-*s  SAYS\n", wide[0], head[0], wide[1], head[1])
	family := ""
	for _, c := range cases {
		if family != "" && c.Family != family {
			out.WriteByte('\n')
		}
		family = c.Family
		fmt.Fprintf(&out, "%-*s  %-*s  %s\n", wide[0], c.Name, wide[1], c.Rule,
			strings.Join(text.Wrap(c.Says, room), "\n"+strings.Repeat(" ", indent)))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// wordsValue collects words, several in one value with commas between them.
func wordsValue(to *[]string, kind string) *cli.Value {
	v := cli.ListValue(to, kind)
	v.Parse = func(text string) error {
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.TrimSpace(word); word == "" {
				return fmt.Errorf("an empty value names nothing")
			}
			*to = append(*to, word)
		}
		return nil
	}
	return v
}

// completeCases proposes the names of cases, with their sentences.
func completeCases(cmd *cobra.Command, flag string, kind prove.Kind) {
	cli.Complete(cmd, flag, func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var all []cobra.Completion
		if cases, err := casesOf(kind); err == nil {
			for _, c := range cases {
				if strings.HasPrefix(c.Name, begun) {
					all = append(all, cobra.CompletionWithDesc(c.Name, c.Says))
				}
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	})
}

// variantFlags are those by which serve puts a fault or a freedom into the service.
type variantFlags struct{ fault, freedom string }

func (v *variantFlags) add(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.Var(cli.TextValue(&v.fault, "NAME"), "fault", "break the service in this way; \"hallmark faults\" lists them")
	flags.Var(cli.TextValue(&v.freedom, "NAME"), "freedom", "make the service unusual in this legal way; \"hallmark freedoms\" lists them")
	completeCases(cmd, "fault", prove.Fault)
	completeCases(cmd, "freedom", prove.Freedom)
}

// variant is what the flags name; the service as it is when they name nothing.
func (v *variantFlags) variant() (variants.Variant, error) {
	if v.fault != "" && v.freedom != "" {
		return variants.Variant{}, errors.New("--fault breaks the service and --freedom keeps it legal; give one of them")
	}
	for _, f := range []struct {
		flag, name string
		kind       prove.Kind
	}{{"fault", v.fault, prove.Fault}, {"freedom", v.freedom, prove.Freedom}} {
		if f.name == "" {
			continue
		}
		cases, err := casesOf(f.kind)
		if err != nil {
			return variants.Variant{}, err
		}
		var names []string
		for _, c := range cases {
			if c.Name == f.name && c.Secure() {
				return variants.Variant{}, fmt.Errorf("--%s %s: this one speaks https, for which serve has no certificate; \"hallmark prove --only %s\" judges it",
					f.flag, f.name, f.name)
			}
			if c.Name == f.name {
				return c.Variant(), nil
			}
			names = append(names, c.Name)
		}
		return variants.Variant{}, fmt.Errorf("--%s: there is no %s %q; %s", f.flag, f.kind, text.Printable(f.name),
			cli.Suggest(f.name, names, fmt.Sprintf("\"hallmark %ss\" lists them", f.flag)))
	}
	return variants.Variant{}, nil
}
