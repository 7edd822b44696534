package options

import (
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/config"
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
	if contract, err := known(file, target, "contract"); contract == "" || err != nil {
		return "", err
	}
	if wrong := file.Err(); wrong != nil {
		return "", wrong
	}
	if err := take(file, target, flags, contractKeys(), func(f *pflag.Flag) bool { return f.Changed }); err != nil {
		return "", err
	}
	return known(file, target, "features")
}

// contractKeys are the keys about the contract.
func contractKeys() []string {
	return []string{"contract", "rules-file", "values-file", "allow-remote", "per-operation"}
}

// known returns what the file says about a key, or "".
func known(file *config.File, target, key string) (string, error) {
	texts, err := file.Known(target, key)
	if len(texts) == 0 || err != nil {
		return "", err
	}
	return texts[0], nil
}

// take sets the flags of some keys, unless they are given, to what the file says of a target.
func take(file *config.File, target string, flags *pflag.FlagSet, keys []string, given func(*pflag.Flag) bool) error {
	for _, key := range keys {
		text, err := known(file, target, key)
		if err != nil {
			return err
		}
		if f := flags.Lookup(key); text != "" && f != nil && !given(f) {
			if err := f.Value.Set(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// Judging is what hallmark.yaml says to commands that judge exchanges which others make.
type Judging struct {
	// BaseURL is the address of the target, if one was named or the file has one.
	BaseURL string
	// Named reports whether the target was named, rather than taken because the file has no other.
	Named bool
	// SecretHeaders are the names of the headers that hold secrets, and Secrets the values of its secrets that are in the environment.
	SecretHeaders, Secrets []string
}

// JudgingFromFile sets the flags that are not given to what hallmark.yaml says about how a target is judged and reached: its contract, rules
// and values, its known violations and, if reach is set, the way there. Nothing is taken from a file about another contract. No secret has to be there, since
// nothing is sent; reports and goals of coverage are those of runs.
func JudgingFromFile(env *cli.Env, flags *pflag.FlagSet, given map[string]bool, reach bool) (Judging, error) {
	file, _, err := LoadTargets(env, cli.FlagText(flags, "config"))
	name := cli.FlagText(flags, "target")
	switch {
	case err != nil:
		return Judging{}, err
	case file == nil && name != "":
		return Judging{}, noFile(name)
	case file == nil:
		return Judging{}, nil
	case file.Err() != nil:
		return Judging{}, file.Err()
	case name != "" && !file.Has(name):
		return Judging{}, noTarget(file, name)
	}
	j, target := Judging{Named: name != ""}, name
	if !j.Named {
		if target, _, err = file.Default(); err != nil {
			target = "" // what is common to all targets
		}
	}
	contract, err := known(file, target, "contract")
	if err != nil {
		return Judging{}, err
	}
	if given["contract"] && cli.FlagText(flags, "contract") != contract && !j.Named { // who names the target says that both belong together
		return Judging{}, nil
	}
	keys := append(contractKeys(), "deviations", "strict")
	if reach || j.Named {
		keys = append(keys, "ca-file", "client-cert", "client-key", "insecure", "proxy", "unix-socket", "h2c")
	}
	if err := take(file, target, flags, keys, func(f *pflag.Flag) bool { return given[f.Name] }); err != nil {
		return Judging{}, err
	}
	if j.BaseURL, err = known(file, target, "base-url"); err != nil {
		return Judging{}, err
	}
	headers, variables := file.Secrets(target)
	j.SecretHeaders = headers
	for _, variable := range append(variables, KeyVariable) {
		if value := env.Getenv(variable); value != "" {
			j.Secrets = append(j.Secrets, value)
		}
	}
	return j, nil
}
