package source

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"
)

// isInline reports whether an address, or the name of a file, is that of a data: URL (RFC 2397), which holds the text itself.
func isInline(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	return ok && strings.EqualFold(scheme, "data")
}

// inlineName returns the name of the text that an address leads to from a file, where either is inline. It is short whatever the
// text, because it stands in every pointer into it.
func inlineName(from, address string) string {
	const digits = 16
	if !isInline(address) {
		address = from + "\x00" + address
	}
	sum := sha256.Sum256([]byte(address))
	return "data:" + hex.EncodeToString(sum[:])[:digits]
}

var (
	errNoFolder = errors.New("it stands in the text of a data: URL, which lies in no folder")
	errNoComma  = errors.New("it is no data: URL: a comma has to stand before the text")
	errEscapes  = errors.New("its text is not percent-encoded as that of a data: URL has to be")
	errBase64   = errors.New("its text is not base64, though it says so")
)

// readInline returns the text of a data: URL.
func readInline(address string) ([]byte, error) {
	if !isInline(address) {
		return nil, errNoFolder
	}
	kind, encoded, ok := strings.Cut(address, ",")
	if !ok {
		return nil, errNoComma
	}
	text, err := url.PathUnescape(encoded)
	if err != nil {
		return nil, errEscapes
	}
	if !strings.HasSuffix(strings.ToLower(kind), ";base64") {
		return []byte(text), nil
	}
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return nil, errBase64
	}
	return data, nil
}
