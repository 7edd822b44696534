package schema

import (
	"encoding/base64"
	"encoding/json"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// asserted are the formats that can be decided exactly, and so bind values.
var asserted = map[string]bool{
	"int32": true, "int64": true, "date": true, "date-time": true, "uuid": true, "byte": true, "ipv4": true, "ipv6": true,
}

// Asserts reports whether a format binds values: one that can be decided exactly always, the others of [Fits] and some more only if all is
// set, since standards and practice differ.
func Asserts(format string, all bool) bool { return asserted[format] || all && lenient[format] != nil }

// Fits reports whether a value has a format in every reading that is in use. It supports the asserted formats, and most of those that are
// asserted on request. known is false if the format is not supported, or applies to values of another type.
func Fits(format string, value any) (fits, known bool) {
	if number, ok := value.(json.Number); ok {
		if format == "int32" || format == "int64" {
			return holds(format, number), true
		}
		return false, false
	}
	text, ok := value.(string)
	if !ok {
		return false, false
	}
	if wide := lenient[format]; wide != nil && !wide(text) {
		return false, true
	}
	switch format {
	case "email":
		a, err := mail.ParseAddress(text)
		return err == nil && a.Address == text && isASCII(text), true
	case "uri", "iri":
		u, err := url.Parse(text)
		return err == nil && u.IsAbs() && !strings.ContainsAny(text, unencoded) && (format == "iri" || isASCII(text)), true
	case "uri-reference", "iri-reference":
		_, err := url.Parse(text)
		return err == nil && !strings.ContainsAny(text, unencoded) && (format == "iri-reference" || isASCII(text)), true
	case "hostname":
		return hostname.MatchString(text) && len(text) <= 253, true
	case "duration":
		return duration.MatchString(text) && strings.ContainsAny(text[len(text)-1:], "YMWDHS"), true
	case "time":
		return isDateTime("2016-12-31T" + text), true
	case "int32", "int64":
		return false, false
	}
	if !asserted[format] {
		return false, false
	}
	return holds(format, text), true
}

// unencoded are characters that URIs must encode, and that services and browsers often do not.
const unencoded = "{}|^`"

var (
	// hostname is a name of RFC 1123, section 2.1.
	hostname = regexp.MustCompile(`^(?i:[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.(?i:[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?))*$`)
	// duration is that of RFC 3339, appendix A, except for its end.
	duration = regexp.MustCompile(`^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$`)
)

// holds reports whether a value conforms to a format that binds values, see [Asserts]. A format for texts does not apply to numbers, and
// vice versa.
func holds(format string, value any) bool {
	number, isNumber := value.(json.Number)
	text, isText := value.(string)
	switch {
	case isNumber && format == "int32":
		return exactjson.FitsInt(number, 32)
	case isNumber && format == "int64":
		return exactjson.FitsInt(number, 64)
	case !isText:
		return true
	}
	switch format {
	case "date":
		return isDate(text)
	case "date-time":
		return isDateTime(text)
	case "uuid":
		return isUUID(text)
	case "byte":
		return isBase64(text)
	case "ipv4":
		a, err := netip.ParseAddr(text)
		return err == nil && a.Is4()
	case "ipv6":
		a, err := netip.ParseAddr(text)
		return err == nil && a.Is6() && a.Zone() == ""
	}
	if has, ok := lenient[format]; ok {
		return has(text)
	}
	return true
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// isDate reports whether a text is a full-date of RFC 3339.
func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil && len(text) == len(time.DateOnly)
}

// isDateTime reports whether a text is a date-time of RFC 3339. time.Parse does not support leap seconds, and
// accepts a comma as the decimal point.
func isDateTime(text string) bool {
	text = strings.ToUpper(text)
	const toSeconds = len("2006-01-02T15:04:05")
	if len(text) <= toSeconds || text[10] != 'T' || strings.Contains(text, ",") {
		return false
	}
	leap := text[toSeconds-2:toSeconds] == "60"
	if leap {
		text = text[:toSeconds-2] + "59" + text[toSeconds:]
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || !validOffset(text[toSeconds:]) {
		return false
	}
	t = t.UTC()
	return !leap || t.Hour() == 23 && t.Minute() == 59
}

// validOffset reports whether the text after the seconds ends in Z or an offset of at most 23:59.
func validOffset(rest string) bool {
	if strings.HasSuffix(rest, "Z") {
		return true
	}
	i := strings.LastIndexAny(rest, "+-")
	if i < 0 || len(rest)-i != len("+00:00") {
		return false
	}
	return rest[i+1:i+3] <= "23" && rest[i+4:] <= "59"
}

// isUUID reports whether a text is a UUID of RFC 9562, of any version.
func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
			continue
		}
		if !isHex(c) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// isBase64 reports whether a text is base64 in either alphabet of RFC 4648, with padding or without. Line breaks are passed
// over, as by most decoders.
func isBase64(text string) bool {
	text = strings.Map(func(r rune) rune {
		switch r {
		case '\r', '\n':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, text)
	if strings.HasSuffix(text, "=") {
		_, err := base64.StdEncoding.DecodeString(text)
		return err == nil
	}
	_, err := base64.RawStdEncoding.DecodeString(text)
	return err == nil
}
