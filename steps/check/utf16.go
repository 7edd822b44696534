package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON can escape half of a surrogate pair ("\ud800"), which is no character. Decoded values hold U+FFFD in its place, and
// so does a service that lost it; what was sent and what came back are compared here by their text.

// UTF16 is the text of a member of a JSON object, as UTF-16 has it: halves of pairs stay what they are. It is false
// when the decoded text holds no U+FFFD, so that decoding has lost nothing, and when there is no such text.
func UTF16(body []byte, member string) ([]uint16, bool) {
	if !mayLose(body) {
		return nil, false
	}
	var members map[string]json.RawMessage
	var text string
	if json.Unmarshal(body, &members) != nil || json.Unmarshal(members[member], &text) != nil ||
		!strings.ContainsRune(text, utf8.RuneError) {
		return nil, false
	}
	raw := string(members[member])
	raw = raw[1 : len(raw)-1]
	var units []uint16
	for raw != "" {
		if code, ok := strings.CutPrefix(raw, `\u`); ok && len(code) >= 4 {
			unit, _ := strconv.ParseUint(code[:4], 16, 16) // the grammar was checked
			units, raw = append(units, uint16(unit)), code[4:]
			continue
		}
		if raw[0] == '\\' && len(raw) > 1 {
			var one string
			_ = json.Unmarshal([]byte(`"`+raw[:2]+`"`), &one) // one of the eight short escapes
			units, raw = append(units, utf16.Encode([]rune(one))...), raw[2:]
			continue
		}
		r, size := utf8.DecodeRuneInString(raw)
		units, raw = utf16.AppendRune(units, r), raw[size:]
	}
	return units, true
}

// mayLose reports whether decoding a body may give a U+FFFD: it holds one, an escape, or bytes that are no UTF-8.
func mayLose(body []byte) bool {
	return bytes.Contains(body, []byte(`\u`)) || bytes.ContainsRune(body, utf8.RuneError)
}

// QuoteUTF16 shows a text of UTF-16 in quotes, halves of pairs and U+FFFD as escapes.
func QuoteUTF16(units []uint16) string {
	var b strings.Builder
	for len(units) > 0 {
		r, size := rune(units[0]), 1
		if utf16.IsSurrogate(r) && len(units) > 1 {
			if whole := utf16.DecodeRune(r, rune(units[1])); whole != utf8.RuneError {
				r, size = whole, 2
			}
		}
		switch {
		case utf16.IsSurrogate(r), r == utf8.RuneError:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			quoted := strconv.Quote(string(r))
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		units = units[size:]
	}
	return `"` + b.String() + `"`
}
