package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Variable returns the environment variable of a flag: HALLMARK_BASE_URL for base-url.
func Variable(flag string) string {
	return "HALLMARK_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// ApplyVariables sets flags that are not on the command line from their variables. It returns the names of all flags given in either way.
func (e *Env) ApplyVariables(flags *pflag.FlagSet) (given map[string]bool, err error) {
	given = map[string]bool{}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			given[f.Name] = true
			return
		}
		v, ours := f.Value.(*Value)
		variable := Variable(f.Name)
		text := e.Getenv(variable)
		if !ours || text == "" || err != nil {
			return
		}
		if v.ArgumentOnly {
			err = fmt.Errorf("%s has no effect: --%s counts only on the command line, where it is visible; unset the variable", variable, f.Name)
			return
		}
		given[f.Name] = true
		texts := []string{text}
		if v.List && !v.Whole {
			texts = strings.Split(text, ",")
		}
		for _, t := range texts {
			if wrong := v.Set(strings.TrimSpace(t)); wrong != nil {
				err = fmt.Errorf("%s: %w", variable, wrong)
			}
		}
	})
	return given, err
}

// variablePrefix is the prefix of the variables that hallmark reads.
const variablePrefix = "HALLMARK_"

// WarnUnread warns about variables with the prefix HALLMARK_ that nothing reads: a misspelt flag would go unnoticed. known lists the flags
// that a variable can set. Variables that hallmark.yaml or a flag refers to may have any name.
func (e *Env) WarnUnread(flags *pflag.FlagSet, known []string, files ...string) {
	referred := strings.Join(files, "\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if v, ours := f.Value.(*Value); ours {
			referred += "\n" + strings.Join(v.Texts, "\n")
		}
	})
	names := os.Environ()
	slices.Sort(names)
	for _, line := range names {
		name, _, _ := strings.Cut(line, "=")
		flag := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, variablePrefix), "_", "-"))
		switch {
		case !strings.HasPrefix(name, variablePrefix), e.Getenv(name) == "", strings.Contains(referred, name):
			continue
		case slices.Contains(known, flag) && name == Variable(flag):
			continue
		// Records and reports use these in place of secrets, and commands pasted from them need them.
		case strings.HasPrefix(name, "HALLMARK_HEADER_"), strings.HasPrefix(name, "HALLMARK_QUERY_"), strings.HasPrefix(name, "HALLMARK_CREDENTIAL_"), name == "HALLMARK_PROXY_PASSWORD":
			continue
		case name == "HALLMARK_SOURCES": // used by the CI examples
			continue
		case slices.Contains([]string{"HALLMARK_RUN_ID", "HALLMARK_HOOK", "HALLMARK_RESOURCE", "HALLMARK_PHASE"}, name): // of a hook that runs hallmark
			continue
		}
		hint := "\"hallmark run --help-all\" lists those that are"
		if near := Nearest(flag, known); near != "" {
			hint = "did you mean " + Variable(near) + "?"
		}
		fmt.Fprintf(e.Stderr, "hallmark: warning: the variable %s is not read by hallmark; %s\n", text.Visible(name), hint)
	}
}
