package impostor

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	ruleSecured   = "every operation is secured"
	ruleValidKey  = "only the key itself is valid"
	ruleScheme    = "the credential is a bearer token"
	ruleAuthFirst = "401 comes before any other error"
	ruleNoEffect  = "a refused request changes nothing"
)

// brokenAuth let in whom they should not, or the other way round.
func brokenAuth() []Variant {
	return append(append(openDoors(), nearMisses()...), append(lateChecks(), forgetfulDoors()...)...)
}

// lenient admits more than the faithful service, on some operations or all.
func lenient(f func(s *service, c *call, scheme, token string, present bool) bool, ops ...operation) change {
	return func(s *service) {
		before := s.admit
		s.admit = func(c *call) bool {
			if before(c) {
				return true
			}
			scheme, token, present := credential(c)
			return (len(ops) == 0 || slices.Contains(ops, c.op)) && f(s, c, scheme, token, present)
		}
	}
}

func anyone(*service, *call, string, string, bool) bool { return true }

func openDoors() []Variant {
	var all []Variant
	for _, op := range []operation{listPets, createPet, getPet} {
		all = append(all,
			broken(fmt.Sprintf("auth-none-on-%s", op), ruleSecured, fmt.Sprintf("%s asks for no credential.", op), lenient(anyone, op)),
			broken(fmt.Sprintf("auth-missing-on-%s", op), ruleSecured,
				fmt.Sprintf("%s lets in requests without the Authorization header.", op), lenient(isMissing, op)),
			broken(fmt.Sprintf("auth-any-key-on-%s", op), ruleValidKey,
				fmt.Sprintf("%s is content with any bearer token.", op), lenient(isAnyToken, op)),
		)
	}
	filter := func(name string) func(*service, *call, string, string, bool) bool {
		return func(_ *service, c *call, _, _ string, _ bool) bool { return c.req.URL.Query().Has(name) }
	}
	return append(all,
		broken("auth-none-on-filtered-list", ruleSecured, "A list with a status filter asks for no credential.",
			lenient(filter("status"), listPets)),
		broken("auth-none-on-limited-list", ruleSecured, "A list with a limit asks for no credential.", lenient(filter("limit"), listPets)),
		broken("auth-none-on-plain-list", ruleSecured, "Only a list without parameters asks for no credential.",
			lenient(func(_ *service, c *call, _, _ string, _ bool) bool { return c.req.URL.RawQuery == "" }, listPets)),
		broken("auth-none-on-known-animal", ruleSecured, "Reading an animal that exists asks for no credential.",
			lenient(func(s *service, c *call, _, _ string, _ bool) bool {
				_, known := findByText(s, c.petID)
				return known
			}, getPet)),
	)
}

func isMissing(_ *service, _ *call, _, _ string, present bool) bool { return !present }

func isAnyToken(_ *service, _ *call, scheme, token string, _ bool) bool {
	return strings.EqualFold(scheme, "bearer") && token != ""
}

func findByText(s *service, id string) (animal, bool) {
	for _, a := range s.store.all() {
		if string(style{}.text(a.id)) == id {
			return a, true
		}
	}
	return animal{}, false
}

