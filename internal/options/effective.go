package options

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/config"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// Setting is an effective value in a form safe to display.
type Setting struct {
	Key    string   `json:"key"`
	Value  string   `json:"value"`
	Values []string `json:"values,omitempty"` // for a repeatable flag
	From   string   `json:"from"`
}

// setting returns the value of a flag.
func (s *Settings) setting(f *pflag.Flag, v *cli.Value) Setting {
	row := Setting{Key: f.Name, Value: v.Display(v.Text), From: s.origin(f.Name)}
	switch {
	case f.Name == "config" && v.Text == "" && s.file != nil:
		row.Value, row.From = s.file.Name, "found"
	case v.List:
		for _, text := range v.Texts {
			row.Values = append(row.Values, v.Display(text))
		}
		row.Value = strings.Join(row.Values, ", ")
	case v.Text == "":
		row.Value = ""
	}
	return row
}

// keySetting says where the API key comes from, and whether there is one.
func keySetting(env *cli.Env, s *Settings, file string) Setting {
	p := keySource(s, env, file)
	at := "$" + p.variable
	if p.file != "" {
		at = p.file
	}
	_, err := key(env, p)
	state := "set, not shown"
	if text, unread := secret(env, p); unread != nil || text == "" {
		state = "not set"
		if p.file != "" {
			state = "cannot be read"
		}
	} else if err != nil {
		state = "no header can carry it"
	}
	return Setting{Key: "api-key", Value: at + " (" + state + ")", From: p.from}
}

// fileOnly returns the values that only hallmark.yaml can set.
func (s *Settings) fileOnly(flags *pflag.FlagSet) []Setting {
	if s.Target == nil {
		return nil
	}
	var rows []Setting
	if s.Target.Production {
		rows = append(rows, Setting{Key: "production", Value: "true", From: s.file.At(s.Target.ProductionLine)})
	}
	given := givenHeaders(flags)
	for _, h := range s.Target.Headers {
		if !given[strings.ToLower(h.Name)] {
			rows = append(rows, Setting{Key: "headers." + h.Name, Value: displayHeader(h), From: s.file.At(h.Line)})
		}
	}
	for _, d := range s.Target.Details() {
		rows = append(rows, Setting{Key: "implementation." + d.Name, Value: d.Text, From: s.file.At(d.Line)})
	}
	return rows
}

// givenHeaders returns the names of the headers set by flags.
func givenHeaders(flags *pflag.FlagSet) map[string]bool {
	names := map[string]bool{}
	for _, flag := range []string{"header", "secret-header"} {
		f := flags.Lookup(flag)
		if f == nil {
			continue
		}
		if v, ours := f.Value.(*cli.Value); ours {
			for _, text := range v.Texts {
				name, _, _ := strings.Cut(text, ":")
				names[strings.ToLower(strings.TrimSpace(name))] = true
			}
		}
	}
	return names
}

// displayHeader returns the value of a header, or where it comes from.
func displayHeader(h config.Header) string {
	parsed, err := client.ParseHeader(h.Name+": x", h.Secret, noVariables)
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

// Effective is the output of the config command.
type Effective struct {
	File     string    `json:"file,omitempty"`
	Target   string    `json:"target,omitempty"`
	Notice   string    `json:"notice,omitempty"`
	Settings []Setting `json:"settings"`
}

// Effective returns the effective values and their origins.
func (s *Settings) Effective(env *cli.Env, flags *pflag.FlagSet) Effective {
	all := Effective{Notice: s.notice}
	if err := checkKeyRoute(s); err != nil {
		all.Notice = strings.TrimPrefix(all.Notice+"\n"+err.Error(), "\n")
	}
	if s.file != nil {
		all.File, all.Target = s.file.Name, s.Target.Name
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "api-key-file" {
			all.Settings = append(all.Settings, keySetting(env, s, cli.FlagText(flags, f.Name)))
			return
		}
		if v, ours := f.Value.(*cli.Value); ours {
			all.Settings = append(all.Settings, s.setting(f, v))
		}
	})
	all.Settings = append(all.Settings, s.fileOnly(flags)...)
	return all
}
