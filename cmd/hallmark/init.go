package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/config"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/options"
)

const initHelp = `Write a hallmark.yaml to start from: a staging and a production target, with comments.

The file is written into this folder, together with hallmark.schema.json, with which editors explain and complete the keys.
Existing files are kept, unless --force is given.

The targets are those of the built-in contract. For an OpenAPI document of your own, "hallmark new" writes a whole suite.`

func initCommand(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:     "init",
		Short:   "Write a hallmark.yaml with targets to start from",
		Long:    initHelp,
		Example: "  hallmark init\n  hallmark config --show",
		Args:    cli.NoArguments,
		RunE:    func(*cobra.Command, []string) error { return writeExample(a, force) },
	}
	cli.AddSwitch(cmd.Flags(), &force, "force", "replace existing files")
	return cmd
}

func writeExample(a *app, force bool) error {
	schema, err := options.TargetShape().Schema()
	if err != nil {
		return err
	}
	examples := []struct{ name, text string }{{config.SchemaName, string(schema)}, {config.Name, config.Example()}}
	for _, f := range examples {
		have, err := os.ReadFile(f.name)
		switch {
		case force, errors.Is(err, fs.ErrNotExist), err == nil && string(have) == f.text:
		case err != nil:
			return fmt.Errorf("%s cannot be accessed: %w", f.name, cli.Bare(err))
		default:
			return fmt.Errorf("%s exists already; nothing was written; --force replaces it", f.name)
		}
	}
	for _, f := range examples {
		if err := files.Replace(f.name, f.text); err != nil {
			return fmt.Errorf("%s cannot be written: %w", f.name, cli.Bare(err))
		}
	}
	_, err = fmt.Fprintf(a.Stdout, "%s was written, with examples to change, and %s, for completion in editors.\n"+
		"\"hallmark config --show\" shows the settings; \"hallmark run\" judges.\n", config.Name, config.SchemaName)
	return err
}
