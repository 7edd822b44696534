package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
)

const configHelp = `Show what a run would use, and where each value comes from: a flag, an environment variable, a line of
hallmark.yaml, or the default. Secrets are not shown, only where they come from, and whether they are set.

It takes the flags of "hallmark run". Nothing is sent to the target.

The file is hallmark.yaml in this folder or one above, or the file that --config names. "hallmark init" writes one. Its keys
are the flags of "hallmark run", and those that the schema lists besides.`

const configExample = `  hallmark config --show
  hallmark config --show --target staging --format json

  # what would this do?
  hallmark config --show --target staging --strict --concurrency 2

  # for an editor, or a check of your own
  hallmark config --schema > hallmark.schema.json`

// configOptions are the flags that config has besides those of run.
type configOptions struct {
	show, schema bool
	format       string
}

func configCommand(a *app) *cobra.Command {
	run, c := options.DefaultOptions(), configOptions{format: "table"}
	ofRun := pflag.NewFlagSet("run", pflag.ContinueOnError)
	run.AddFlags(ofRun)
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Show the settings of a run, and where each comes from",
		Long:    configHelp,
		Example: configExample,
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if c.schema {
				return writeSchema(a)
			}
			inForce, err := options.Resolve(a.Env, ofRun)
			if err != nil {
				return err
			}
			return showConfig(a, inForce, ofRun, c.format)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	cli.AddSwitch(flags, &c.show, "show", "show the values (the default)")
	cli.AddSwitch(flags, &c.schema, "schema", "write the JSON Schema of hallmark.yaml instead")
	flags.Var(cli.ChoiceValue(&c.format, "FORMAT", "table", "json"), "format", "table or json")
	cmd.MarkFlagsMutuallyExclusive("show", "schema")
	flags.AddFlagSet(ofRun)
	cli.CompleteWords(cmd, "format", "table", "json")
	cli.GroupHelp(cmd, options.FlagGroups(), "")
	completeRun(a, cmd)
	return cmd
}

func writeSchema(a *app) error {
	schema, err := options.TargetShape().Schema()
	if err != nil {
		return err
	}
	_, err = a.Stdout.Write(schema)
	return err
}

func showConfig(a *app, s *options.Settings, flags *pflag.FlagSet, format string) error {
	all := s.Effective(a.Env, flags)
	if format == "json" {
		return jsonout.Encode(a.Stdout, all)
	}
	_, err := fmt.Fprint(a.Stdout, settingsTable(all))
	return err
}

// table writes the settings in columns.
func settingsTable(s options.Effective) string {
	rows := []options.Setting{{Key: "key", Value: "value", From: "where from"}}
	for _, row := range s.Settings {
		if row.Value == "" {
			row.Value = "·"
		}
		rows = append(rows, row)
	}
	var key, val int
	for _, row := range rows {
		key = max(key, utf8.RuneCountInString(row.Key))
		val = max(val, min(utf8.RuneCountInString(row.Value), 50))
	}
	var out strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&out, "%-*s  %-*s  %s\n", key, row.Key, val, text.Visible(row.Value), text.Visible(row.From))
	}
	if s.Notice != "" {
		fmt.Fprintf(&out, "\n%s\n", s.Notice)
	}
	return out.String()
}
