package variants

import (
	"encoding/base64"
	"slices"
	"strings"
	"sync/atomic"
)

// trusting lets requests in that do not carry the key and that f believes.
func trusting(f func(x *exchange, scheme, token string, present bool) bool) change {
	return handling(func(x *exchange, next func()) {
		scheme, token, present := x.Credential()
		if !x.Authorised() && f(x, scheme, token, present) {
			x.LetIn()
		}
		next()
	})
}

// believing lets bearer tokens in by how they compare with the key.
func believing(f func(token, key string) bool) change {
	return trusting(func(x *exchange, scheme, token string, _ bool) bool {
		return strings.EqualFold(scheme, "Bearer") && token != "" && f(token, x.Key)
	})
}

// late looks at the key only when the service would have done what was asked, or after a refusal with one of the statuses.
func late(status int, operations ...string) change {
	return handling(func(x *exchange, next func()) {
		if x.Authorised() || !x.is(operations...) {
			next()
			return
		}
		credentials := x.Request.Header["Authorization"]
		x.LetIn()
		x.discard = true
		next()
		if x.Status != status {
			x.ShutOut()
			if len(credentials) > 0 {
				x.Authorise(credentials[0])
			}
			next()
		}
	})
}

// labelledFirst refuses creations whose Content-Type is refused before it looks at the key.
func labelledFirst(refused func(mediaType string) bool) change {
	return handling(func(x *exchange, next func()) {
		if x.is(createPet) && refused(x.Request.Header.Get("Content-Type")) {
			x.fail(415, "media_type", "The Content-Type is not application/json.")
			return
		}
		next()
	})
}

// storingAnyway does what was asked, and then answers 401.
func storingAnyway(f func(scheme, token string, present bool) bool) change {
	return handling(func(x *exchange, next func()) {
		scheme, token, present := x.Credential()
		if x.operation == createPet && !x.Authorised() && f(scheme, token, present) {
			request := x.Request
			x.LetIn()
			next()
			x.Request = request
		}
		next()
	})
}

func basicPart(scheme, token string, part int) string {
	pair, err := base64.StdEncoding.DecodeString(token)
	parts := strings.SplitN(string(pair), ":", 2)
	if err != nil || len(parts) < 2 || !strings.EqualFold(scheme, "Basic") {
		return ""
	}
	return parts[part]
}

