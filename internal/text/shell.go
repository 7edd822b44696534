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

// ShellWords returns the words of a command line that consists of plain words and of words quoted by [ShellQuote]. ok is false if the line has
// anything else, such as a variable.
func ShellWords(line string) (words []string, ok bool) {
	var word strings.Builder
	begun := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ':
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		case c == '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return nil, false
			}
			word.WriteString(line[i+1 : i+1+end])
			i, begun = i+1+end, true
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
			begun = true
		case strings.IndexByte("$`\"\\;&|<>()\n", c) >= 0:
			return nil, false
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, true
}
