package steps

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"

	"hallmark/spec/derive"
	"hallmark/steps/client"
)

// credential is what a request carries to be let in.
type credential struct {
	// header is the value of the Authorization header; present reports whether it is sent at all.
	header  string
	present bool
	// shown stands for the header's value in records: an expression of the shell where the key is a part of it.
	shown string
	// query is a key that is sent in the query instead, with the name of the parameter.
	query string
	// words says what it is.
	words string
	// right reports whether it must be let in, open that the interface does not say.
	right, open bool
}

// sent is what a request carries of the credential.
func (c credential) sent() client.Credential {
	return client.Credential{Header: c.header, Present: c.present, Shown: c.shown, Query: c.query}
}

func rightCredential(key string) credential {
	return credential{header: "Bearer " + key, present: true, shown: "Bearer " + client.KeyVariable, words: "right", right: true}
}

// impossible says why a kind of credential cannot be made of this key.
type impossible struct{ reason string }

func (i impossible) Error() string { return i.reason }

// makeCredential makes the credential that the words name; see derive.Credentials, "right", and the open ones here.
func makeCredential(words, key string) (credential, error) {
	bad := func(token, shown string) (credential, error) {
		if token == key {
			return credential{}, impossible{fmt.Sprintf("with this key, %q is the key itself", words)}
		}
		return credential{header: "Bearer " + token, present: true, shown: "Bearer " + shown, words: words}, nil
	}
	switch words {
	case "right":
		return rightCredential(key), nil
	case "missing":
		return credential{words: words}, nil
	case "an empty bearer token":
		return credential{header: "Bearer ", present: true, shown: "Bearer ", words: words}, nil
	case "of another scheme":
		value := "Basic " + base64.StdEncoding.EncodeToString([]byte("hallmark:"+randomKey(12)))
		return credential{header: value, present: true, shown: value, words: words}, nil
	case "the right key under another scheme":
		return credential{header: "Basic " + key, present: true, shown: "Basic " + client.KeyVariable, words: words}, nil
	case "the right key as the user of Basic":
		return basic(words, key+":", `printf %s: "$HALLMARK_API_KEY"`), nil
	case "the right key as the password of Basic":
		return basic(words, ":"+key, `printf :%s "$HALLMARK_API_KEY"`), nil
	case "a random key":
		k := "hallmark-" + randomKey(24)
		return bad(k, k)
	case "a random key of the right key's length":
		k := randomKey(len(key))
		for k == key { // which happens to a key of one or two characters
			k = randomKey(len(key))
		}
		return bad(k, k)
	case "the right key without its last character":
		if len(key) < 2 {
			return credential{}, impossible{"the key is a single character"}
		}
		return bad(key[:len(key)-1], withoutLast)
	case "the right key without its first character":
		if len(key) < 2 {
			return credential{}, impossible{"the key is a single character"}
		}
		if key[1:] == key[:len(key)-1] {
			return credential{}, impossible{"all characters of the key are alike, so that it is the key without its last one"}
		}
		return bad(key[1:], withoutFirst)
	case "the right key with a character put before it":
		if "x"+key == key+"x" {
			return credential{}, impossible{"all characters of the key are x, so that it is the key with one added"}
		}
		return bad("x"+key, "x"+client.KeyVariable)
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
			return credential{}, impossible{"the key is a single character"}
		}
		return bad(key[:len(key)/2], fmt.Sprintf("${HALLMARK_API_KEY:0:%d}", len(key)/2))
	case "the right key with a character added":
		return bad(key+"x", "${HALLMARK_API_KEY}x")
	case "the right key given twice without a gap":
		return bad(key+key, "${HALLMARK_API_KEY}${HALLMARK_API_KEY}")
	case "the right key with its case swapped":
		return bad(swapCase(key), "${HALLMARK_API_KEY~~}")
	case "the right key with its first character changed":
		c := another(key[0])
		return bad(c+key[1:], c+withoutFirst)
	case "the right key with its middle character changed":
		i := len(key) / 2
		c := another(key[i])
		return bad(key[:i]+c+key[i+1:], fmt.Sprintf("${HALLMARK_API_KEY:0:%d}%s${HALLMARK_API_KEY:%d}", i, c, i+1))
	case "the right key backwards":
		return bad(backwards(key), "$(rev <<<$HALLMARK_API_KEY)")
	case "the right key under bearer in lower case":
		return credential{header: "bearer " + key, present: true, shown: "bearer " + client.KeyVariable, words: words, open: true}, nil
	case "the right key without a scheme":
		return credential{header: key, present: true, shown: client.KeyVariable, words: words, open: true}, nil
	case "the right key in the query":
		return credential{query: "api_key", words: words, open: true}, nil
	}
	if scheme, ok := strings.CutPrefix(words, derive.UnderScheme); ok {
		return credential{header: scheme + " " + key, present: true, shown: scheme + " " + client.KeyVariable, words: words}, nil
	}
	return credential{}, fmt.Errorf("no credential is called %q; known are: right%s", words, knownCredentials())
}

// basic is a credential of HTTP's Basic scheme (RFC 7617); printed is the shell command whose output it encodes.
func basic(words, pair, printed string) credential {
	return credential{
		header: "Basic " + base64.StdEncoding.EncodeToString([]byte(pair)), present: true,
		shown: "Basic $(" + printed + " | base64 -w0)", words: words,
	}
}

func knownCredentials() string {
	var b strings.Builder
	for _, c := range derive.Credentials() {
		b.WriteString(", " + c.Words)
	}
	return b.String()
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// randomKey is a key that nobody has given out.
func randomKey(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[rand.IntN(len(letters))]
	}
	return string(b)
}

func swapCase(s string) string {
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

func backwards(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

// another is a letter that differs from c also when case is ignored.
func another(c byte) string {
	if c == 'q' || c == 'Q' {
		return "k"
	}
	return "q"
}
