package serve

import (
	"fmt"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reference"
)

// apiKeys returns the accepted API keys. made is the generated key, if there is one.
func apiKeys(env *cli.Env, of reference.Implementation, file string) (keys []string, made string, err error) {
	if file == "" {
		if key := env.Getenv(options.KeyVariable); key != "" {
			return []string{key}, "", nil
		}
		made = of.NewKey()
		return []string{made}, made, nil
	}
	s, err := options.ReadSecret("--api-key-file "+text.Visible(file), file)
	if err != nil {
		return nil, "", err
	}
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			keys = append(keys, line)
		}
	}
	if len(keys) == 0 {
		return nil, "", fmt.Errorf("--api-key-file %s: the file holds no API key", text.Visible(file))
	}
	return keys, "", nil
}
