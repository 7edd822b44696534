package variants

import (
	"bytes"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// unicodeFreedoms accept text that is not Unicode, as widely used JSON parsers do: bytes that are not UTF-8, and escaped halves of
// surrogate pairs.
func unicodeFreedoms() []Freedom {
	const rule = "create.text.unicode"
	replacement := string(utf8.RuneError)
	return []Freedom{
		freedom("bytes-replaced", rule, "Bytes that are not UTF-8 become replacement characters.",
			mended(func(body []byte) []byte { return eachBadByte(body, func(byte) string { return replacement }) })),
		freedom("bytes-left-out", rule, "Bytes that are not UTF-8 are left out.",
			mended(func(body []byte) []byte { return eachBadByte(body, func(byte) string { return "" }) })),
		freedom("bytes-as-latin-1", rule, "Bytes that are not UTF-8 are read as Latin-1.",
			mended(func(body []byte) []byte { return eachBadByte(body, func(bad byte) string { return string(rune(bad)) }) })),
		freedom("bytes-overlong-read", rule, "An overlong UTF-8 sequence is accepted.",
			mended(func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("\xc1\xa1"), []byte("a")) })),
		freedom("bytes-cut-left-out", rule, "A character that lacks its last byte is left out.",
			mended(func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("\xe2\x82\""), []byte(`"`)) })),
		freedom("halves-replaced", rule, "Half of a surrogate pair becomes the replacement character.",
			mended(func(body []byte) []byte { return eachHalf(body, func(string) string { return `\ufffd` }) })),
		freedom("halves-dropped", rule, "Half of a surrogate pair is removed from a name.",
			mended(func(body []byte) []byte { return eachHalf(body, func(string) string { return "" }) })),
		freedom("halves-kept", rule, "Escaped halves of surrogate pairs are accepted and returned as sent.", keepingHalves()),
		freedom("halves-replaced-on-read", rule, "Half of a surrogate pair becomes the replacement character when a name is read.",
			keepingHalves(), misread(func(p *petstore.Pet) { p.Name = halfKept.ReplaceAllString(p.Name, replacement) })),
		freedom("halves-dropped-on-read", rule, "Half of a surrogate pair is left out when a name is read.",
			keepingHalves(), misread(func(p *petstore.Pet) { p.Name = halfKept.ReplaceAllString(p.Name, "") })),
	}
}
