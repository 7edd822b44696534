package wire

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
)

// Concrete returns a media type in a range, and any other text unchanged: a range cannot be sent.
func Concrete(media string) string {
	m, err := ParseMedia(media)
	if err != nil || !m.IsRange() {
		return media
	}
	if suffix, ok := strings.CutPrefix(m.Subtype, "*+"); ok && m.Type != "*" {
		return m.Type + "/" + suffix
	}
	switch m.Type {
	case "*", "application":
		return "application/json"
	case "text":
		return "text/plain"
	case "image":
		return "image/png"
	case "audio":
		return "audio/wav"
	case "video":
		return "video/mp4"
	case "font":
		return "font/woff2"
	case "multipart":
		return "multipart/form-data"
	}
	return m.Type + "/octet-stream"
}

// SampleFile returns a small file of a media type followed by a text: decoders stop at the end of the file, and
// services that inspect what they receive find the right type. For an unknown type it returns the text.
func SampleFile(media, text string) []byte { return append(sample(media), text...) }

// sample returns a small file of a media type; nil if none is known, or nothing may follow one.
func sample(media string) []byte {
	m, err := ParseMedia(media)
	if err != nil {
		return nil
	}
	dot := image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.Black, color.White})
	var b bytes.Buffer
	switch m.Type + "/" + m.Subtype {
	case "image/png":
		err = png.Encode(&b, dot)
	case "image/jpeg", "image/jpg":
		err = jpeg.Encode(&b, dot, nil)
	case "image/gif":
		err = gif.Encode(&b, dot, nil)
	case "application/pdf":
		b.WriteString("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
	case "audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave": // 8000 8-bit samples per second, of which there are none
		b.WriteString("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00")
	case "video/mp4":
		b.WriteString("\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41")
	}
	if err != nil {
		return nil
	}
	return b.Bytes()
}

// fileText returns the text that follows a sample file, see content.
func fileText(media string, data []byte) string { return string(bytes.TrimPrefix(data, sample(media))) }

// content returns the bytes of a file for a text: after a sample file of the type, unless the schema restricts it.
func (h *Hint) content(media, text string) []byte {
	if h == nil || !h.Binary || h.Bounded {
		return []byte(text)
	}
	if own := sample(media); !bytes.HasPrefix([]byte(text), own[:min(4, len(own))]) {
		return append(own, text...)
	}
	return []byte(text)
}
