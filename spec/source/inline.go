package source

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"
)

// isInline reports whether an address or a file name is a data: URL (RFC 2397), which contains the text itself.
func isInline(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	return ok && strings.EqualFold(scheme, "data")
}

// inlineName returns the name of the text that an address refers to from a file, if either is inline. It is short because it is part
// of every pointer into the text.
func inlineName(from, address string) string {
	const digits = 16
	if !isInline(address) {
		address = from + "\x00" + address
	}
	sum := sha256.Sum256([]byte(address))
	return "data:" + hex.EncodeToString(sum[:])[:digits]
}

var (
	errNoFolder = errors.New("a data: URL has no folder, so it cannot refer to files")
	errNoComma  = errors.New("it is not a valid data: URL: the comma before the data is missing")
	errEscapes  = errors.New("the data of the data: URL is not correctly percent-encoded")
	errBase64   = errors.New("the data of the data: URL is not valid base64")
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
