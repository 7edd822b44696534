package wire

import (
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Media is a media type or a range of media types (RFC 9110, sections 8.3.1 and 12.5.1).
type Media struct {
	// Type and Subtype are in lower case; either may be "*", and the subtype of a range may be "*+json".
	Type, Subtype string
	// Params has names in lower case and unquoted values.
	Params map[string]string
}

// ParseMedia parses a media type or range, with its parameters.
func ParseMedia(s string) (Media, error) {
	malformed := func(why string) (Media, error) {
		return Media{}, &Error{Reason: Malformed, Text: text.Quote(s) + " is not a media type: " + why}
	}
	full, rest, _ := strings.Cut(s, ";")
	typ, subtype, ok := strings.Cut(strings.ToLower(strings.Trim(full, " \t")), "/")
	switch {
	case !ok:
		return malformed("it has no slash")
	case !isToken(typ) || !isToken(subtype):
		return malformed("its type or subtype is not a token")
	}
	m := Media{Type: typ, Subtype: subtype}
	for rest = strings.TrimLeft(rest, " \t;"); rest != ""; rest = strings.TrimLeft(rest, " \t;") {
		name, after, ok := strings.Cut(rest, "=")
		name = strings.ToLower(strings.Trim(name, " \t"))
		if !ok || !isToken(name) {
			return malformed("a parameter lacks a name or a value")
		}
		value, after, ok := parameterValue(strings.TrimLeft(after, " \t"))
		if !ok {
			return malformed("the value of its parameter " + name + " is malformed")
		}
		if m.Params == nil {
			m.Params = map[string]string{}
		}
		if _, twice := m.Params[name]; !twice {
			m.Params[name] = value
		}
		rest = after
	}
	return m, nil
}

// parameterValue returns the token or quoted string at the beginning of s, and what follows the next semicolon.
func parameterValue(s string) (value, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ";")
		value = strings.TrimRight(value, " \t")
		return value, rest, value != "" && !strings.ContainsAny(value, " \t\"")
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			rest = strings.TrimLeft(s[i+1:], " \t")
			return b.String(), rest, rest == "" || rest[0] == ';'
		case '\\':
			if i++; i == len(s) {
				return "", "", false
			}
		}
		b.WriteByte(s[i])
	}
	return "", "", false
}

// String returns the media type with its parameters, sorted.
func (m Media) String() string {
	var b strings.Builder
	b.WriteString(m.Type + "/" + m.Subtype)
	for _, name := range slices.Sorted(maps.Keys(m.Params)) {
		value := m.Params[name]
		if !isToken(value) {
			value = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
		}
		b.WriteString("; " + name + "=" + value)
	}
	return b.String()
}

// IsRange reports whether m is a range.
func (m Media) IsRange() bool { return m.Type == "*" || strings.HasPrefix(m.Subtype, "*") }

// Match is how closely a media type matches a documented one; greater is closer.
type Match int

const (
	// NoMatch means that it does not match.
	NoMatch Match = iota
	// AnyType means that */* matches.
	AnyType
	// AnySubtype means that a range such as text/* matches.
	AnySubtype
	// AnySuffix means that a range such as application/*+json matches.
	AnySuffix
	// SameType means that type and subtype match, but one of the two has a parameter that the other lacks.
	SameType
	// SameParams means that everything matches.
	SameParams
)

// match returns how closely actual matches m. It ignores charset, and parameters differ only if both have them.
func (m Media) match(actual Media) Match {
	suffix, isSuffix := strings.CutPrefix(m.Subtype, "*+")
	switch {
	case m.Type != "*" && m.Type != actual.Type:
		return NoMatch
	case m.Subtype == "*":
	case isSuffix && strings.HasSuffix(actual.Subtype, "+"+suffix):
	case m.Subtype != actual.Subtype:
		return NoMatch
	}
	same := true
	for _, pair := range [2][2]map[string]string{{m.Params, actual.Params}, {actual.Params, m.Params}} {
		for name, value := range pair[0] {
			other, both := pair[1][name]
			switch {
			case name == "charset" || name == "q" || name == "boundary":
			case both && !strings.EqualFold(value, other):
				return NoMatch
			case !both:
				same = false
			}
		}
	}
	switch {
	case m.Type == "*" && m.Subtype == "*":
		return AnyType
	case m.Subtype == "*":
		return AnySubtype
	case m.IsRange():
		return AnySuffix
	case same:
		return SameParams
	}
	return SameType
}

