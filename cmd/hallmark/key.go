package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"hallmark/internal/config"
	"hallmark/steps"
)

// keyVariable is the environment's name for the API key.
const keyVariable = "HALLMARK_API_KEY"

// maxKeyFile is the most that a file with keys holds, in bytes.
const maxKeyFile = 64 << 10

// place is where a secret is found: a variable of the environment, or a file.
type place struct {
	variable, file string
	// named is what errors begin with; empty for HALLMARK_API_KEY, of which the errors speak by themselves.
	named string
	// from is where the place itself came from.
	from string
}

// keyPlace is where the API key is found: in a file which the command line names, else where hallmark.yaml says of this
// target, else in HALLMARK_API_KEY, else in a file which the environment names. What the environment has for all targets
// never replaces a key that is meant for one: it would be sent to a service that it is not for.
func (s *settings) keyPlace(a *app, file string) place {
	flag := place{file: file, named: "--api-key-file " + visible(file), from: s.origin("api-key-file")}
	switch {
	case flag.from == fromFlag:
		return flag
	case s.target != nil && s.target.Key != nil:
		return s.place(s.target.Key, "api-key")
	case a.env(keyVariable) != "":
	case file != "":
		return flag
	}
	return place{variable: keyVariable, from: "environment " + keyVariable}
}

// keyRoute are the flags that decide who receives the API key, or who can read it on its way.
func keyRoute() []string { return []string{"base-url", "proxy", "unix-socket", "insecure", "ca-file"} }

// checkKeyRoute refuses to send the API key of the environment where a hallmark.yaml says that was only found in a folder
// above: whoever runs hallmark may not know of that file. A target that names a key of its own gets that key.
func (s *settings) checkKeyRoute() error {
	if !s.above || s.target.Key != nil && s.target.Key.Env != keyVariable {
		return nil
	}
	for _, flag := range keyRoute() {
		setting, there := s.target.Settings[flag]
		if !there || s.given[flag] {
			continue
		}
		hint := "add --config " + shellWord(s.file.Name)
		if s.target.Name != "" {
			hint += ", or give the target " + visible(s.target.Name) + " an api-key of its own"
		}
		return fmt.Errorf("%s: %s: a file that is found in a folder above does not decide where %s is sent; %s",
			s.file.At(setting.Line), flag, keyVariable, hint)
	}
	return nil
}

// words name the place in a sentence.
func (p place) words() string {
	if p.file != "" {
		return "the file " + visible(p.file)
	}
	return p.variable
}

// place is where hallmark.yaml says that a secret is found.
func (s *settings) place(source *config.Source, key string) place {
	at := s.file.At(source.Line)
	p := place{variable: source.Env, file: source.File, named: at + ": " + key, from: at}
	if p.file != "" {
		p.named += ": " + visible(p.file)
	}
	return p
}

// secret reads what is found at a place; empty when the variable is not set. A line's end behind it is no part of it.
func (a *app) secret(p place) (string, error) {
	text := a.env(p.variable)
	if p.file != "" {
		var err error
		if text, err = readSecret(p.named, p.file); err != nil {
			return "", err
		}
	}
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"), nil
}

// key is the API key.
func (a *app) key(p place) (string, error) {
	key, err := a.secret(p)
	switch {
	case err != nil:
		return "", err
	case key == "" && p.file != "":
		return "", fmt.Errorf("%s: the file is empty; it must hold the API key", p.named)
	case key == "" && p.named != "":
		hint := ""
		if a.env(keyVariable) != "" {
			hint = "; " + keyVariable + " is not used for a target that names a key of its own"
		}
		return "", fmt.Errorf("%s: the environment has no %s; set it to the API key%s", p.named, p.variable, hint)
	}
	if err := steps.CheckKey(key); err != nil {
		if p.named == "" {
			return "", err
		}
		return "", fmt.Errorf("%s: %w", p.named, err)
	}
	return key, nil
}

// readSecret reads a file with keys or other secrets. Its errors begin with a name, and hold nothing of what stands in it.
func readSecret(named, file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("%s: the file cannot be read: %w", named, bare(err))
	}
	defer f.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: the file cannot be read: %w", named, bare(err))
	case len(text) > maxKeyFile:
		return "", fmt.Errorf("%s: the file holds more than %d KiB, so it is none with a key", named, maxKeyFile>>10)
	}
	return string(text), nil
}
