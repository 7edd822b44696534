package record

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// keyVariable stands for the key in exchanges.
const keyVariable = "HALLMARK_API_KEY"

// credentialCommand matches the commands that may be part of a value, with the secrets of security schemes in variables: Basic credentials,
// a URL-encoded key, and a reversed token. Nothing else that looks like a command is accepted.
var credentialCommand = sync.OnceValue(func() *regexp.Regexp {
	const (
		name  = `HALLMARK_(?:API_KEY|(?:CREDENTIAL|QUERY)_[A-Z0-9_]+)`
		part  = `\$` + name + `|\$\{` + name + `[A-Za-z0-9%#?*^,~:/._+-]*\}`
		turn  = `\$\(rev <<<\$` + name + `\)`
		swap  = `\$\(printf %s "\$\{` + name + `#\*:\}" \| tr a-zA-Z A-Za-z\)`
		basic = `\$\(printf (?:%s:|:%s) "\$` + name + `" \| base64 -w0\)`
	)
	return regexp.MustCompile(`^(?:` + turn + `|` + basic +
		`|\$\(printf %s "(?:` + part + `|` + turn + `|` + swap + `|[A-Za-z0-9:._-])*" \| (?:base64 -w0|jq -sRr @uri)\))`)
})

// credentialName matches the variable of a security scheme's secret, after the dollar sign and an optional brace.
var credentialName = regexp.MustCompile(`^\$\{?(HALLMARK_(?:CREDENTIAL|QUERY)_[A-Z0-9_]+)`)

// keyQuote quotes a value that contains the key as $HALLMARK_API_KEY or ${HALLMARK_API_KEY…}: in double quotes, so that the shell expands
// the variable, with everything else protected from expansion.
func keyQuote(s, name string) string {
	var out strings.Builder
	inside := false // of double quotes
	enter := func(want bool) {
		if inside != want {
			out.WriteByte('"')
			inside = want
		}
	}
	for s != "" {
		if expr, rest, ok := keyExpression(s); ok {
			enter(true)
			out.WriteString(strings.ReplaceAll(expr, keyVariable, name))
			s = rest
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '!' || !text.IsVisible(s[:size]):
			// An interactive shell would expand "!" from its history, even in double quotes.
			enter(false)
			out.WriteString(text.AlwaysShellQuote(s[:size]))
		case strings.ContainsRune("\\\"$`", r):
			enter(true)
			out.WriteByte('\\')
			out.WriteRune(r)
		default:
			enter(true)
			out.WriteRune(r)
		}
		s = s[size:]
	}
	enter(false)
	return out.String()
}

// holdsKey reports whether a value contains the key.
func holdsKey(s string) bool {
	for _, name := range []string{keyVariable, "HALLMARK_CREDENTIAL_", "HALLMARK_QUERY_"} {
		if strings.Contains(s, "$"+name) || strings.Contains(s, "${"+name) {
			return true
		}
	}
	return false
}

// keyExpression splits the expression of a key from the start of a text: $HALLMARK_API_KEY, or ${HALLMARK_API_KEY…} with a shell operator.
// Anything that could run a command or expand something else is not accepted.
func keyExpression(s string) (expr, rest string, ok bool) {
	if s[0] != '$' {
		return "", s, false
	}
	if command := credentialCommand().FindString(s); command != "" {
		return command, s[len(command):], true
	}
	variable := keyVariable
	if name := credentialName.FindStringSubmatch(s); name != nil {
		variable = name[1]
	}
	if after, found := strings.CutPrefix(s, "$"+variable); found {
		if after != "" && isNameByte(after[0]) {
			// Before a letter, the shell would read a longer name.
			return "${" + variable + "}", after, true
		}
		return "$" + variable, after, true
	}
	after, found := strings.CutPrefix(s, "${"+variable)
	if !found {
		return "", s, false
	}
	operator, rest, closed := strings.Cut(after, "}")
	if !closed || operator != "" && isNameByte(operator[0]) || strings.Trim(operator, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%#?*^,~:/._-+") != "" {
		return "", s, false
	}
	return "${" + variable + operator + "}", rest, true
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
