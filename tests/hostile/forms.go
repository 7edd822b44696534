package hostile

import (
	"encoding/base64"
	"encoding/binary"
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
	"unicode"
	"unicode/utf16"
)

// Forms returns all forms in which a response may contain a secret, by name.
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
		"in hex": hex.EncodeToString([]byte(secret)), "as a string of C": every(`\x%02x`), "as a string of C, octal": every(`\%03o`),
		"as a string of C, here and there": some(`\%03o`), "as a string of C, in JSON": every(`\\%03o`),
		"in HTML, without semicolons": every("&#%d"), "in HTML, by hex without semicolons": every("&#x%x"),
		"in HTML without semicolons, in JSON": strings.ReplaceAll(every("&#%d"), "&", `\u0026`),
	}
	maps.Copy(plain, wide(secret))
	maps.Copy(plain, separated(secret))
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
	maps.Copy(all, broken(secret))
	return all
}

// wide returns the forms in UTF-16, as bytes and as JSON encodes them.
func wide(secret string) map[string]string {
	var little, big, escaped strings.Builder
	for _, unit := range utf16.Encode([]rune(secret)) {
		little.Write(binary.LittleEndian.AppendUint16(nil, unit))
		big.Write(binary.BigEndian.AppendUint16(nil, unit))
		escaped.WriteString(inJSON(string(rune(unit))) + `\u0000`)
	}
	return map[string]string{
		"in UTF-16, little end first": little.String(), "in UTF-16, big end first": big.String(),
		"in UTF-16, with a mark": "\xff\xfe" + little.String(), "in UTF-16, big end and a mark first": "\xfe\xff" + big.String(),
		"in UTF-16, in JSON": escaped.String(), "in UTF-16, in a URL": url.QueryEscape(little.String()),
	}
}

// separators are invisible characters between those of a text.
const separators = "\u200b\u200c\u200d\u2060\ufeff\u00ad"

// separated returns the forms with separators in them, raw and escaped.
func separated(secret string) map[string]string {
	out := map[string]string{}
	for _, r := range separators {
		for name, as := range map[string]struct {
			text   string
			escape func(string) string
		}{
			"as it is": {string(r), strings.Clone}, "in JSON": {fmt.Sprintf(`\u%04x`, r), inJSON}, "in a URL": {url.QueryEscape(string(r)), url.QueryEscape},
			"in HTML": {fmt.Sprintf("&#%d;", r), html.EscapeString}, "in HTML, by hex": {fmt.Sprintf("&#x%X;", r), html.EscapeString},
		} {
			out[fmt.Sprintf("with U+%04X between its characters, %s", r, name)] = between(secret, as.text, as.escape)
		}
	}
	out["with soft hyphens of HTML between its characters"] = between(secret, "&shy;", html.EscapeString)
	return out
}

// between returns a text with another one between its characters, which are escaped one by one.
func between(secret, text string, escape func(string) string) string {
	chars := strings.Split(secret, "")
	for i := range chars {
		chars[i] = escape(chars[i])
	}
	return strings.Join(chars, text)
}

// broken returns the forms in base64 with lines of 76 characters, broken at different places of the secret.
func broken(secret string) map[string]string {
	const perLine = 57 // bytes
	out := map[string]string{}
	for name, end := range map[string]string{"CRLF": "\r\n", "LF": "\n", "CRLF in JSON": `\r\n`, "LF in JSON": `\n`} {
		for _, inFirst := range []int{1, 2, 3, 4, len(secret) / 2, len(secret) - 2} {
			text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", perLine-inFirst) + secret + " and more"))
			var lines []string
			for ; len(text) > 76; text = text[76:] {
				lines = append(lines, text[:76])
			}
			out[fmt.Sprintf("in base64, broken by %s behind %d bytes", name, inFirst)] = strings.Join(append(lines, text), end)
		}
	}
	return out
}

// FormsInOrder returns the forms sorted by name.
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
	inOctal   = regexp.MustCompile(`\\+[0-3][0-7]{2}`)
	anyUnit   = regexp.MustCompile(`\\+u([0-9a-fA-F]{4})`)
	lineBreak = regexp.MustCompile(`\\+[rn]`)
)

// unescaped undoes what anybody could undo: escapes of JSON, URLs, HTML and C, even repeated ones.
func unescaped(text string) string {
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
		text = inOctal.ReplaceAllStringFunc(text, func(found string) string {
			n, err := strconv.ParseUint(found[len(found)-3:], 8, 8)
			if err != nil {
				return found
			}
			return string([]byte{byte(n)})
		})
		text = anyUnit.ReplaceAllStringFunc(text, func(found string) string {
			n, err := strconv.ParseUint(found[len(found)-4:], 16, 16)
			if err != nil {
				return found
			}
			return string(rune(n))
		})
	}
	return strings.NewReplacer(`\/`, "/", `\"`, `"`).Replace(text)
}

// joined returns a text without what may separate the characters of a secret.
func joined(text string) string {
	return strings.Map(func(r rune) rune {
		if r == 0 || r == '\r' || r == '\n' || r > unicode.MaxASCII && strings.ContainsRune(separators, r) {
			return -1
		}
		return r
	}, text)
}

// Told finds a text that reveals one of some secrets, in either case: literal, escaped in any way, in hex or in base64. around is the text
// around it.
func Told(text string, secrets ...string) (around string, found bool) {
	var needles []string
	for _, secret := range secrets {
		needles = append(needles, secret, hex.EncodeToString([]byte(secret)))
		for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for before := range 3 {
				coded := alphabet.EncodeToString(append(make([]byte, before), secret...))
				needles = append(needles, coded[(before*8+5)/6:len(coded)-1])
			}
		}
	}
	plain := unescaped(text)
	for _, where := range []string{text, plain, joined(lineBreak.ReplaceAllString(text, "")), joined(lineBreak.ReplaceAllString(plain, ""))} {
		folded := strings.ToLower(where)
		for _, needle := range needles {
			if i := strings.Index(folded, strings.ToLower(needle)); i >= 0 {
				return folded[max(0, i-80):min(len(folded), i+len(needle)+40)], true
			}
		}
	}
	return "", false
}
