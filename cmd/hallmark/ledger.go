package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/record"
)

const ledgerHelp = `List what a run created or may have created, and did not remove. The last line counts what the run removed again; the
formats csv and json list that, too. A contract without an operation that deletes, like the Petstore's, leaves cleaning up to you, by
the ids.

The list is written before each request that may create something, so it is complete even if the run was killed. If the fate of a
resource is unknown, its creation was requested, but no response says whether it exists: search for its name. Without a file, the list
is that of the last run on this machine.`

// ledgerCommand lists what a run left behind.
func ledgerCommand(a *app) *cobra.Command {
	format := "table"
	cmd := &cobra.Command{
		Use:   "ledger [FILE]",
		Short: "List what a run created, for cleaning up",
		Long:  ledgerHelp,
		Example: `  hallmark ledger
  hallmark ledger record.json --format csv
  hallmark ledger --format ids`,
		Args: func(_ *cobra.Command, args []string) error { return oneRecord(args) },
		RunE: func(_ *cobra.Command, args []string) error {
			record, _, err := session.ReadRecord(a.Env, args)
			if err != nil {
				return err
			}
			return writeLedger(a, record, format)
		},
	}
	formats := []string{"table", "csv", "json", "ids"}
	cmd.Flags().Var(cli.ChoiceValue(&format, "FORMAT", formats...), "format", strings.Join(formats, ", ")+" (one a line)")
	cli.CompleteWords(cmd, "format", formats...)
	return cmd
}

func writeLedger(a *app, rec *record.Record, format string) error {
	all := rec.Created
	switch format {
	case "json":
		listed := append([]record.Creation{}, all...)
		return jsonout.Encode(a.Stdout, struct {
			BaseURL string            `json:"baseURL"`
			Created []record.Creation `json:"created"`
		}{rec.Target.BaseURL, listed})
	case "csv":
		out := csv.NewWriter(a.Stdout)
		_ = out.Write([]string{"id", "name", "fate", "asked", "scenario"}) // Flush has the error
		for _, x := range all {
			_ = out.Write([]string{
				text.Visible(x.ID), text.Visible(x.Name), text.Visible(string(x.Fate)), x.Asked.UTC().Format("2006-01-02T15:04:05Z"), text.Visible(x.Scenario),
			})
		}
		out.Flush()
		return out.Error()
	case "ids":
		var ids strings.Builder
		for _, x := range record.Left(all) {
			if x.ID != "" {
				ids.WriteString(text.Visible(x.ID) + "\n") // an identifier may hold a line break
			}
		}
		_, err := fmt.Fprint(a.Stdout, ids.String())
		return err
	}
	left := record.Left(all)
	if len(left) > 0 {
		out := tabwriter.NewWriter(a.Guarded(a.Stdout), 0, 0, 2, ' ', 0)
		fmt.Fprintln(out, "ID\tNAME\tFATE\tSCENARIO")
		for _, x := range left {
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", cmp.Or(text.Visible(x.ID), "?"), text.Truncate(text.Visible(x.Name), 60), text.Visible(string(x.Fate)), text.Visible(x.Scenario))
		}
		fmt.Fprintln(out)
		if err := out.Flush(); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(a.Stdout, ledgerLine(rec))
	return err
}

// ledgerLine counts what a run created, how much of it was removed, and what is left.
func ledgerLine(rec *record.Record) string {
	counts := map[record.Fate]int{}
	for _, x := range rec.Created {
		counts[x.Fate]++
	}
	created := counts[record.Created] + counts[record.Removed]
	line := fmt.Sprintf("%s created at %s", text.Count(created, "resource"), text.Visible(rec.Target.BaseURL))
	if removed := counts[record.Removed]; removed > 0 {
		line += fmt.Sprintf(": %s removed, %s left", text.Number(removed), text.Number(created-removed))
	}
	if unknown := counts[record.Unknown]; unknown > 0 {
		line += fmt.Sprintf(", and %s of unknown fate", text.Number(unknown))
	}
	return line
}

// oneRecord lets at most one file be named.
func oneRecord(args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("only one record or journal can be read; remove %q", args[1])
	}
	return nil
}
