package bundle

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// scriptSays is how every script begins to say what it does.
const scriptSays = "# These are the requests as they were sent"

// Script returns a shell script that repeats the requests of a failure in order.
func Script(z *view.View, c verdict.Cause) string {
	base := z.Record.Target.BaseURL
	var lines strings.Builder
	cited := z.Replay(c.Lead)
	for i, line := range z.Record.Target.ScriptLines(cited, c.Lead) {
		if line == "" { // repeated by the preceding loop
			continue
		}
		lines.WriteString("\n# " + comment(cited[i]) + "\n" + elsewhere(line, base) + "\necho\n")
	}
	shell, runs := "#!/bin/sh\n", "sh"
	if record.NeedsBash(cited) {
		shell, runs = "#!/usr/bin/env bash\n", "bash"
	}
	given, needed := "", ""
	for _, name := range variables(lines.String()) {
		what := "a credential of the service"
		switch name {
		case "HALLMARK_API_KEY":
			what = "the API key of the service"
		case "HALLMARK_CREDENTIAL_NEW_PASSWORD":
			what = "a password of 20 characters for what is created"
		}
		given += name + "=... "
		needed += `: "${` + name + `:?is not set: it is ` + what + `}"` + "\n"
	}
	s := shell + `# ` + text.Visible(c.Rule) + `: ` + text.Visible(c.Message) + `
#
#   ` + given + runs + ` FILE [BASE_URL]
#
` + scriptSays + `, with the names of that run; before them those that create what they read, or what the
# run has removed since. What they create is new: where a request names the id of a resource that an earlier response showed, it
# names the id of the new response.
set -eu
` + needed
	if strings.Contains(lines.String(), `"$BASE_URL`) {
		s += "BASE_URL=${1:-" + text.AlwaysShellQuote(base) + "}\n"
	}
	if lines.Len() == 0 {
		return s + "\necho 'The record holds none of the requests.'\n"
	}
	return s + lines.String()
}

// variable is a placeholder for a secret, also in a header that the user gave.
var variable = regexp.MustCompile(`\$\{?#?(HALLMARK_(?:API_KEY|(?:CREDENTIAL|QUERY|HEADER)_[A-Z0-9_]+))|"\$\{([A-Z][A-Z0-9_]*)\}"`)

// variables returns the environment variables that shell commands use.
func variables(lines string) []string {
	var all []string
	for _, found := range variable.FindAllStringSubmatch(lines, -1) {
		all = append(all, cmp.Or(found[1], found[2]))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// comment describes an exchange on one line.
func comment(ex *spec.Exchange) string {
	s := view.ExchangeLine(ex)
	if ex.About != "" {
		s += " (case: " + text.Visible(ex.About) + ")"
	}
	return s
}

// elsewhere replaces the address at the end of a curl command by a variable.
func elsewhere(line, base string) string {
	if base == "" || strings.ContainsAny(base, `'"$\`+"`") {
		return line
	}
	if before, rest, double := cutLast(line, ` "`+base); double { // a secret is in the address
		return before + ` "$BASE_URL` + rest
	}
	i := strings.LastIndex(line, " '"+base)
	if i < 0 {
		return line
	}
	rest := line[i+len(" '"+base):]
	if rest == "'" {
		return line[:i] + ` "$BASE_URL"`
	}
	return line[:i] + ` "$BASE_URL"'` + rest
}

// cutLast cuts a text around the last of the separators in it.
func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}
