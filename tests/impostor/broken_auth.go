package impostor

import (
	"slices"
	"strings"
	"sync"
)

const (
	ruleSecured   = "every operation is secured"
	ruleValidKey  = "only the key itself is valid"
	ruleScheme    = "the credential is a bearer token"
	ruleAuthFirst = "401 comes before any other error"
	ruleNoEffect  = "a refused request changes nothing"
)

// brokenAuth accept credentials that they should refuse, or the other way round.
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

func openDoors() []Variant {
	filter := func(name string) func(*service, *call, string, string, bool) bool {
		return func(_ *service, c *call, _, _ string, _ bool) bool { return c.req.URL.Query().Has(name) }
	}
	return []Variant{
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
	}
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
	return []Variant{
		broken("auth-part", ruleValidKey, "Any part of the key is accepted.", lenient(token(strings.Contains))),
		broken("auth-longer", ruleValidKey, "Any token longer than the key is accepted.",
			lenient(token(func(key, token string) bool { return len(token) > len(key) }))),
		broken("auth-shorter", ruleValidKey, "Any token shorter than the key is accepted.",
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
		broken("auth-after-empty-body", ruleAuthFirst, "A missing body gets 400 even without a valid credential.",
			first(createPet, 400, hasFlaw(bodyAbsent))),
		broken("auth-stores-anyway", ruleNoEffect, "An animal that gets 401 is stored all the same.", storing(401, always)),
	}
}

// simulate makes the response to a call that need not be admitted, unless the call would change something.
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
	}
}
