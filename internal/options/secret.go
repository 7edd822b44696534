package options

import (
	"fmt"
	"io"
	"os"

	"github.com/hallmark-kit/hallmark/internal/cli"
)

// maxKeyFile is the maximum size of a file with secrets, in bytes.
const maxKeyFile = 64 << 10

// ReadSecret reads a file with keys or other secrets. Its errors begin with named and contain nothing of the file's content.
func ReadSecret(named, file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("%s: the file cannot be read: %w", named, cli.Bare(err))
	}
	defer f.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: the file cannot be read: %w", named, cli.Bare(err))
	case len(text) > maxKeyFile:
		return "", fmt.Errorf("%s: the file is larger than %d KiB, so it cannot be a key file", named, maxKeyFile>>10)
	}
	return string(text), nil
}