func authFaults() []Fault {
	return []Fault{
		fault("auth-none", "auth.required", "Nobody is asked for a key.",
			trusting(func(*exchange, string, string, bool) bool { return true })),
		fault("auth-missing", "auth.missing", "A request without a credential is let in.",
			trusting(func(_ *exchange, _, _ string, present bool) bool { return !present })),
		fault("auth-empty", "auth.empty", "An empty bearer token is let in.",
			trusting(func(_ *exchange, scheme, token string, present bool) bool {
				return present && strings.EqualFold(scheme, "Bearer") && strings.TrimSpace(token) == ""
			})),
		fault("auth-any-basic", "auth.scheme", "Any credential of the scheme Basic is let in.",
			trusting(func(_ *exchange, scheme, _ string, _ bool) bool { return strings.EqualFold(scheme, "Basic") })),
		fault("auth-key-by-any-scheme", "auth.scheme", "The scheme is not looked at, only the key behind it.",
			trusting(func(x *exchange, _, token string, _ bool) bool { return token == x.Key })),
		fault("auth-basic-user", "auth.scheme", "The key is accepted as the user of Basic.",
			trusting(func(x *exchange, scheme, token string, _ bool) bool { return basicPart(scheme, token, 0) == x.Key })),
		fault("auth-basic-password", "auth.scheme", "The key is accepted as the password of Basic.",
			trusting(func(x *exchange, scheme, token string, _ bool) bool { return basicPart(scheme, token, 1) == x.Key })),
		fault("auth-stranger", "auth.invalid", "Keys that look quite unlike the right one are taken for those of another customer.",
			believing(func(token, key string) bool {
				return len(token) != len(key) && token[0] != key[0] && !strings.Contains(token, key) && !strings.Contains(key, token)
			})),
		fault("auth-prefix", "auth.prefix", "The key is compared as far as the token goes.",
			believing(func(token, key string) bool { return strings.HasPrefix(key, token) })),
		fault("auth-all-but-last", "auth.prefix", "The last character of the key may be missing.",
			believing(func(token, key string) bool { return token == key[:len(key)-1] })),
		fault("auth-first-half", "auth.prefix", "The first half of the key is enough.",
			believing(func(token, key string) bool { return token == key[:len(key)/2] })),
		fault("auth-appended", "auth.appended", "The token is compared as far as the key goes.",
			believing(strings.HasPrefix)),
		fault("auth-contained", "auth.appended", "A token is let in when the key is somewhere in it.",
			believing(strings.Contains)),
		fault("auth-repeated", "auth.appended", "The key may be given twice, as if a list of keys were searched.",
			believing(func(token, key string) bool { return token == key+key })),
		fault("auth-case", "auth.case", "Keys are compared without regard to case.",
			believing(strings.EqualFold)),
		fault("auth-length", "auth.altered", "Keys are compared by their length.",
			believing(func(token, key string) bool { return len(token) == len(key) })),
		fault("auth-not-first", "auth.altered", "The first character of the key is not compared.",
			believing(func(token, key string) bool { return len(token) == len(key) && token[1:] == key[1:] })),
		fault("auth-not-middle", "auth.altered", "Only both ends of the key are compared.",
			believing(func(token, key string) bool {
				third := len(key) / 3
				return len(token) == len(key) && token[:third] == key[:third] && token[len(key)-third:] == key[len(key)-third:]
			})),
		fault("auth-checksum", "auth.altered", "Keys are compared by the sum of their characters.",
			believing(func(token, key string) bool {
				t, k := []byte(token), []byte(key)
				slices.Sort(t)
				slices.Sort(k)
				return slices.Equal(t, k)
			})),
		fault("auth-after-body", "auth.first", "The body is validated before the key.", late(400, createPet)),
		fault("auth-after-media-type", "auth.first", "The Content-Type is looked at before the key: 415.",
			labelledFirst(func(mediaType string) bool { return mediaType != "" && mediaType != "application/json" })),
		fault("auth-after-no-media-type", "auth.first", "A missing Content-Type is refused before the key is checked: 415.",
			labelledFirst(func(mediaType string) bool { return mediaType == "" })),
		fault("auth-after-lookup", "auth.first", "The animal is looked for before the key is checked.", late(404, getPet)),
		fault("auth-after-id", "auth.first", "An id that is no number is refused before the key is checked.", late(400, getPet)),
		fault("auth-after-query", "auth.first", "The query is validated before the key.", late(400, listPets)),
		fault("auth-every-7th", "auth.steady", "Each seventh request is let in without a key.",
			trusting(func(x *exchange, _, _ string, _ bool) bool { return every(x.Nth, 7) })),
		chancy("auth-every-29th", "auth.steady", "Each twenty-ninth request is let in without a key.",
			trusting(func(x *exchange, _, _ string, _ bool) bool { return every(x.Nth, 29) })),
		fault("auth-every-11th-creation", "auth.steady", "Each eleventh creation with a bad key is let in.", fresh(func() change {
			var n atomic.Int64
			return trusting(func(x *exchange, _, _ string, _ bool) bool { return x.is(createPet) && every(n.Add(1), 11) })
		})),
		fault("auth-tires", "auth.required", "After five hundred requests nobody is asked for a key any more.",
			trusting(func(x *exchange, _, _ string, _ bool) bool { return x.Nth > 500 })),
		chancy("auth-shared", "auth.steady", "The credential is kept where another request may overwrite it.", fresh(sharedCredential)),
		fault("auth-right-refused", "auth.accepted", "Creation refuses the right key, as one for reading only.",
			asked(func(x *exchange) { x.ShutOut() }, createPet)),
		fault("auth-stores-without", "auth.no-trace", "A creation without a credential is answered 401, and stored.",
			storingAnyway(func(_, _ string, present bool) bool { return !present })),
		fault("auth-stores-wrong-key", "auth.no-trace", "A creation with a wrong key is answered 401, and stored.",
			storingAnyway(func(scheme, token string, _ bool) bool { return scheme == "Bearer" && token != "" })),
		fault("auth-stores-basic", "auth.no-trace", "A creation under another scheme is answered 401, and stored.",
			storingAnyway(func(scheme, _ string, _ bool) bool { return scheme == "Basic" })),
		fault("auth-no-challenge", "auth.challenge", "A 401 does not say how to be let in.",
			answered(on(401, listPets, createPet, getPet), func(x *exchange) { x.Header.Del("WWW-Authenticate") })),
	}
}

// sharedCredential checks whatever credential came last.
func sharedCredential() change {
	var last atomic.Value
	return handling(func(x *exchange, next func()) {
		last.Store(x.Request.Header.Get("Authorization"))
		pause()
		if value, ok := last.Load().(string); ok {
			x.Authorise(value)
		}
		next()
	})
}
