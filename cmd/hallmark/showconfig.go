package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hallmark/internal/config"
	"hallmark/steps/client"
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

func (a *app) configCommand() *cobra.Command {
	run, c := defaultRun(), configOptions{format: "table"}
	ofRun := pflag.NewFlagSet("run", pflag.ContinueOnError)
	run.addFlags(ofRun)
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Show the settings of a run, and where each comes from",
		Long:    configHelp,
		Example: configExample,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if c.schema {
				return a.writeSchema()
			}
			inForce, err := a.settle(ofRun)
			if err != nil {
				return err
			}
			return a.show(inForce, ofRun, c.format)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addSwitch(flags, &c.show, "show", "show the values; what happens without any of these flags, too")
	addSwitch(flags, &c.schema, "schema", "write the JSON Schema of hallmark.yaml instead")
	flags.Var(choiceValue(&c.format, "FORMAT", "table", "json"), "format", "table or json")
	cmd.MarkFlagsMutuallyExclusive("show", "schema")
	flags.AddFlagSet(ofRun)
	completeWords(cmd, "format", "table", "json")
	a.completeRun(cmd)
	return cmd
}

func (a *app) writeSchema() error {
	schema, err := targetShape().Schema()
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(schema)
	return err
}

// inForce is one value that is in force, as it may be shown.
type inForce struct {
	Key    string   `json:"key"`
	Value  string   `json:"value"`
	Values []string `json:"values,omitempty"` // of a flag that may be given more than once
	From   string   `json:"from"`
}

// shownSettings is what config shows.
type shownSettings struct {
	File     string    `json:"file,omitempty"`
	Target   string    `json:"target,omitempty"`
	Notice   string    `json:"notice,omitempty"`
	Settings []inForce `json:"settings"`
}

func (a *app) show(s *settings, flags *pflag.FlagSet, format string) error {
	all := shownSettings{Notice: s.notice}
	if err := s.checkKeyRoute(); err != nil {
		all.Notice = strings.TrimPrefix(all.Notice+"\n"+err.Error(), "\n")
	}
	if s.file != nil {
		all.File, all.Target = s.file.Name, s.target.Name
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "api-key-file" {
			all.Settings = append(all.Settings, a.shownKey(s, flagText(flags, f.Name)))
			return
		}
		if v, ours := f.Value.(*value); ours {
			all.Settings = append(all.Settings, s.shown(f, v))
		}
	})
	all.Settings = append(all.Settings, s.ofTheFile(flags)...)
	if format == "json" {
		encoder := json.NewEncoder(a.stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(all)
	}
	_, err := fmt.Fprint(a.stdout, all.table())
	return err
}

// shown is the value of a flag.
func (s *settings) shown(f *pflag.Flag, v *value) inForce {
	row := inForce{Key: f.Name, Value: v.shown(v.text), From: s.origin(f.Name)}
	switch {
	case f.Name == "config" && v.text == "" && s.file != nil:
		row.Value, row.From = s.file.Name, "found"
	case v.list:
		for _, text := range v.texts {
			row.Values = append(row.Values, v.shown(text))
		}
		row.Value = strings.Join(row.Values, ", ")
	case v.text == "":
		row.Value = ""
	}
	return row
}

// shownKey tells where the API key is found, and whether there is one.
func (a *app) shownKey(s *settings, file string) inForce {
	p := s.keyPlace(a, file)
	at := "$" + p.variable
	if p.file != "" {
		at = p.file
	}
	_, err := a.key(p)
	state := "set, not shown"
	if text, unread := a.secret(p); unread != nil || text == "" {
		state = "not set"
		if p.file != "" {
			state = "cannot be read"
		}
	} else if err != nil {
		state = "no header can carry it"
	}
	return inForce{Key: "api-key", Value: at + " (" + state + ")", From: p.from}
}

// ofTheFile are the values that only hallmark.yaml can give.
func (s *settings) ofTheFile(flags *pflag.FlagSet) []inForce {
	if s.target == nil {
		return nil
	}
	var rows []inForce
	if s.target.Production {
		rows = append(rows, inForce{Key: "production", Value: "true", From: s.file.At(s.target.ProductionLine)})
	}
	given := givenHeaders(flags)
	for _, h := range s.target.Headers {
		if !given[strings.ToLower(h.Name)] {
			rows = append(rows, inForce{Key: "headers." + h.Name, Value: shownHeader(h), From: s.file.At(h.Line)})
		}
	}
	for _, d := range s.target.Details() {
		rows = append(rows, inForce{Key: "implementation." + d.Name, Value: d.Text, From: s.file.At(d.Line)})
	}
	return rows
}

// givenHeaders are the names of the headers that flags give.
func givenHeaders(flags *pflag.FlagSet) map[string]bool {
	names := map[string]bool{}
	for _, flag := range []string{"header", "secret-header"} {
		f := flags.Lookup(flag)
		if f == nil {
			continue
		}
		if v, ours := f.Value.(*value); ours {
			for _, text := range v.texts {
				name, _, _ := strings.Cut(text, ":")
				names[strings.ToLower(strings.TrimSpace(name))] = true
			}
		}
	}
	return names
}

// shownHeader is the value of a header, or where it is found.
func shownHeader(h config.Header) string {
	parsed, err := client.ParseHeader(h.Name+": x", h.Secret, noVariable)
	switch {
	case h.From != nil && h.From.Env != "":
		return "$" + h.From.Env
	case h.From != nil:
		return h.From.File
	case err != nil || parsed.Secret:
		return "(not shown)"
	}
	return h.Value
}

// table writes the settings in columns.
func (s shownSettings) table() string {
	rows := []inForce{{Key: "key", Value: "value", From: "where from"}}
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
		fmt.Fprintf(&out, "%-*s  %-*s  %s\n", key, row.Key, val, visible(row.Value), visible(row.From))
	}
	if s.Notice != "" {
		fmt.Fprintf(&out, "\n%s\n", s.Notice)
	}
	return out.String()
}
