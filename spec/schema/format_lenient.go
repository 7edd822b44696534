package schema

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lenient are the formats that bind values only if a rules file says so, with what their texts look like in the widest reading that is in
// use. A text that they refuse has the format by no standard. The formats regex (dialects differ), idn-email and idn-hostname (tables
// change) are not among them.
var lenient = map[string]func(string) bool{
	"email":                 isEmail,
	"hostname":              isHostname,
	"uri":                   isURI,
	"iri":                   isURI,
	"uri-reference":         isReference,
	"iri-reference":         isReference,
	"uri-template":          isTemplate,
	"time":                  isTime,
	"duration":              isISODuration,
	"json-pointer":          pointer.MatchString,
	"relative-json-pointer": relativePointer.MatchString,
}

var (
	// pointer is a JSON Pointer of RFC 6901.
	pointer = regexp.MustCompile(`^(/([^/~]|~[01])*)*$`)
	// relativePointer is one of draft-bhutton-relative-json-pointer.
	relativePointer = regexp.MustCompile(`^(0|[1-9][0-9]*)([+-](0|[1-9][0-9]*))?(#|(/([^/~]|~[01])*)*)$`)
	// scheme is the beginning of a URI (RFC 3986, section 3.1).
	scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	// ipLiteral is an address in brackets with its port (RFC 3986, section 3.2.2, with the zone of RFC 6874).
	ipLiteral = regexp.MustCompile(`^\[([0-9A-Fa-f:.]+(%.+)?|[vV][0-9A-Fa-f]+\..+)\](:[0-9]*)?$`)
	// quotedLocal is the quoted local part of an address (RFC 5321, section 4.1.2).
	quotedLocal = regexp.MustCompile(`^"(\\[^\x00-\x1f\x7f]|[^"\\\x00-\x1f\x7f])*"$`)
	// isoDuration is a duration of ISO 8601, which is wider than that of RFC 3339: it has fractions, signs, and weeks beside other units.
	isoDuration = regexp.MustCompile(`^[+-]?P([+-]?[0-9]+([.,][0-9]+)?[YMWD])*(T([+-]?[0-9]+([.,][0-9]+)?[HMS])+)?$`)
	// isoMoments is a duration of ISO 8601 in the form of a date and a time.
	isoMoments = regexp.MustCompile(`^P[0-9]{4}-?[0-9]{2}-?[0-9]{2}(T[0-9]{2}:?[0-9]{2}:?[0-9]{2})?$`)
)

// isURI reports whether a text is a URI, or an IRI: many services do not distinguish them.
func isURI(text string) bool { return scheme.MatchString(text) && isReference(text) }

// isReference reports whether a text is a URI reference or an IRI reference. Brackets, braces and the like, which URIs should encode and
// browsers do not, are permitted outside the authority.
func isReference(text string) bool {
	if strings.ContainsFunc(text, isDelimiter) || !isEncoded(text) {
		return false
	}
	rest, ok := strings.CutPrefix(text[len(scheme.FindString(text)):], "//")
	if !ok {
		return true
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	host := rest[strings.LastIndexByte(rest, '@')+1:]
	if strings.ContainsAny(host, "[]") {
		return ipLiteral.MatchString(host)
	}
	_, port, _ := strings.Cut(host, ":")
	port = port[strings.LastIndexByte(port, ':')+1:]
	return strings.Trim(port, "0123456789") == ""
}

// isDelimiter reports whether a character can be in no URI, IRI or template, as it delimits them in text.
func isDelimiter(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune("\"<>\\", r) }

// isEncoded reports whether each percent sign of a text begins an encoded byte.
func isEncoded(text string) bool {
	for i := range len(text) {
		if text[i] == '%' && (i+2 >= len(text) || !isHex(text[i+1]) || !isHex(text[i+2])) {
			return false
		}
	}
	return true
}

// isTemplate reports whether a text is a URI template (RFC 6570). Variables may have any names.
func isTemplate(text string) bool {
	for text != "" {
		i := strings.IndexAny(text, "{}")
		if i < 0 {
			i = len(text)
		}
		if literal := text[:i]; strings.ContainsFunc(literal, isDelimiter) || !isEncoded(literal) {
			return false
		}
		if text = text[i:]; text == "" {
			break
		}
		end := strings.IndexByte(text, '}')
		if end < 2 || strings.ContainsAny(text[1:end], "{ ") {
			return false
		}
		text = text[end+1:]
	}
	return true
}

// isHostname reports whether a text is a name of RFC 1123, or an internationalized one. It may end in a dot.
func isHostname(text string) bool {
	for label := range strings.SplitSeq(strings.TrimSuffix(text, "."), ".") {
		if n := utf8.RuneCountInString(label); n < 1 || n > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		if strings.ContainsFunc(label, func(r rune) bool {
			return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < utf8.RuneSelf || unicode.IsSpace(r))
		}) {
			return false
		}
	}
	return true
}

// isEmail reports whether a text is an address of RFC 5321 or of RFC 6531, or one that browsers take. Their lengths are not bounded.
func isEmail(text string) bool {
	at := strings.LastIndexByte(text, '@')
	if at < 1 {
		return false
	}
	local, domain := text[:at], text[at+1:]
	if !quotedLocal.MatchString(local) && strings.ContainsFunc(local, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`()<>[]:;@\,"`, r) }) {
		return false
	}
	if inside, ok := strings.CutPrefix(domain, "["); ok {
		inside, ok = strings.CutSuffix(inside, "]")
		return ok && inside != "" && !strings.ContainsFunc(inside, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`[\]`, r) })
	}
	return isHostname(domain)
}

// isTime reports whether a text is a full-time of RFC 3339, or one without an offset: so the format was defined first, and many services
// have local times.
func isTime(text string) bool {
	const day = "2016-12-31T"
	if isDateTime(day + text) {
		return true
	}
	const toSeconds = len("15:04:")
	if len(text) > toSeconds && strings.HasPrefix(text[toSeconds:], "60") { // a leap second of any zone
		text = text[:toSeconds] + "59" + text[toSeconds+2:]
	}
	return isDateTime(day + text + "Z")
}

// isISODuration reports whether a text is a duration of ISO 8601.
func isISODuration(text string) bool {
	return isoDuration.MatchString(text) && strings.ContainsAny(text, "0123456789") || isoMoments.MatchString(text)
}
