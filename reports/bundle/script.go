package bundle

import (
	"strings"

	"hallmark/internal/text"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/reports/view"
	"hallmark/spec"
)

// script repeats the requests of a failure, in their order.
func (z *archive) script(c verdict.Cause) string {
	base := z.Record.Target.BaseURL
	var lines strings.Builder
	cited := z.Cited(c.Lead)
	for i, line := range z.Record.Target.ScriptLines(cited) {
		lines.WriteString("\n# " + comment(cited[i]) + "\n" + elsewhere(line, base) + "\necho\n")
	}
	shell := "#!/bin/sh\n"
	if record.NeedsBash(cited) {
		shell = "#!/usr/bin/env bash\n"
	}
	s := shell + `# ` + text.Visible(c.Rule) + `: ` + text.Visible(c.Message) + `
#
#   HALLMARK_API_KEY=... ./replay.sh [BASE_URL]
#
# These are the requests as they were sent, with the names of that run. What they create is new: where a request names
# the id of a resource that an earlier response showed, it names the id of the new response.
set -eu
: "${HALLMARK_API_KEY:?is not set: it is the API key of the service}"
`
	if strings.Contains(lines.String(), `"$BASE_URL"`) {
		s += "BASE_URL=${1:-" + text.AlwaysShellQuote(base) + "}\n"
	}
	if lines.Len() == 0 {
		return s + "\necho 'The record holds none of the requests.'\n"
	}
	return s + lines.String()
}

// comment says what an exchange was, in one line.
func comment(ex *spec.Exchange) string {
	s := view.ExchangeLine(ex)
	if ex.About != "" {
		s += ", " + text.Visible(ex.About)
	}
	return s
}

// elsewhere puts a variable in the place of the address that a curl line ends with.
func elsewhere(line, base string) string {
	i := strings.LastIndex(line, " '"+base)
	if base == "" || strings.ContainsAny(base, `'"$\`+"`") || i < 0 {
		return line
	}
	rest := line[i+len(" '"+base):]
	if rest == "'" {
		return line[:i] + ` "$BASE_URL"`
	}
	return line[:i] + ` "$BASE_URL"'` + rest
}
