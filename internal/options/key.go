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
	// named is what errors begin with; empty for HALLMARK_API_KEY, of which the errors speak by themselves.
	named string
	// from is where the place itself came from.
	from string
}

// keySource is where the API key is found: in a file which the command line names, else where hallmark.yaml says of this
// target, else in HALLMARK_API_KEY, else in a file which the environment names. What the environment has for all targets
// never replaces a key that is meant for one: it would be sent to a service that it is not for.
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

// noKey is where the API key is found when nothing says where.
func noKey() secretSource {
	return secretSource{variable: KeyVariable, from: "environment " + KeyVariable}
}

// keyRoute are the flags that decide who receives the API key, or who can read it on its way.
func keyRoute() []string { return []string{"base-url", "proxy", "unix-socket", "insecure", "ca-file"} }

// checkKeyRoute refuses to send the API key of the environment where a hallmark.yaml says that was only found in a folder
// above: whoever runs hallmark may not know of that file. A target that names a key of its own gets that key.
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

// secret reads what is found at a place; empty when the variable is not set. A line's end behind it is no part of it.
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