func nearMisses() []Variant {
	// token makes a check of bearer tokens that are there.
	token := func(f func(key, token string) bool) func(*service, *call, string, string, bool) bool {
		return func(s *service, _ *call, scheme, given string, _ bool) bool {
			return strings.EqualFold(scheme, "bearer") && given != "" && f(s.key, given)
		}
	}
	prefix := strings.HasPrefix
	suffix := func(key, token string) bool { return strings.HasPrefix(token, key) }
	sameLength := func(key, token string) bool { return len(key) == len(token) }
	basic := func(f func(key, user, password string) bool) func(*service, *call, string, string, bool) bool {
		return func(s *service, _ *call, scheme, given string, _ bool) bool {
			text, err := base64.StdEncoding.DecodeString(given)
			user, password, _ := strings.Cut(string(text), ":")
			return strings.EqualFold(scheme, "basic") && err == nil && f(s.key, user, password)
		}
	}
	return []Variant{
		broken("auth-empty-token", ruleValidKey, "An empty bearer token is let in.",
			lenient(func(_ *service, _ *call, scheme, given string, _ bool) bool {
				return strings.EqualFold(scheme, "bearer") && given == ""
			})),
		broken("auth-empty-token-on-getPet", ruleValidKey, "getPet lets in an empty bearer token.",
			lenient(func(_ *service, _ *call, scheme, given string, _ bool) bool {
				return strings.EqualFold(scheme, "bearer") && given == ""
			}, getPet)),
		broken("auth-any-key", ruleValidKey, "Any bearer token is let in.", lenient(isAnyToken)),
		broken("auth-basic-on-createPet", ruleScheme, "createPet lets in any Basic credential.",
			lenient(func(_ *service, _ *call, scheme, _ string, _ bool) bool { return strings.EqualFold(scheme, "basic") }, createPet)),
		broken("auth-basic-on-listPets", ruleScheme, "listPets lets in any Basic credential.",
			lenient(func(_ *service, _ *call, scheme, _ string, _ bool) bool { return strings.EqualFold(scheme, "basic") }, listPets)),
		broken("auth-key-as-user", ruleScheme, "The key is let in as the user or the password of Basic.",
			lenient(basic(func(key, user, password string) bool { return user == key || password == key }))),
		broken("auth-any-scheme", ruleScheme, "The key is let in after any word for a scheme.",
			lenient(func(s *service, _ *call, scheme, given string, _ bool) bool { return scheme != "" && given == s.key })),
		broken("auth-other-scheme", ruleScheme, "Anything that is not Bearer is let in.",
			lenient(func(_ *service, _ *call, scheme, _ string, present bool) bool {
				return present && !strings.EqualFold(scheme, "bearer")
			})),
		broken("auth-prefix-on-listPets", ruleValidKey, "listPets lets in any beginning of the key.", lenient(token(prefix), listPets)),
		broken("auth-suffix", ruleValidKey, "The key with something after it is let in.", lenient(token(suffix))),
		broken("auth-suffix-on-createPet", ruleValidKey, "createPet lets in the key with something after it.",
			lenient(token(suffix), createPet)),
		broken("auth-part", ruleValidKey, "Any part of the key is let in.", lenient(token(strings.Contains))),
		broken("auth-case-on-getPet", ruleValidKey, "The case of the key does not matter to getPet.",
			lenient(token(strings.EqualFold), getPet)),
		broken("auth-same-length", ruleValidKey, "Any token as long as the key is let in.", lenient(token(sameLength))),
		broken("auth-same-length-on-getPet", ruleValidKey, "getPet lets in any token as long as the key.",
			lenient(token(sameLength), getPet)),
		broken("auth-longer", ruleValidKey, "Any token longer than the key is let in.",
			lenient(token(func(key, token string) bool { return len(token) > len(key) }))),
		broken("auth-shorter", ruleValidKey, "Any token shorter than the key is let in.",
			lenient(token(func(key, token string) bool { return len(token) < len(key) }))),
		broken("auth-last-half", ruleValidKey, "Only the last half of the key is compared.",
			lenient(token(func(key, token string) bool { return strings.HasSuffix(token, key[len(key)/2:]) }))),
	}
}

// lateChecks ask for the credential only after something else went wrong.
func lateChecks() []Variant {
	// first answers what would be refused with the status anyway.
	first := func(op operation, status int, when func(c *call) bool) change {
		return wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
			if c.op == op && !s.admit(c) && when(c) {
				if a := s.simulate(c); a != nil && a.status == status {
					return a
				}
			}
			return next(c)
		})
	}
	always := func(*call) bool { return true }
	hasFlaw := func(flaws ...flaw) func(c *call) bool {
		return func(c *call) bool {
			_, f := readObject(c.body)
			return slices.Contains(flaws, f)
		}
	}
	return []Variant{
		broken("auth-after-parsing", ruleAuthFirst, "A body that is no JSON gets 400 even without a valid credential.",
			first(createPet, 400, hasFlaw(bodyMalformed, bodyTrailing, bodyAbsent))),
		broken("auth-after-empty-body", ruleAuthFirst, "A missing body gets 400 even without a valid credential.",
			first(createPet, 400, hasFlaw(bodyAbsent))),
		broken("auth-after-fields", ruleAuthFirst, "A body that lacks a field gets 400 even without a valid credential.",
			first(createPet, 400, hasFlaw(""))),
		broken("auth-after-odd-id", ruleAuthFirst, "A petId that is no integer gets 404 even without a valid credential.",
			first(getPet, 404, func(c *call) bool { return strings.Trim(c.petID, "-0123456789") != "" })),
		broken("auth-after-odd-limit", ruleAuthFirst, "A limit out of range gets 400 even without a valid credential.",
			first(listPets, 400, func(c *call) bool { return c.req.URL.Query().Has("limit") })),
		broken("auth-after-odd-filter", ruleAuthFirst, "An unknown status filter gets 400 even without a valid credential.",
			first(listPets, 400, func(c *call) bool { return c.req.URL.Query().Has("status") })),
		broken("auth-after-media-type", ruleAuthFirst, "A body that is not called JSON gets 415 even without a valid credential.",
			mediaRefused(415, true),
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				media := strings.ToLower(c.req.Header.Get("Content-Type"))
				if c.op == createPet && !strings.HasPrefix(media, "application/json") {
					return s.failure(c, refusal{415, "media_type", "send application/json"})
				}
				return next(c)
			})),
		broken("auth-stores-anyway", ruleNoEffect, "An animal that gets 401 is stored all the same.", storing(401, always)),
		broken("auth-stores-for-basic", ruleNoEffect, "An animal that gets 401 for the sake of its scheme is stored all the same.",
			storing(401, func(c *call) bool {
				scheme, _, _ := credential(c)
				return strings.EqualFold(scheme, "basic")
			})),
		broken("auth-stores-without-header", ruleNoEffect, "An animal that gets 401 for want of a credential is stored all the same.",
			storing(401, func(c *call) bool {
				_, _, present := credential(c)
				return !present
			})),
	}
}

