package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ShellQuote returns s as one shell word: unchanged if it contains no special characters, otherwise as [AlwaysShellQuote] returns it.
func ShellQuote(s string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:@%+=,-"
	if s != "" && strings.Trim(s, safe) == "" {
		return s
	}
	return AlwaysShellQuote(s)
}

// AlwaysShellQuote returns s as one shell word in single quotes or, if it has invisible characters, as $'…' of bash, zsh and POSIX 2024.
func AlwaysShellQuote(s string) string {
	if IsVisible(s) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var out strings.Builder
	out.WriteString("$'")
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\'' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\r':
			out.WriteString(`\r`)
		case r == '\t':
			out.WriteString(`\t`)
		case r == utf8.RuneError && size == 1, !unicode.IsPrint(r):
			// Byte by byte: \u… would depend on the shell's locale.
			for _, c := range []byte(s[i : i+size]) {
				fmt.Fprintf(&out, `\x%02x`, c)
			}
		default:
			out.WriteRune(r)
		}
		i += size
	}
	out.WriteByte('\'')
	return out.String()
}
