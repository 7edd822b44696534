package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// variable is the environment's name for a flag: HALLMARK_BASE_URL for base-url.
func variable(flag string) string {
	return "HALLMARK_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// fromEnvironment gives flags that are not on the command line the values of their variables. It returns the names of
// those that were given at all, here or there.
func (a *app) fromEnvironment(flags *pflag.FlagSet) (given map[string]bool, err error) {
	given = map[string]bool{}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			given[f.Name] = true
			return
		}
		v, ours := f.Value.(*value)
		text := a.env(variable(f.Name))
		if !ours || text == "" || err != nil {
			return
		}
		if v.argumentOnly {
			err = fmt.Errorf("%s has no say: --%s counts only on the command line, where whoever runs it sees it; unset the variable", variable(f.Name), f.Name)
			return
		}
		given[f.Name] = true
		texts := []string{text}
		if v.list {
			texts = strings.Split(text, ",")
		}
		for _, t := range texts {
			if wrong := v.Set(strings.TrimSpace(t)); wrong != nil {
				err = fmt.Errorf("%s: %w", variable(f.Name), wrong)
			}
		}
	})
	return given, err
}
