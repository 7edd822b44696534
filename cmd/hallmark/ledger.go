package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hallmark/reports/record"
)

const ledgerHelp = `List the animals that a run created or may have created. The interface has no way to delete them, so whoever cleans up
the service needs their ids.

The list is written before each request that may create an animal, so it is complete even when the run was killed. An animal
of unknown fate was requested, and no response told whether it exists: search for its name. Without a file, the list is that
of the last run on this machine.`

// ledgerCommand lists what a run left behind.
func (a *app) ledgerCommand() *cobra.Command {
	format := "table"
	cmd := &cobra.Command{
		Use:   "ledger [FILE]",
		Short: "List the animals that a run created, for cleaning up",
		Long:  ledgerHelp,
		Example: `  hallmark ledger
  hallmark ledger record.json --format csv
  hallmark ledger --format ids`,
		Args: func(_ *cobra.Command, args []string) error { return oneRecord(args) },
		RunE: func(_ *cobra.Command, args []string) error {
			rec, _, err := a.readRecord(args)
			if err != nil {
				return err
			}
			return a.tellLedger(rec, format)
		},
	}
	formats := []string{"table", "csv", "json", "ids"}
	cmd.Flags().Var(choiceValue(&format, "FORMAT", formats...), "format", strings.Join(formats, ", ")+" (one a line)")
	completeWords(cmd, "format", formats...)
	return cmd
}

func (a *app) tellLedger(rec *record.Record, format string) error {
	all := rec.Animals
	switch format {
	case "json":
		out := json.NewEncoder(a.stdout)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(struct {
			BaseURL string          `json:"baseURL"`
			Animals []record.Animal `json:"animals"`
		}{rec.Target.BaseURL, append([]record.Animal{}, all...)})
	case "csv":
		out := csv.NewWriter(a.stdout)
		_ = out.Write([]string{"id", "name", "fate", "asked", "scenario"}) // Flush has the error
		for _, x := range all {
			_ = out.Write([]string{x.ID, x.Name, string(x.Fate), x.Asked.UTC().Format("2006-01-02T15:04:05Z"), x.Scenario})
		}
		out.Flush()
		return out.Error()
	case "ids":
		var text strings.Builder
		for _, x := range all {
			if x.ID != "" {
				text.WriteString(x.ID + "\n")
			}
		}
		_, err := fmt.Fprint(a.stdout, text.String())
		return err
	}
	unknown := 0
	out := tabwriter.NewWriter(a.guarded(a.stdout), 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "ID\tNAME\tFATE\tSCENARIO")
	for _, x := range all {
		id := x.ID
		if id == "" {
			id = "?"
		}
		if x.Fate == record.Unknown {
			unknown++
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", id, short(visible(x.Name), 60), x.Fate, x.Scenario)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	line := fmt.Sprintf("\n%s created at %s", count(len(all)-unknown, "animal"), visible(rec.Target.BaseURL))
	if unknown > 0 {
		line += fmt.Sprintf(", and %d of unknown fate", unknown)
	}
	_, err := fmt.Fprintln(a.stdout, line)
	return err
}

// short cuts a text to that many characters.
func short(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
