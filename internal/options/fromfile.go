package options

import (
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
)

// FromFile takes the contract and its settings from hallmark.yaml if the flags name no contract. It returns the folder of features that the
// file names, or "". It examines nothing else in the file: a command that only reads a contract needs no address and no secret.
func (c *Contract) FromFile(env *cli.Env, flags *pflag.FlagSet) (features string, err error) {
	if c.File != "" {
		return "", nil
	}
	file, _, err := LoadTargets(env, "")
	if file == nil || err != nil {
		return "", err
	}
	target, _, err := file.Default()
	if err != nil {
		target = "" // the common part of all targets may name a contract
	}
	known := func(key string) string {
		texts, missing := file.Known(target, key)
		if err == nil {
			err = missing
		}
		if len(texts) == 0 {
			return ""
		}
		return texts[0]
	}
	err = nil
	if known("contract") == "" {
		return "", err
	}
	if wrong := file.Err(); wrong != nil {
		return "", wrong
	}
	for _, key := range []string{"contract", "rules-file", "values-file", "allow-remote", "per-operation"} {
		text := known(key)
		if err != nil {
			return "", err
		}
		if f := flags.Lookup(key); text != "" && f != nil && !f.Changed {
			if err := f.Value.Set(text); err != nil {
				return "", err
			}
		}
	}
	return known("features"), err
}
