package options

import (
	"fmt"
	"strings"

	"hallmark/internal/cli"
	"hallmark/internal/config"
	"hallmark/internal/text"
	"hallmark/steps/credentials"
)

// KeyVariable is the environment's name for the API key.
const KeyVariable = "HALLMARK_API_KEY"

// secretSource is where a secret is found: a variable of the environment, or a file.
type secretSource struct {
	variable, file string
	// named is the beginning of errors; empty for HALLMARK_API_KEY, which its errors mention themselves.
	named string
	// from is where the place itself came from.
	from string
}

// keySource is where the API key is found: in a file named on the command line, else where hallmark.yaml says for
// this target, else in HALLMARK_API_KEY, else in a file named in the environment. A key that the environment has
// for all targets never replaces one that is meant for one target: it would be sent to the wrong service.
func keySource(s *Settings, env *cli.Env, file string) secretSource {
	flag := secretSource{file: file, named: "--api-key-file " + text.Visible(file), from: s.origin("api-key-file")}
	switch {
	case flag.from == fromFlag:
		return flag
	case s.Target != nil && s.Target.Key != nil:
		return source(s, s.Target.Key, "api-key")
	case env.Getenv(KeyVariable) != "":
	case file != "":
		return flag
	}
	return noKey()
}

// noKey is where the API key is looked for if nothing says where.
func noKey() secretSource {
	return secretSource{variable: KeyVariable, from: "environment " + KeyVariable}
}

// keyRoute are the flags that decide who receives the API key, or who can read it on its way.
func keyRoute() []string { return []string{"base-url", "proxy", "unix-socket", "insecure", "ca-file"} }

// checkKeyRoute refuses to send the API key of the environment to an address from a hallmark.yaml that was only
// found in a parent folder: the user may not know about that file. A target that names a key of its own gets that
// key.
func checkKeyRoute(s *Settings) error {
	if !s.above || s.Target.Key != nil && s.Target.Key.Env != KeyVariable {
		return nil
	}
	return s.checkRoute(KeyVariable)
}

// String names the place in a sentence.
func (p secretSource) String() string {
	if p.file != "" {
		return "the file " + text.Visible(p.file)
	}
	return p.variable
}

// source returns where hallmark.yaml says that a secret is found.
func source(s *Settings, source *config.Source, key string) secretSource {
	at := s.file.At(source.Line)
	p := secretSource{variable: source.Env, file: source.File, named: at + ": " + key, from: at}
	if p.file != "" {
		p.named += ": " + text.Visible(p.file)
	}
	return p
}

// secret reads the secret from a source; empty if the variable is not set. A trailing line end is removed.
func secret(env *cli.Env, p secretSource) (string, error) {
	text := env.Getenv(p.variable)
	if p.file != "" {
		var err error
		if text, err = ReadSecret(p.named, p.file); err != nil {
			return "", err
		}
	}
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"), nil
}

// key is the API key.
func key(env *cli.Env, p secretSource) (string, error) {
	key, err := secret(env, p)
	switch {
	case err != nil:
		return "", err
	case key == "" && p.file != "":
		return "", fmt.Errorf("%s: the file is empty; it must hold the API key", p.named)
	case key == "" && p.named != "":
		hint := ""
		if env.Getenv(KeyVariable) != "" {
			hint = "; " + KeyVariable + " is not used for a target that names a key of its own"
		}
		return "", fmt.Errorf("%s: the environment has no %s; set it to the API key%s", p.named, p.variable, hint)
	}
	if err := credentials.CheckKey(key); err != nil {
		if p.named == "" {
			return "", err
		}
		return "", fmt.Errorf("%s: %w", p.named, err)
	}
	return key, nil
}
