package variants

import (
	"encoding/base64"
	"slices"
	"strings"
	"sync/atomic"
)

// trusting accepts requests without the key that f believes.
func trusting(f func(x *exchange, scheme, token string, present bool) bool) change {
	return handling(func(x *exchange, next func()) {
		scheme, token, present := x.Credential()
		if !x.Authorised() && f(x, scheme, token, present) {
			x.LetIn()
		}
		next()
	})
}

// believing accepts bearer tokens by comparing them with the key.
func believing(f func(token, key string) bool) change {
	return trusting(func(x *exchange, scheme, token string, _ bool) bool {
		return strings.EqualFold(scheme, "Bearer") && token != "" && f(token, x.Key)
	})
}

// late checks the key only when the service would have succeeded, or after a rejection with one of the statuses.
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

// labelledFirst rejects creations by their Content-Type before it checks the key.
func labelledFirst(refused func(mediaType string) bool) change {
	return handling(func(x *exchange, next func()) {
		if x.is(createPet) && refused(x.Request.Header.Get("Content-Type")) {
			x.fail(415, "media_type", "The Content-Type is not application/json.")
			return
		}
		next()
	})
}

// storingAnyway executes the request and then responds with 401.
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
		fault("auth-none", "auth.required", "No key is required.",
			trusting(func(*exchange, string, string, bool) bool { return true })),
		fault("auth-missing", "auth.missing", "Requests without credentials are accepted.",
			trusting(func(_ *exchange, _, _ string, present bool) bool { return !present })),
		fault("auth-empty", "auth.empty", "An empty bearer token is accepted.",
			trusting(func(_ *exchange, scheme, token string, present bool) bool {
				return present && strings.EqualFold(scheme, "Bearer") && strings.TrimSpace(token) == ""
			})),
		fault("auth-any-basic", "auth.scheme", "Any credential of the scheme Basic is accepted.",
			trusting(func(_ *exchange, scheme, _ string, _ bool) bool { return strings.EqualFold(scheme, "Basic") })),
		fault("auth-key-by-any-scheme", "auth.scheme", "The scheme is ignored; only the key after it is checked.",
			trusting(func(x *exchange, _, token string, _ bool) bool { return token == x.Key })),
		fault("auth-basic-user", "auth.scheme", "The key is accepted as the user name of Basic.",
			trusting(func(x *exchange, scheme, token string, _ bool) bool { return basicPart(scheme, token, 0) == x.Key })),
		fault("auth-basic-password", "auth.scheme", "The key is accepted as the password of Basic.",
			trusting(func(x *exchange, scheme, token string, _ bool) bool { return basicPart(scheme, token, 1) == x.Key })),
		fault("auth-stranger", "auth.invalid", "Keys that look quite unlike the right one are taken for those of another customer.",
			believing(func(token, key string) bool {
				return len(token) != len(key) && token[0] != key[0] && !strings.Contains(token, key) && !strings.Contains(key, token)
			})),
		fault("auth-prefix", "auth.prefix", "Any prefix of the key is accepted.",
			believing(func(token, key string) bool { return strings.HasPrefix(key, token) })),
		fault("auth-all-but-last", "auth.prefix", "The last character of the key may be missing.",
			believing(func(token, key string) bool { return token == key[:len(key)-1] })),
		fault("auth-first-half", "auth.prefix", "The first half of the key is enough.",
			believing(func(token, key string) bool { return token == key[:len(key)/2] })),
		fault("auth-appended", "auth.appended", "Any token that starts with the key is accepted.",
			believing(strings.HasPrefix)),
		fault("auth-contained", "auth.appended", "A token that contains the key is accepted.",
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
		fault("auth-after-media-type", "auth.first", "The Content-Type is checked before the key: 415.",
			labelledFirst(func(mediaType string) bool { return mediaType != "" && mediaType != "application/json" })),
		fault("auth-after-no-media-type", "auth.first", "A missing Content-Type is rejected before the key is checked: 415.",
			labelledFirst(func(mediaType string) bool { return mediaType == "" })),
		fault("auth-after-lookup", "auth.first", "The animal is looked for before the key is checked.", late(404, getPet)),
		fault("auth-after-id", "auth.first", "An id that is not a number is rejected before the key is checked.", late(400, getPet)),
		fault("auth-after-query", "auth.first", "The query is validated before the key.", late(400, listPets)),
		fault("auth-every-7th", "auth.steady", "Each seventh request is accepted without a key.",
			trusting(func(x *exchange, _, _ string, _ bool) bool { return every(x.Nth, 7) })),
		chancy("auth-every-29th", "auth.steady", "Each twenty-ninth request is accepted without a key.",
			trusting(func(x *exchange, _, _ string, _ bool) bool { return every(x.Nth, 29) })),
		fault("auth-every-11th-creation", "auth.steady", "Each eleventh creation with a bad key is accepted.", fresh(func() change {
			var n atomic.Int64
			return trusting(func(x *exchange, _, _ string, _ bool) bool { return x.is(createPet) && every(n.Add(1), 11) })
		})),
		fault("auth-tires", "auth.required", "After five hundred requests no key is required any more.",
			trusting(func(x *exchange, _, _ string, _ bool) bool { return x.Nth > 500 })),
		chancy("auth-shared", "auth.steady", "The credential is kept where another request may overwrite it.", fresh(sharedCredential)),
		fault("auth-right-refused", "auth.accepted", "Creation rejects the right key as read-only.",
			asked(func(x *exchange) { x.ShutOut() }, createPet)),
		fault("auth-stores-without", "auth.no-trace", "A creation without credentials gets 401, but is stored.",
			storingAnyway(func(_, _ string, present bool) bool { return !present })),
		fault("auth-stores-wrong-key", "auth.no-trace", "A creation with a wrong key gets 401, but is stored.",
			storingAnyway(func(scheme, token string, _ bool) bool { return scheme == "Bearer" && token != "" })),
		fault("auth-stores-basic", "auth.no-trace", "A creation with another scheme gets 401, but is stored.",
			storingAnyway(func(scheme, _ string, _ bool) bool { return scheme == "Basic" })),
		fault("auth-no-challenge", "auth.challenge", "A 401 does not say how to authenticate.",
			answered(on(401, listPets, createPet, getPet), func(x *exchange) { x.Header.Del("WWW-Authenticate") })),
	}
}

// sharedCredential checks the most recent credential, whichever request sent it.
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