// simulate makes the response to a call that need not be admitted, unless the
// call would change something.
func (s *service) simulate(c *call) *answer {
	if c.op != createPet {
		return s.work(c)
	}
	d, no := s.readDraft(c)
	if no == nil {
		no = s.vet(c, d)
	}
	if no == nil {
		return nil
	}
	return s.failure(c, *no)
}

// storing keeps animals although their creation got the status.
func storing(status int, when func(c *call) bool) change {
	return wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
		a := next(c)
		if c.op == createPet && a.status == status && when(c) {
			if d, no := s.readDraft(c); no == nil {
				s.keep(c, s.animalOf(d))
			}
		}
		return a
	})
}

// forgetfulDoors check well at first, or most of the time.
func forgetfulDoors() []Variant {
	return []Variant{
		flaky("auth-skipped-every-25th", ruleSecured, "Every 25th request is not checked.",
			lenient(func(_ *service, c *call, _, _ string, _ bool) bool { return everyNth(c, 25) })),
		flaky("auth-skipped-every-10th-refusal", ruleSecured, "Of ten requests that ought to be refused, one is let in.",
			func(s *service) {
				tries := counter()
				lenient(func(*service, *call, string, string, bool) bool { return tries()%10 == 0 })(s)
			}),
		flaky("auth-key-forgotten", "the valid key is let in", "Every 40th request is refused though its key is right.",
			func(s *service) {
				before := s.admit
				s.admit = func(c *call) bool { return !everyNth(c, 40) && before(c) }
			}),
		broken("auth-off-after-150", ruleSecured, "After 150 requests nothing is checked any more.",
			lenient(func(_ *service, c *call, _, _ string, _ bool) bool { return c.nth > 150 })),
		broken("auth-remembers-client", ruleSecured, "Once a client has shown the key, no more is asked of its address.", func(s *service) {
			var known sync.Map
			address := func(c *call) string {
				host, _, _ := strings.Cut(c.req.RemoteAddr, ":")
				return host
			}
			before := s.admit
			s.admit = func(c *call) bool {
				if before(c) {
					known.Store(address(c), true)
					return true
				}
				_, seen := known.Load(address(c))
				return seen
			}
		}),
		flaky("auth-remembers-connection", ruleSecured, "Once the key was shown on a connection, it is asked for no more there.",
			func(s *service) {
				var known sync.Map
				before := s.admit
				s.admit = func(c *call) bool {
					if before(c) {
						known.Store(c.req.RemoteAddr, true)
						return true
					}
					_, seen := known.Load(c.req.RemoteAddr)
					return seen
				}
			}),
		broken("auth-cached-answers", ruleSecured, "What was read once with the key is shown to all who ask for the same path.",
			func(s *service) {
				var seen sync.Map
				wrapHandler(func(_ *service, c *call, next func(*call) *answer) *answer {
					a := next(c)
					path := c.req.URL.RequestURI()
					switch {
					case c.op == createPet:
					case a.status == 200:
						seen.Store(path, a.body)
					case a.status == 401:
						if body, ok := seen.Load(path); ok {
							return success(200, body)
						}
					}
					return a
				})(s)
			}),
		broken("auth-cached-refusals", "the valid key is let in", "A path that was refused once stays refused for the next one who asks.",
			func(s *service) {
				var refused sync.Map
				before := s.admit
				s.admit = func(c *call) bool {
					path := c.req.Method + c.req.URL.RequestURI()
					if !before(c) {
						refused.Store(path, true)
						return false
					}
					_, stale := refused.LoadAndDelete(path)
					return !stale
				}
			}),
		flaky("auth-shared-credential", ruleSecured, "Requests that overlap are checked by the credential of the one that came last.",
			func(s *service) {
				var valid atomic.Bool
				before := s.admit
				s.admit = func(c *call) bool {
					valid.Store(before(c))
					s.sleep(time.Millisecond)
					return valid.Load()
				}
			}),
	}
}