// Best returns the index of the documented media type or range that matches a Content-Type most closely, the first
// of equal ones, or -1 if none does. A documented text that is no media type matches only itself.
func Best(documented []string, contentType string) int {
	best, match := -1, NoMatch
	actual, actualErr := ParseMedia(contentType)
	for i, text := range documented {
		m, err := ParseMedia(text)
		fits := NoMatch
		switch {
		case err == nil && actualErr == nil:
			fits = m.match(actual)
		case strings.EqualFold(strings.TrimSpace(text), strings.TrimSpace(contentType)):
			fits = SameParams
		}
		if fits > match {
			best, match = i, fits
		}
	}
	return best
}

// MediaKind is how content of a media type is serialized and parsed.
type MediaKind int

const (
	// KindBinary is opaque content: octet streams, images, and all unknown types.
	KindBinary MediaKind = iota
	// KindJSON is application/json, text/json, and every subtype that ends in +json.
	KindJSON
	// KindForm is application/x-www-form-urlencoded.
	KindForm
	// KindMultipart is multipart/form-data and every other multipart type.
	KindMultipart
	// KindText is text of any other subtype.
	KindText
	// KindLines is one JSON text per line (NDJSON, JSON lines).
	KindLines
	// KindSequence is a JSON text sequence (RFC 7464).
	KindSequence
	// KindEvents is text/event-stream.
	KindEvents
	// KindXML is XML, according to the xml keywords of the schema.
	KindXML
	// KindYAML is YAML, which is written as its subset JSON.
	KindYAML
	// KindForeign is a format that hallmark does not support, such as CBOR and Protocol Buffers.
	KindForeign
)

var kinds = map[string]MediaKind{
	"application/json":                  KindJSON,
	"text/json":                         KindJSON,
	"application/x-json":                KindJSON,
	"application/x-www-form-urlencoded": KindForm,
	"application/x-ndjson":              KindLines,
	"application/ndjson":                KindLines,
	"application/jsonl":                 KindLines,
	"application/x-jsonl":               KindLines,
	"application/jsonlines":             KindLines,
	"application/x-jsonlines":           KindLines,
	"application/json-lines":            KindLines,
	"text/jsonl":                        KindLines,
	"application/stream+json":           KindLines, // Spring's name for NDJSON
	"application/json-seq":              KindSequence,
	"text/event-stream":                 KindEvents,
	"application/xml":                   KindXML,
	"text/xml":                          KindXML,
	"application/yaml":                  KindYAML,
	"application/x-yaml":                KindYAML,
	"text/yaml":                         KindYAML,
	"text/x-yaml":                       KindYAML,
}

var suffixes = map[string]MediaKind{"json": KindJSON, "json-seq": KindSequence, "xml": KindXML, "yaml": KindYAML}

// foreignFormats are parts of subtypes of KindForeign: application/vnd.kubernetes.protobuf.
var foreignFormats = []string{"yaml", "cbor", "msgpack", "protobuf"}

// KindOf returns how content of a media type is serialized and parsed. For a range it is KindBinary, except for
// application/*+json.
func KindOf(media string) MediaKind {
	if kind, plain := kinds[media]; plain {
		return kind
	}
	m, err := ParseMedia(media)
	if err != nil {
		return KindBinary
	}
	return m.kind()
}

// Reads reports whether content of a media type can be parsed as a value that has one of some types of JSON Schema; none are any.
// JSON in a text is read, too, but a text that holds a table is not.
func Reads(m Media, types []string) bool {
	switch m.kind() {
	case KindBinary, KindForeign:
		return false
	case KindMultipart:
		return m.Subtype == "form-data"
	case KindJSON, KindForm, KindLines, KindSequence, KindEvents, KindXML, KindYAML:
		return true
	case KindText:
		return m.Subtype == "plain" || len(types) == 0 || slices.ContainsFunc(types, func(name string) bool { return name != "array" && name != "object" })
	}
	return true
}

// kind returns how content of the media type is serialized and parsed.
func (m Media) kind() MediaKind {
	if kind, ok := kinds[m.Type+"/"+m.Subtype]; ok {
		return kind
	}
	if i := strings.LastIndexByte(m.Subtype, '+'); i >= 0 {
		if kind, ok := suffixes[m.Subtype[i+1:]]; ok {
			return kind
		}
	}
	switch {
	case slices.ContainsFunc(foreignFormats, func(name string) bool { return strings.Contains(m.Subtype, name) }):
		return KindForeign
	case m.Type == "multipart":
		return KindMultipart
	case m.Type == "text" && m.Subtype != "*":
		return KindText
	}
	return KindBinary
}
