package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"hallmark/steps"
)

// keyVariable is the environment's name for the API key.
const keyVariable = "HALLMARK_API_KEY"

// maxKeyFile is the most that a file with keys holds, in bytes.
const maxKeyFile = 64 << 10

// key is the API key: that of a file which the command line names, else that of the environment, else that of a file
// which the environment names.
func (a *app) key(file string, named bool) (string, error) {
	inEnvironment := a.env(keyVariable)
	if file == "" || inEnvironment != "" && !named {
		if err := steps.CheckKey(inEnvironment); err != nil {
			return "", err
		}
		return inEnvironment, nil
	}
	text, err := readKeyFile(file)
	if err != nil {
		return "", err
	}
	key := strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	if key == "" {
		return "", fmt.Errorf("--api-key-file %s: the file is empty; it must hold the API key", visible(file))
	}
	if err := steps.CheckKey(key); err != nil {
		return "", fmt.Errorf("--api-key-file %s: %w", visible(file), err)
	}
	return key, nil
}

// readKeyFile reads a file with keys. Its errors hold nothing of what stands in it.
func readKeyFile(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("--api-key-file %s: the file cannot be read: %w", visible(file), bare(err))
	}
	defer f.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("--api-key-file %s: the file cannot be read: %w", visible(file), bare(err))
	case len(text) > maxKeyFile:
		return "", fmt.Errorf("--api-key-file %s: the file holds more than %d KiB, so it is none with a key", visible(file), maxKeyFile>>10)
	}
	return string(text), nil
}
