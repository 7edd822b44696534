package petstore

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// NewKey returns a random API key: 48 characters of both cases, with 256 bits of entropy, that need no escaping in a URL, a header or a
// shell.
func NewKey() string {
	for {
		var secret [32]byte
		_, _ = rand.Read(secret[:]) // documented never to fail
		key := base64.RawURLEncoding.EncodeToString(secret[:])
		if strings.ToLower(key) != key && strings.ToUpper(key) != key {
			return "pets_" + key // the prefix keeps keys from looking like command-line flags
		}
	}
}

// keyring holds the accepted keys, as hashes only.
type keyring [][sha256.Size]byte

func newKeyring(keys []string) (keyring, error) {
	if len(keys) == 0 {
		return nil, errors.New("no API key is given; the service needs at least one")
	}
	ring := make(keyring, 0, len(keys))
	for i, key := range keys {
		if key == "" {
			return nil, fmt.Errorf("API key %d of %d is empty", i+1, len(keys))
		}
		if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return nil, fmt.Errorf("API key %d of %d contains a space or a non-ASCII character, which headers cannot carry",
				i+1, len(keys))
		}
		ring = append(ring, sha256.Sum256([]byte(key)))
	}
	return ring, nil
}

// has takes the same time for every token: hashes have equal lengths, and a match does not end the search.
func (k keyring) has(token string) bool {
	sum := sha256.Sum256([]byte(token))
	found := 0
	for i := range k {
		found |= subtle.ConstantTimeCompare(k[i][:], sum[:])
	}
	return found == 1
}

// bearerToken extracts the token from the request's credentials: the word Bearer in any case, spaces, the token (RFC 9110, section 11.4;
// RFC 6750, section 2.1). ok is false if the header is missing, repeated, or uses another scheme.
func bearerToken(header http.Header) (token string, ok bool) {
	credentials := header.Values("Authorization")
	if len(credentials) != 1 {
		return "", false
	}
	scheme, rest, _ := strings.Cut(credentials[0], " ")
	token = strings.TrimLeft(rest, " ")
	return token, strings.EqualFold(scheme, "Bearer") && token != ""
}

// authenticate rejects requests at or below the base path without a key. It runs before any other check.
func (s *Service) authenticate(c *gin.Context) {
	if !s.isBelowBase(c.Request.URL.Path) {
		return
	}
	token, ok := bearerToken(c.Request.Header)
	if ok && s.keys.has(token) {
		return
	}
	// RFC 6750, section 3: only requests with a token get an error code.
	challenge, message := `Bearer realm="pets"`, "an API key is needed, as in Authorization: Bearer <API key>"
	if ok {
		challenge, message = challenge+`, error="invalid_token"`, "the API key is not valid"
	}
	c.Header("WWW-Authenticate", challenge)
	fail(c, http.StatusUnauthorized, codeUnauthorized, message)
}
