package bundle

import (
	"strings"

	"hallmark/reports/prose"
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
	text := shell + `# ` + prose.Visible(c.Rule) + `: ` + prose.Visible(c.Message) + `
#
#   HALLMARK_API_KEY=... ./replay.sh [BASE_URL]
#
# These are the requests as they were sent, with the names of that run. What they create is new: where a request names
# the id of a resource that an earlier response showed, it names the id of the new response.
set -eu
: "${HALLMARK_API_KEY:?is not set: it is the API key of the service}"
`
	if strings.Contains(lines.String(), `"$BASE_URL"`) {
		text += "BASE_URL=${1:-" + quoted(base) + "}\n"
	}
	if lines.Len() == 0 {
		return text + "\necho 'The record holds none of the requests.'\n"
	}
	return text + lines.String()
}

// comment says what an exchange was, in one line.
func comment(ex *spec.Exchange) string {
	text := view.ExchangeLine(ex)
	if ex.About != "" {
		text += ", " + prose.Visible(ex.About)
	}
	return text
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

// quoted is a text as one word of sh.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
