package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hallmark/internal/config"
	"hallmark/steps"
)

// targetFlags choose a target of hallmark.yaml. Every command that asks a service has them.
type targetFlags struct {
	target, file string
	allowWrites  bool
}

func (t *targetFlags) add(flags *pflag.FlagSet) {
	flags.Var(textValue(&t.target, "NAME"), "target", "the target of hallmark.yaml to ask (default its only one, or that of target:)")
	flags.Var(fileValue(&t.file, "FILE"), "config", "the file with the targets (default hallmark.yaml in this folder or one above)")
	addArgument(flags, &t.allowWrites, "allow-writes", "create animals also in a target that is marked production; only on the command line")
}

// completeTargets proposes the names of the targets, with their addresses.
func (a *app) completeTargets(cmd *cobra.Command) {
	completeFiles(cmd, "config", "yaml", "yml")
	complete(cmd, "target", func(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var all []cobra.Completion
		file, _, err := a.targets(flagText(cmd.Flags(), "config"))
		if err != nil || file == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, name := range file.Targets() {
			if strings.HasPrefix(name, begun) {
				all = append(all, cobra.CompletionWithDesc(name, file.Value(name, "base-url")))
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	})
}

// flagText is what a flag was given.
func flagText(flags *pflag.FlagSet, name string) string {
	if f := flags.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// notInFiles are the flags that are no keys of a target, with what to do instead.
func notInFiles() map[string]string {
	const ofOneRun = "it belongs to one run; give it on the command line"
	return map[string]string{
		"target":        "write target: at the top of the file, with the name of the target that is used when none is named",
		"config":        "there is one file",
		"allow-writes":  "only the command line can allow writing to a production target, where whoever runs it sees it",
		"api-key-file":  "write api-key: {file: PATH}",
		"header":        "write headers:, with names and values",
		"secret-header": "write headers:, with names and values; {value: TEXT, secret: true} is a secret one",
		"plan":          ofOneRun, "rerun": ofOneRun, "shard": ofOneRun, "resume": ofOneRun,
	}
}

// targetShape says what a target may hold: whatever is a flag of run, and what belongs to no command line.
func targetShape() *config.Shape {
	o := defaultRun()
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	o.addFlags(flags)
	shape := &config.Shape{Refused: notInFiles(), Nearest: nearest, CheckHeader: checkHeader, SecretHeader: secretHeader}
	flags.VisitAll(func(f *pflag.Flag) {
		v, ours := f.Value.(*value)
		if _, refused := shape.Refused[f.Name]; ours && !refused && !v.argumentOnly {
			shape.Keys = append(shape.Keys, v.asKey(f))
		}
	})
	return shape
}

// asKey describes a flag as a key of a file.
func (v *value) asKey(f *pflag.Flag) config.Key {
	key := v.key
	key.Name, key.List, key.Check, key.Default = f.Name, v.list, v.set, f.DefValue
	key.Verbatim = v.show != nil // it knows secrets, and puts variables in by itself
	kind, usage := pflag.UnquoteUsage(f)
	key.Help = usage
	switch {
	case kind == "FORMAT:PATH":
		key.Place = placeReport
	case f.Name == "base-url":
		key.Check = func(text string) error {
			_, err := steps.ParseBaseURL(text)
			return err
		}
	}
	return key
}
