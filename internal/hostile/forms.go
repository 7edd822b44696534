package hostile

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Forms are all the ways in which an answer may hold a secret, by their names.
func Forms(secret string) map[string]string {
	escape := func(write func(i int, c byte) string) string {
		var b strings.Builder
		for i := range len(secret) {
			b.WriteString(write(i, secret[i]))
		}
		return b.String()
	}
	some := func(format string) string {
		return escape(func(i int, c byte) string {
			if i%3 == 1 || c == '\\' || c == '"' || c == '%' {
				return fmt.Sprintf(format, c)
			}
			return string(c)
		})
	}
	every := func(format string) string {
		return escape(func(_ int, c byte) string { return fmt.Sprintf(format, c) })
	}
	inJSON, _ := json.Marshal(secret)
	plain := map[string]string{
		"as it is": secret, "in JSON": strings.Trim(string(inJSON), `"`), "in JSON, unsafe": strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(secret),
		"in JSON, escaped": every(`\u%04x`), "in JSON, here and there": some(`\u%04X`),
		"in a query": url.QueryEscape(secret), "in a path": url.PathEscape(secret), "in a URL": every("%%%02X"), "in a URL, here and there": some("%%%02x"),
		"in HTML": html.EscapeString(secret), "in HTML, by numbers": every("&#%d;"), "in HTML, here and there": some("&#x%x;"),
		"in HTML, in JSON": strings.ReplaceAll(every("&#%d;"), "&", `\u0026`), "in a URL, in JSON": strings.ReplaceAll(every("%%%02x"), "%", `\u0025`),
		"in HTML, in a URL": url.QueryEscape(every("&#x%x;")), "in JSON, in a URL": url.QueryEscape(every(`\u%04x`)),
		"in hex": hex.EncodeToString([]byte(secret)), "as a string of C": every(`\x%02x`),
	}
	all := maps.Clone(plain)
	for name, form := range plain {
		all[name+", upper case"], all[name+", lower case"] = strings.ToUpper(form), strings.ToLower(form)
	}
	for name, alphabet := range map[string]*base64.Encoding{"base64": base64.StdEncoding, "base64 of URLs": base64.URLEncoding, "base64 without padding": base64.RawStdEncoding} {
		for _, before := range []string{"", "x", "xy", "Bearer ", "user:"} {
			for _, after := range []string{"", ".", "..", "\n"} {
				all[fmt.Sprintf("in %s, after %q, before %q", name, before, after)] = alphabet.EncodeToString([]byte(before + secret + after))
			}
		}
	}
	return all
}

// FormsInOrder are the forms in the order of their names.
func FormsInOrder(secret string) []string {
	all := Forms(secret)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[name])
	}
	return out
}

var (
	inUnits   = regexp.MustCompile(`\\+u00([0-9a-fA-F]{2})`)
	inPercent = regexp.MustCompile(`%([0-9a-fA-F]{2})`)
	inC       = regexp.MustCompile(`\\+x([0-9a-fA-F]{2})`)
)

// Unescaped turns back whatever anybody could: escapes of JSON, URLs, HTML and C, also those that were escaped again.
func Unescaped(text string) string {
	turn := func(in *regexp.Regexp, text string) string {
		return in.ReplaceAllStringFunc(text, func(found string) string {
			n, err := strconv.ParseUint(found[len(found)-2:], 16, 8)
			if err != nil {
				return found
			}
			return string([]byte{byte(n)})
		})
	}
	for range 3 {
		text = html.UnescapeString(turn(inC, turn(inPercent, turn(inUnits, text))))
	}
	return strings.NewReplacer(`\/`, "/", `\"`, `"`).Replace(text)
}

// Told finds a text by which somebody could tell the secret, in either case: itself, however it is escaped, in hex or in
// base64. It gives what stands around it.
func Told(text, secret string) (around string, found bool) {
	needles := []string{secret, hex.EncodeToString([]byte(secret))}
	for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			coded := alphabet.EncodeToString(append(make([]byte, before), secret...))
			needles = append(needles, coded[(before*8+5)/6:len(coded)-1])
		}
	}
	for _, where := range []string{text, Unescaped(text)} {
		folded := strings.ToLower(where)
		for _, needle := range needles {
			if i := strings.Index(folded, strings.ToLower(needle)); i >= 0 {
				return folded[max(0, i-80):min(len(folded), i+len(needle)+40)], true
			}
		}
	}
	return "", false
}
