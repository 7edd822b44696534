package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/conformance"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

const keygenHelp = `Make a pair of keys (Ed25519) to sign conformance reports with.

NAME.key is the private key, which only you can read: hallmark run --sign NAME.key signs with it. NAME.pub is the public one:
give it to those who receive your reports, but not together with the reports. Both are PEM files, as openssl writes them.
No file is ever overwritten.`

// keygenCommand makes a pair of keys.
func keygenCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "keygen NAME",
		Short:   "Make a key pair for signing conformance reports",
		Long:    keygenHelp,
		Example: "  hallmark keygen vendor",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return errors.New("give the keys one name: hallmark keygen NAME makes NAME.key and NAME.pub")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runKeygen(a, args[0]) },
	}
}

func runKeygen(a *app, name string) error {
	private, public, fingerprint, err := conformance.NewKeys()
	if err != nil {
		return cli.WithCode(verdict.ExitHarness, fmt.Errorf("the keys could not be made: %w", err))
	}
	// Both or none: the private file alone would keep the name for ever.
	if _, err := os.Lstat(name + ".pub"); err == nil {
		return fmt.Errorf("%s.pub exists already, and keys are never overwritten; choose another name", text.Visible(name))
	}
	if err := createFile(name+".key", private, 0o600); err != nil {
		return err
	}
	if err := createFile(name+".pub", public, 0o644); err != nil {
		_ = os.Remove(name + ".key")
		return err
	}
	_, err = fmt.Fprintf(a.Stdout, "%s  the private key: keep it to yourself\n%s  the public key: hand it out\n%s\n", text.Visible(name+".key"), text.Visible(name+".pub"), fingerprint)
	return err
}

// createFile writes a file that was not there.
func createFile(name string, out []byte, mode fs.FileMode) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already, and keys are never overwritten; choose another name", text.Visible(name))
	}
	if err == nil {
		_, err = file.Write(out)
		if closed := file.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", text.Visible(name), cli.Bare(err))
	}
	return nil
}
