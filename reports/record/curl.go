package record

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Curl returns the shell command that repeats an exchange's request over the same connection: certificates, proxy, headers. The key was
// masked before; the command reads it from where the run did, for example $HALLMARK_API_KEY. It runs in any POSIX shell, unless the request
// has invisible characters: those are written as $'…', which bash and zsh understand. Files have the names that they had when the run
// started.
func (t Target) Curl(ex spec.Exchange) string {
	req := ex.Request
	words := append([]string{"curl", "-sS"}, t.curlWords()...)
	if strings.ContainsAny(req.URL, "[]{}") {
		words = append(words, "-g") // curl would take them for a range of URLs
	}
	if strings.Contains(req.URL, "/./") || strings.Contains(req.URL, "/../") || strings.HasSuffix(req.URL, "/..") || strings.HasSuffix(req.URL, "/.") {
		words = append(words, "--path-as-is")
	}
	hasBody := req.Body != nil
	switch {
	case req.Method == "HEAD" && !hasBody:
		words = append(words, "--head")
	case req.Method == "" || req.Method == "GET" && !hasBody || req.Method == "POST" && hasBody:
		// curl's own choice
	default:
		words = append(words, "-X", text.ShellQuote(req.Method))
	}
	words = append(words, t.curlHeaders(ex)...)
	pipe := ""
	if hasBody {
		body := string(req.Body)
		switch {
		case strings.IndexByte(body, 0) >= 0:
			// No command-line argument can contain a NUL.
			pipe = "printf " + printfQuote(body) + " | "
			words = append(words, "--data-binary", "@-")
		case strings.HasPrefix(body, "@"):
			// --data-binary would read a file with that name.
			words = append(words, "--data-raw", text.AlwaysShellQuote(body))
		default:
			words = append(words, "--data-binary", t.curlValue(body))
		}
	}
	line := pipe + strings.Join(append(words, t.curlValue(req.URL)), " ")
	if name, before := t.keyName(); strings.Contains(line, "$"+name) || strings.Contains(line, "${"+name) {
		return before + line
	}
	return line
}

// curlHeaders returns the -H options: the credential first, then the others by name.
func (t Target) curlHeaders(ex spec.Exchange) []string {
	req := ex.Request
	names := make([]string, 0, len(req.Header))
	typed := false
	for name := range req.Header {
		if ex.Correlation != "" && req.Header.Get(name) == ex.Correlation {
			continue // it identified that exchange only
		}
		if strings.EqualFold(name, "Content-Type") {
			typed = true
		}
		if _, own := t.header(name, strings.Join(req.Header[name], "")); own || !leftToCurl(name) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(x, y string) int {
		if (x == "Authorization") != (y == "Authorization") {
			if x == "Authorization" {
				return -1
			}
			return 1
		}
		return strings.Compare(x, y)
	})
	var words []string
	for _, name := range names {
		for _, value := range req.Header[name] {
			own, isOwn := t.header(name, value)
			switch {
			case isOwn && own.Secret:
				words = append(words, "-H", variableQuote(name+": "+value))
			case name == "Accept-Encoding":
				// With --compressed, curl decodes the response.
				if len(words) == 0 || words[len(words)-1] != "--compressed" {
					words = append(words, "--compressed")
				}
			case value == "":
				words = append(words, "-H", text.AlwaysShellQuote(name+";"))
			default:
				words = append(words, "-H", t.curlValue(name+": "+value))
			}
		}
	}
	if req.Body != nil && !typed {
		// curl would add a Content-Type of its own.
		words = append(words, "-H", "'Content-Type:'")
	}
	return words
}

// leftToCurl reports whether curl itself sets a header correctly for the repeated request.
func leftToCurl(name string) bool {
	switch name {
	case "Content-Length", "Host", "Connection", "User-Agent", "Transfer-Encoding":
		return true
	}
	return false
}

func (w Connection) curlValue(s string) string {
	if holdsKey(s) {
		name, _ := w.keyName()
		return keyQuote(s, name)
	}
	return text.AlwaysShellQuote(s)
}

// printfQuote returns bytes as a single-quoted format of printf(1).
func printfQuote(s string) string {
	var out strings.Builder
	out.WriteByte('\'')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\'':
			out.WriteString(`'\''`)
		case r == '%':
			out.WriteString("%%")
		case r == '\\':
			out.WriteString(`\\`)
		case r == utf8.RuneError && size == 1, !unicode.IsPrint(r):
			for _, c := range []byte(s[i : i+size]) {
				fmt.Fprintf(&out, `\%03o`, c)
			}
		default:
			out.WriteRune(r)
		}
		i += size
	}
	out.WriteByte('\'')
	return out.String()
}
