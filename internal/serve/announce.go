package serve

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
)

// checkURLFile checks that the address can be written and removes that of an earlier service, so that nobody finds an outdated one.
func checkURLFile(file string) error {
	if file == "" {
		return nil
	}
	info, err := os.Lstat(file)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("--url-file %s: this is not a regular file", text.Visible(file))
	}
	if err == nil {
		err = os.Remove(file)
	} else if probe, wrong := os.CreateTemp(filepath.Dir(file), ".hallmark-*.tmp"); wrong != nil {
		err = wrong
	} else {
		err = errors.Join(probe.Close(), os.Remove(probe.Name()))
	}
	if err != nil {
		return fmt.Errorf("--url-file %s: the file cannot be written: %w", text.Visible(file), cli.Bare(err))
	}
	return nil
}

// announce prints where the service is and how to judge it.
func announce(out io.Writer, url, file, made string) error {
	s := "The reference service is ready at " + url + ", until it is interrupted.\n"
	if made != "" {
		s += "Its API key was made for this time. To judge it, in another terminal:\n\n  export " + options.KeyVariable + "=" + made + "\n"
	} else {
		s += "To judge it, in another terminal, with one of its API keys in " + options.KeyVariable + ":\n\n"
	}
	s += "  hallmark run --base-url " + url + "\n\n"
	if _, err := io.WriteString(out, s); err != nil {
		return fmt.Errorf("the address could not be written: %w", cli.Bare(err))
	}
	if file == "" {
		return nil
	}
	if err := files.Replace(file, url+"\n"); err != nil {
		return fmt.Errorf("--url-file %s: the file cannot be written: %w", text.Visible(file), cli.Bare(err))
	}
	return nil
}
