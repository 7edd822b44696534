package options

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// checkHeader returns an error for an invalid header name in hallmark.yaml.
func checkHeader(name string) error {
	_, err := client.ParseHeader(name+": x", false, noVariables)
	return err
}

// secretHeader reports whether a header's name suggests credentials.
func secretHeader(name string) bool {
	h, err := client.ParseHeader(name+": x", false, noVariables)
	return err == nil && h.Secret
}

func noVariables(string) (string, bool) { return "", false }

// addHeaders adds the headers of hallmark.yaml to those of the flags, which take precedence.
func addHeaders(s *Settings, target *scenario.Target, env *cli.Env) error {
	if s.Target == nil {
		return nil
	}
	flags := slices.Clone(target.Headers)
	for _, h := range s.Target.Headers {
		if slices.ContainsFunc(flags, func(o client.Header) bool { return strings.EqualFold(o.Name, h.Name) }) {
			continue
		}
		header, err := client.ParseHeader(h.Name+": x", h.Secret, noVariables)
		if err != nil {
			return fmt.Errorf("%s: %w", s.file.At(h.Line), err)
		}
		header.Value = h.Value
		named := s.file.At(h.Line) + ": headers." + h.Name
		if h.From != nil {
			from := source(s, h.From, "headers."+h.Name)
			if header.Value, err = secret(env, from); err != nil {
				return err
			}
			named = from.named
			if h.From.Env != "" {
				header.Shown = "${" + h.From.Env + "}"
				if header.Value == "" {
					return fmt.Errorf("%s: the environment has no %s; set it to the value of the header", named, h.From.Env)
				}
			}
		}
		header.Value = strings.TrimSpace(header.Value)
		switch {
		case header.Value == "":
			return fmt.Errorf("%s: the header has no value", named)
		case strings.ContainsFunc(header.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			return fmt.Errorf("%s: the value contains a control character, which headers do not allow", named)
		}
		target.Headers = append(target.Headers, header)
	}
	return nil
}
