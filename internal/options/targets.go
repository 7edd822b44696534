package options

import (
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/config"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// targetFlags select a target of hallmark.yaml. Every command that sends requests to a service has them.
type targetFlags struct {
	target, file string
	allowWrites  bool
}

func (t *targetFlags) addFlags(flags *pflag.FlagSet) {
	flags.Var(cli.TextValue(&t.target, "NAME"), "target", "the target in hallmark.yaml (default its only one, or the one that target: names)")
	flags.Var(cli.FileValue(&t.file, "FILE"), "config", "the file with the targets (default hallmark.yaml in this folder or a parent)")
	cli.AddArgument(flags, &t.allowWrites, "allow-writes", "create resources even in a target marked production; only on the command line")
}

// NotInFiles returns the flags that cannot be keys of a target, with what to do instead.
func NotInFiles() map[string]string {
	const ofOneRun = "it belongs to one run; give it on the command line"
	return map[string]string{
		"target":        "write target: at the top of the file, with the name of the target that is used when none is named",
		"config":        "there is one file",
		"allow-writes":  "only the command line, where it is visible, can allow writing to a production target",
		"api-key-file":  "write api-key: {file: PATH}",
		"header":        "write headers:, with names and values",
		"secret-header": "write headers:, with names and values; {value: TEXT, secret: true} is a secret one",
		"plan":          ofOneRun, "rerun": ofOneRun, "shard": ofOneRun, "resume": ofOneRun,
	}
}

// TargetShape returns the keys of a target: every flag of run, and what a command line cannot hold.
func TargetShape() *config.Shape {
	o := DefaultOptions()
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	o.AddFlags(flags)
	shape := &config.Shape{Refused: NotInFiles(), Nearest: cli.Nearest, CheckHeader: checkHeader, SecretHeader: secretHeader}
	flags.VisitAll(func(f *pflag.Flag) {
		v, ours := f.Value.(*cli.Value)
		if _, refused := shape.Refused[f.Name]; ours && !refused && !v.ArgumentOnly {
			shape.Keys = append(shape.Keys, keyOf(v, f))
		}
	})
	return shape
}

// keyOf describes a flag as a key of a file.
func keyOf(v *cli.Value, f *pflag.Flag) config.Key {
	key := v.Key
	key.Name, key.List, key.Check, key.Default = f.Name, v.List, v.Parse, f.DefValue
	key.Verbatim = v.Show != nil // it handles secrets and expands variables itself
	kind, usage := pflag.UnquoteUsage(f)
	key.Help = usage
	switch {
	case kind == "FORMAT:PATH":
		key.Place = joinReports
	case f.Name == "base-url":
		key.Check = func(text string) error {
			_, err := scenario.ParseBaseURL(text)
			return err
		}
	}
	return key
}

// variableFlags returns the names of the flags that a variable can set, and api-key, which has a variable but is not a flag.
func variableFlags() []string {
	o, names := DefaultOptions(), []string{"api-key"}
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	o.AddFlags(flags)
	flags.VisitAll(func(f *pflag.Flag) {
		names = append(names, f.Name)
	})
	return names
}
