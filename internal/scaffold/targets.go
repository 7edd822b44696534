package scaffold

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/config"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

// targetsFile returns the text of hallmark.yaml.
func targetsFile(s *Suite) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# yaml-language-server: $schema=%s
#
# What hallmark judges, and by what. "hallmark run" in this folder tests the target below; "hallmark run --base-url URL" tests another
# service. Each flag of "hallmark run" is a key, under its own name. "hallmark config --show" shows the effective values.
# Files are relative to this one. In texts, ${NAME} is an environment variable.

# The target that is asked when none is named.
target: local

# What all targets have in common.
defaults:
  contract: %s
  features: %s
  rules-file: %s
  values-file: %s
`, config.SchemaName, yamlText(s.where.contract), featuresName, yamlText(s.where.rules), yamlText(s.where.values))
	if s.remote {
		b.WriteString("  allow-remote: true\n")
	}
	if s.perOperation > 0 {
		fmt.Fprintf(&b, "  per-operation: %d\n", s.perOperation)
	}
	fmt.Fprintf(&b, `  # strict: true
  # report: [json:hallmark.json, junit:hallmark.xml]

targets:
  local:
    base-url: %s
    # before: [./seed.sh] # prepares data; before-each, between-phases and after do so later
`, yamlText("http://127.0.0.1:8080"+basePath(s)))
	b.WriteString(secrets(s))
	b.WriteString(`  # staging:
  #   base-url: https://staging.example.com` + basePath(s) + `
`)
	return b.String()
}

// basePath returns the path of the document's server, or "".
func basePath(s *Suite) string {
	server, err := url.Parse(s.basis.Contract.Server())
	if err != nil || strings.Contains(server.Path, "{") || !strings.HasPrefix(server.Path, "/") {
		return ""
	}
	return strings.TrimRight(server.EscapedPath(), "/")
}

// secrets returns the lines that explain where the contract's secrets come from.
func secrets(s *Suite) string {
	schemes := scheme.All(s.basis.Contract.Operations())
	if len(schemes) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("    # Secrets do not belong here. They come from the environment:\n")
	for _, one := range schemes {
		fmt.Fprintf(&b, "    #   %s, for %s\n", scheme.Variable(one.Name), oneLine(one.Name))
	}
	fmt.Fprintf(&b, "    # and %s is used for each that takes a single secret and has none of its own.\n", options.KeyVariable)
	return b.String()
}

// yamlText returns a text as a scalar of hallmark.yaml, with $ escaped.
func yamlText(t string) string { return yamlWord(strings.ReplaceAll(t, "$", "$$")) }

// yamlWord returns a text as a YAML scalar.
func yamlWord(t string) string {
	if t != "" && strings.Trim(t, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./_-:") == "" && !strings.HasPrefix(t, "-") && !strings.HasSuffix(t, ":") {
		return t
	}
	return "'" + strings.ReplaceAll(t, "'", "''") + "'"
}

// oneLine puts a text on one line.
func oneLine(t string) string { return strings.Join(strings.Fields(t), " ") }
