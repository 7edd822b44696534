package wire

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// ParseBody parses a body by its Content-Type. JSON lines and sequences become arrays, binary content a string of
// its bytes; use Items for an event stream. If the media type is text or unknown, but the schema allows no text,
// the body is parsed if it is JSON; otherwise the error has the reason Unsupported, since it cannot be judged.
func ParseBody(contentType string, data []byte, o BodyOptions) (Reading, error) {
	return parseBody(contentType, data, o, strict)
}

func parseBody(contentType string, data []byte, o BodyOptions, how manner) (Reading, error) {
	m, err := ParseMedia(contentType)
	if err != nil {
		return Reading{}, err
	}
	switch m.kind() {
	case KindJSON:
		decoded, err := exactjson.Decode(data)
		if err != nil {
			return Reading{}, jsonError(err)
		}
		return Reading{Present: true, Values: []any{decoded.Tree}}, nil
	case KindForm:
		return parseForm(data, o, how)
	case KindMultipart:
		if m.Subtype != "form-data" || o.Hint != nil && len(o.Hint.Types) > 0 && !o.Hint.admits("object") {
			return Reading{}, unsupported(m) // whether the parts of another value have names is not defined
		}
		return parseMultipart(contentType, data, o, how)
	case KindYAML:
		return parseYAML(m, data)
	case KindXML:
		return parseXML(m, data, o, how)
	case KindText:
		text, err := decodeText(m, data)
		if err != nil {
			return Reading{}, err
		}
		if !o.Hint.scalar() {
			return structured(m, data)
		}
		return Reading{Present: true, Values: scalars(text, o.Hint, how)}, nil
	case KindBinary:
		if !o.Hint.text() {
			return structured(m, data)
		}
		text := string(data)
		if how == lenient {
			text = fileText(contentType, data)
		}
		return Reading{Present: true, Values: []any{text}}, nil
	case KindLines, KindSequence:
		all := []any{}
		err := Items(contentType, strings.NewReader(string(data)), len(data), func(item Item) error {
			all = append(all, item.Value)
			return item.Err
		})
		if err != nil {
			return Reading{}, err
		}
		return Reading{Present: true, Values: []any{all}}, nil
	default:
		return Reading{}, unsupported(m)
	}
}

// structured parses a body whose media type is text or unknown although its schema allows only arrays or objects.
// Some documents list text/plain beside application/json for the same JSON; anything else is a format that only
// its author knows.
func structured(m Media, data []byte) (Reading, error) {
	decoded, err := exactjson.Decode(data)
	if err != nil {
		return Reading{}, unsupported(m)
	}
	return Reading{Present: true, Values: []any{decoded.Tree}}, nil
}

// decodeText decodes text by its charset: UTF-8, ASCII, or ISO 8859-1.
func decodeText(m Media, data []byte) (string, error) {
	switch charset := strings.ToLower(m.Params["charset"]); charset {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		if !utf8.Valid(data) {
			return "", &Error{Reason: Malformed, Place: "byte " + strconv.Itoa(invalidByte(data)), Text: "the text is not UTF-8"}
		}
		return strings.TrimPrefix(string(data), "\ufeff"), nil
	case "iso-8859-1", "latin1":
		var b strings.Builder
		for _, c := range data {
			b.WriteRune(rune(c))
		}
		return b.String(), nil
	default:
		return "", &Error{Reason: Unsupported, Text: "hallmark does not support the charset " + text.Quote(charset)}
	}
}

// invalidByte returns the index of the first byte that is not UTF-8.
func invalidByte(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}

// SurvivesBody returns what a server that parses by the hint makes of a value sent as a body. Text is the body.
func SurvivesBody(media string, value any, o BodyOptions) Survival {
	body, err := SerializeBody(media, value, o)
	if err != nil {
		return Survival{Fate: Lost, Err: err}
	}
	s := Survival{Text: string(body.Data)}
	if _, isFile := value.(File); isFile {
		s.Values = []any{value}
		return s
	}
	r, err := parseBody(body.Type, body.Data, o, lenient)
	if err != nil {
		return Survival{Fate: Lost, Text: s.Text, Err: err}
	}
	s.Values, s.Truncated = r.Values, r.Truncated
	if kind := KindOf(media); kind == KindForm || kind == KindMultipart {
		s.openIn(kind, value, o)
	}
	s.Absent = len(body.Data) == 0
	s.judge(value)
	return s
}

// openIn records what OpenAPI leaves open about the members of a form.
func (s *Survival) openIn(kind MediaKind, value any, o BodyOptions) {
	members, _ := value.(map[string]any)
	s.OpenIn = map[string]string{}
	for name, member := range members {
		h, _ := o.Hint.member(name)
		if why := openMember(kind, name, member, h, o.Encoding[name]); why != "" {
			s.OpenIn[name] = why
		}
	}
	if open := slices.Sorted(maps.Keys(s.OpenIn)); len(open) > 0 {
		s.Open = open[0] + ": " + s.OpenIn[open[0]]
	}
}

// openMember returns what OpenAPI leaves open about one member of a form, or "".
func openMember(kind MediaKind, name string, value any, h *Hint, e Encoding) string {
	p, byStyle := e.param(name)
	_, isList := value.([]any)
	_, isObject := value.(map[string]any)
	switch {
	case kind == KindMultipart && byStyle && (isObject || isList && !p.Explode):
		return "before OpenAPI 3.1 the style of a part is ignored"
	case byStyle:
		return p.open(value, h)
	case kind == KindForm && e.ContentType == "" && (!isFlat(value) || h.admits("object") || h.items().admits("object")):
		return "OpenAPI 3.0.3 and 3.1.0 define objects in forms differently from later versions"
	case value == nil || holdsNull(value) && isFlat(value):
		return "OpenAPI does not define how null is written in a form"
	}
	return ""
}
