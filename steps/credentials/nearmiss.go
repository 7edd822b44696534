package credentials

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// Keys that differ from the right one in their first or last character only. The replacement does not depend on
// the key, so a record of it does not reveal the key's character.

// withoutFirst and withoutLast are shell expressions for the key without a character.
const (
	withoutFirst = "${HALLMARK_API_KEY:1}"
	withoutLast  = "${HALLMARK_API_KEY%?}"
)

// firstReplaced returns the key with its first character replaced by one of others that sorts after it, or before
// it.
func firstReplaced(words, key string, after bool, others string) (Credential, error) {
	for _, c := range []byte(others) {
		if c != key[0] && c > key[0] == after {
			return nearMiss(words, string(c)+key[1:], string(c)+withoutFirst), nil
		}
	}
	return noNearMiss(words)
}

// lastReplaced returns the key with its last character replaced. If the key is base64, its last bits may be
// unused, and a lenient decoder reads the same bytes with another last character; such characters are skipped.
func lastReplaced(words, key string, after bool, others string) (Credential, error) {
	rest, last := key[:len(key)-1], key[len(key)-1]
	if strings.HasSuffix(rest, "=") { // some decoders ignore what follows
		return noNearMiss(words)
	}
	for _, c := range []byte(others) {
		other := rest + string(c)
		if c != last && c > last == after && !SameBytes(key, other) {
			return nearMiss(words, other, withoutLast+string(c)), nil
		}
	}
	return noNearMiss(words)
}

func noNearMiss(words string) (Credential, error) {
	return Credential{}, Impossible{fmt.Sprintf("this key has none: %s", words)}
}

func nearMiss(words, token, shown string) Credential {
	return Credential{Header: "Bearer " + token, Present: true, Shown: "Bearer " + shown, Words: words}
}

// SameBytes reports whether two tokens are equal when the part after their last dot is decoded as base64, with any
// alphabet, ignoring characters outside it, as some decoders do.
func SameBytes(a, b string) bool {
	decoded := func(token string, alphabet *base64.Encoding, extra string) string {
		token = token[strings.LastIndexByte(token, '.')+1:]
		whole := token
		token = strings.Map(func(r rune) rune {
			if strings.ContainsRune(extra, r) || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, token)
		bytes, err := alphabet.DecodeString(token)
		if err != nil || len(bytes) == 0 {
			return whole
		}
		return string(bytes)
	}
	return decoded(a, base64.RawStdEncoding, "+/") == decoded(b, base64.RawStdEncoding, "+/") ||
		decoded(a, base64.RawURLEncoding, "-_") == decoded(b, base64.RawURLEncoding, "-_")
}
