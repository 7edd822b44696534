package options

import (
	"fmt"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/config"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// KeyVariable is the environment variable of the API key.
const KeyVariable = "HALLMARK_API_KEY"

// secretSource is the place of a secret: an environment variable or a file.
type secretSource struct {
	variable, file string
	// named is the prefix of errors. It is empty for HALLMARK_API_KEY, which its errors mention themselves.
	named string
	// from says who named the place.
	from string
}

// keySource returns the place of the API key: a file named on the command line, else the place that hallmark.yaml gives for this target,
// else HALLMARK_API_KEY, else a file named in the environment. A key in the environment for all targets never replaces one meant for a
// particular target: it would be sent to the wrong service.
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

// noKey returns the default place of the API key.
func noKey() secretSource {
	return secretSource{variable: KeyVariable, from: "environment " + KeyVariable}
}

// keyRoute returns the flags that decide who receives the API key, or who can read it in transit.
func keyRoute() []string { return []string{"base-url", "proxy", "unix-socket", "insecure", "ca-file"} }

// checkKeyRoute prevents sending the API key of the environment to an address from a hallmark.yaml that was only found in a parent folder:
// the user may not know about that file. A target with a key of its own gets that key.
func checkKeyRoute(s *Settings) error {
	if !s.above || s.Target.Key != nil && s.Target.Key.Env != KeyVariable {
		return nil
	}
	return s.checkRoute(KeyVariable)
}

// String returns the place for use in a sentence.
func (p secretSource) String() string {
	if p.file != "" {
		return "the file " + text.Visible(p.file)
	}
	return p.variable
}

// source returns the place of a secret given in hallmark.yaml.
func source(s *Settings, source *config.Source, key string) secretSource {
	at := s.file.At(source.Line)
	p := secretSource{variable: source.Env, file: source.File, named: at + ": " + key, from: at}
	if p.file != "" {
		p.named += ": " + text.Visible(p.file)
	}
	return p
}

// secret reads a secret, or returns "" if its variable is not set. A trailing line end is removed.
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

// key reads the API key.
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
