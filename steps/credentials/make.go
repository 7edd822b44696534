package credentials

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"

	"github.com/hallmark-kit/hallmark/spec/credential"
)

// Make makes the credential that the words describe: "right", or those of [credential.WrongTokens].
func Make(words, key string) (Credential, error) {
	bad := func(token, shown string) (Credential, error) {
		if token == key {
			return Credential{}, Impossible{fmt.Sprintf("with this key, %q is the key itself", words)}
		}
		return Credential{Header: "Bearer " + token, Present: true, Shown: "Bearer " + shown, Words: words}, nil
	}
	switch words {
	case "right":
		return Right(key), nil
	case "missing":
		return Credential{Words: words}, nil
	case "an empty bearer token":
		return Credential{Header: "Bearer ", Present: true, Shown: "Bearer ", Words: words}, nil
	case "of another scheme":
		value := "Basic " + base64.StdEncoding.EncodeToString([]byte("hallmark:"+RandomKey(12)))
		return Credential{Header: value, Present: true, Shown: value, Words: words}, nil
	case credential.RightUnderBasic:
		return Credential{Header: "Basic " + key, Present: true, Shown: "Basic " + KeyVariable, Words: words}, nil
	case credential.RightAsUser:
		return basic(words, key+":", `printf %s: "$HALLMARK_API_KEY"`), nil
	case credential.RightAsPassword:
		return basic(words, ":"+key, `printf :%s "$HALLMARK_API_KEY"`), nil
	case "a random key":
		k := "hallmark-" + RandomKey(24)
		return bad(k, k)
	case "a random key of the right key's length":
		k := RandomKey(len(key))
		for k == key { // which happens with a key of one or two characters
			k = RandomKey(len(key))
		}
		return bad(k, k)
	case "the right key without its last character":
		if len(key) < 2 {
			return Credential{}, Impossible{"the key is a single character"}
		}
		return bad(key[:len(key)-1], withoutLast)
	case "the right key without its first character":
		if len(key) < 2 {
			return Credential{}, Impossible{"the key is a single character"}
		}
		if key[1:] == key[:len(key)-1] {
			return Credential{}, Impossible{"all characters of the key are equal, so the result is the key without its last one"}
		}
		return bad(key[1:], withoutFirst)
	case "the right key with a character put before it":
		if "x"+key == key+"x" {
			return Credential{}, Impossible{"all characters of the key are x, so the result is the key with one added"}
		}
		return bad("x"+key, "x"+KeyVariable)
	case "the right key with a last character that sorts after it":
		return lastReplaced(words, key, true, "~z")
	case "the right key with a last character that sorts before it":
		return lastReplaced(words, key, false, "+0A!")
	case "the right key with a first character that sorts after it":
		return firstReplaced(words, key, true, "~")
	case "the right key with a first character that sorts before it":
		return firstReplaced(words, key, false, "+!")
	case "the first half of the right key":
		if len(key) < 2 {
			return Credential{}, Impossible{"the key is a single character"}
		}
		return bad(key[:len(key)/2], fmt.Sprintf("${HALLMARK_API_KEY:0:%d}", len(key)/2))
	case "the right key with a character added":
		return bad(key+"x", "${HALLMARK_API_KEY}x")
	case "the right key given twice without a gap":
		return bad(key+key, "${HALLMARK_API_KEY}${HALLMARK_API_KEY}")
	case "the right key with its case swapped":
		return bad(swapped(key), "${HALLMARK_API_KEY~~}")
	case "the right key with its first character changed":
		c := another(key[0])
		return bad(c+key[1:], c+withoutFirst)
	case "the right key with its middle character changed":
		i := len(key) / 2
		c := another(key[i])
		return bad(key[:i]+c+key[i+1:], fmt.Sprintf("${HALLMARK_API_KEY:0:%d}%s${HALLMARK_API_KEY:%d}", i, c, i+1))
	case "the right key backwards":
		return bad(reversed(key), "$(rev <<<$HALLMARK_API_KEY)")
	}
	if scheme, ok := strings.CutPrefix(words, credential.UnderScheme); ok {
		return Credential{Header: scheme + " " + key, Present: true, Shown: scheme + " " + KeyVariable, Words: words}, nil
	}
	return Credential{}, fmt.Errorf("no credential is called %q; known are: right%s", words, knownCredentials())
}

// basic returns a credential of HTTP's Basic scheme (RFC 7617); printed is the shell command whose output it
// encodes.
func basic(words, pair, printed string) Credential {
	return Credential{
		Header: "Basic " + base64.StdEncoding.EncodeToString([]byte(pair)), Present: true,
		Shown: "Basic $(" + printed + " | base64 -w0)", Words: words,
	}
}

func knownCredentials() string {
	var b strings.Builder
	for _, c := range credential.WrongTokens() {
		b.WriteString(", " + c.Words)
	}
	return b.String()
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// RandomKey returns a random key of n characters.
func RandomKey(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[rand.IntN(len(letters))]
	}
	return string(b)
}

func swapped(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsUpper(r):
			return unicode.ToLower(r)
		case unicode.IsLower(r):
			return unicode.ToUpper(r)
		}
		return r
	}, s)
}

func reversed(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

// another returns a letter that differs from c even if case is ignored.
func another(c byte) string {
	if c == 'q' || c == 'Q' {
		return "k"
	}
	return "q"
}

// Words returns the descriptions that Make knows: of the right credential, and of bad ones.
func Words() []string {
	words := []string{"right"}
	for _, c := range credential.WrongTokens() {
		words = append(words, c.Words)
	}
	return words
}

// CheckKey returns an error if a key cannot be sent in a header.
func CheckKey(key string) error {
	if key == "" {
		return fmt.Errorf("no API key is given; set HALLMARK_API_KEY, or give a file with --api-key-file")
	}
	for _, r := range key {
		if r <= ' ' || r > '~' {
			return fmt.Errorf("the API key contains a blank, a control character or a non-ASCII character, which an Authorization header cannot carry")
		}
	}
	return nil
}
