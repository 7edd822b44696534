package impostor

import (
	"net/http"
	"strconv"
	"strings"
)

// legalRequests differ in what they make of requests that the interface does
// not settle.
func legalRequests() []Variant {
	return []Variant{
		legal("limit-clamped", "A limit out of range is clamped to the nearest bound, anything else counts as 20.",
			invalidLimit(clamped)),
		legal("limit-422", "A limit out of range gets 422.", refuseInvalidLimit(422)),
		legal("limit-416", "A limit out of range gets 416.", refuseInvalidLimit(416)),
		legal("limit-404", "A limit out of range gets 404.", refuseInvalidLimit(404)),
		legal("limit-odd-means-default", "A limit out of range counts as 20.",
			invalidLimit(func(string) int { return defaultLimit })),
		legal("limit-odd-means-100", "A limit out of range counts as 100.", invalidLimit(func(string) int { return 100 })),
		legal("limit-odd-means-none", "A limit out of range yields no animals at all.", invalidLimit(func(string) int { return 0 })),
		legal("limit-lenient", "A limit such as 05, +5 or 5.0 counts as 5.", func(s *service) {
			refused := s.invalidLimit
			s.invalidLimit = func(c *call, text string) (int, *refusal) {
				n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
				if err != nil || n < 1 || n > 100 {
					return refused(c, text)
				}
				return int(n), nil
			}
		}),
		legal("filter-unknown-finds-nothing", "An unknown status filter finds nothing.",
			unknownStatus(func(string) string { return "no such status" })),
		legal("filter-unknown-ignored", "An unknown status filter is ignored.", unknownStatus(func(string) string { return "" })),
		legal("filter-unknown-422", "An unknown status filter gets 422.", func(s *service) {
			s.unknownStatus = func(*call, string) (string, *refusal) {
				return "", &refusal{422, "status", "unknown status"}
			}
		}),
		legal("filter-any-case", "The filter's value is read without regard to case.", func(s *service) {
			refused := s.unknownStatus
			s.unknownStatus = func(c *call, text string) (string, *refusal) {
				if lower := strings.ToLower(text); isStatus(lower) {
					return lower, nil
				}
				return refused(c, text)
			}
		}),
		legal("query-unknown-refused", "Query parameters that the service does not know get 400.",
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				a := next(c)
				if c.op == listPets && a.status == 200 {
					for name := range c.req.URL.Query() {
						if name != "limit" && name != "status" {
							return s.failure(c, refusal{400, "unknown_parameter", name})
						}
					}
				}
				return a
			})),
		legal("query-repeated-refused", "A query parameter given twice gets 400.",
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				a := next(c)
				if c.op == listPets && a.status == 200 {
					for name, values := range c.req.URL.Query() {
						if len(values) > 1 {
							return s.failure(c, refusal{400, "repeated_parameter", name})
						}
					}
				}
				return a
			})),
		legal("petid-odd-400", "A petId that is no int64 gets 400.", refuseInvalidID(400)),
		legal("petid-odd-422", "A petId that is no int64 gets 422.", refuseInvalidID(422)),
		legal("petid-odd-414", "A petId that is no int64 gets 414, of all things.", refuseInvalidID(414)),
		legal("petid-lenient", "A petId such as 007 or +7 counts as 7.", func(s *service) {
			refused := s.invalidID
			s.invalidID = func(c *call, text string) (int64, *refusal) {
				if id, err := strconv.ParseInt(text, 10, 64); err == nil {
					return id, nil
				}
				return refused(c, text)
			}
		}),
		legal("auth-exact-scheme", "The scheme must be spelt Bearer; bearer is refused.",
			admit(func(s *service, c *call) bool {
				scheme, _, _ := credential(c)
				return scheme == "Bearer" && s.holdsKey(c)
			})),
		legal("auth-bare-key", "The key alone, with no scheme before it, is accepted too.",
			admit(func(s *service, c *call) bool {
				return s.holdsKey(c) || c.req.Header.Get("Authorization") == s.key
			})),
		legal("auth-key-in-query", "The key is accepted in the query as well.",
			admit(func(s *service, c *call) bool {
				query := c.req.URL.Query()
				return s.holdsKey(c) || query.Get("api_key") == s.key || query.Get("access_token") == s.key
			})),
		legal("auth-key-in-header", "The key is accepted in X-API-Key as well.",
			admit(func(s *service, c *call) bool {
				return s.holdsKey(c) || c.req.Header.Get("X-Api-Key") == s.key
			})),
		legal("auth-codes", "A missing and an invalid credential get errors with different codes.",
			editAnswer(with(401), func(c *call, a *answer) {
				code := "token_invalid"
				if _, _, present := credential(c); !present {
					code = "token_missing"
				}
				a.body = object{{"status", 401}, {"message", "log in"}, {"code", code}}
			})),
		legal("routes-html", "What the interface does not define gets a 404 page in HTML.",
			unknownRoutes(404, "text/html; charset=utf-8", "<!doctype html><title>Not found</title><h1>Not found</h1>")),
		legal("routes-single-page", "What the interface does not define gets the web application, with 200.",
			unknownRoutes(200, "text/html", "<!doctype html><div id=app></div>")),
		legal("routes-guarded", "What the interface does not define gets 401 without a credential, else 404.",
			func(s *service) {
				next := s.handle
				s.handle = func(c *call) *answer {
					if c.op == elsewhere && !s.admit(c) {
						return s.failure(c, refusal{401, "unauthorized", "log in"})
					}
					return next(c)
				}
			}),
		legal("routes-405", "Other methods on known paths get 405.",
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				a := next(c)
				if c.op == elsewhere && strings.HasPrefix(c.req.URL.Path, s.prefix+"/pets") {
					a = s.failure(c, refusal{405, "method", "not allowed"})
					a.header.Set("Allow", "GET, POST")
				}
				return a
			})),
		legal("routes-more", "Orders can be listed, animals updated and deleted, and HEAD and OPTIONS work.", moreRoutes()),
		legal("routes-trailing-slash", "A trailing slash makes no difference.", func(s *service) {
			s.route = func(r *http.Request) (operation, string) {
				trimmed := r.Clone(r.Context())
				trimmed.URL.Path = strings.TrimSuffix(r.URL.Path, "/")
				return s.findRoute(trimmed)
			}
		}),
	}
}

func invalidLimit(meant func(text string) int) change {
	return func(s *service) {
		s.invalidLimit = func(_ *call, text string) (int, *refusal) { return meant(text), nil }
	}
}

func clamped(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return defaultLimit
	}
	return max(1, min(n, 100))
}

func refuseInvalidLimit(status int) change {
	return func(s *service) {
		s.invalidLimit = func(*call, string) (int, *refusal) {
			return 0, &refusal{status, "limit", "the limit is out of range"}
		}
	}
}

func unknownStatus(meant func(text string) string) change {
	return func(s *service) {
		s.unknownStatus = func(_ *call, text string) (string, *refusal) { return meant(text), nil }
	}
}

func refuseInvalidID(status int) change {
	return func(s *service) {
		s.invalidID = func(*call, string) (int64, *refusal) {
			return 0, &refusal{status, "pet_id", "the identifier is not an integer of 64 bits"}
		}
	}
}

func admit(f func(s *service, c *call) bool) change {
	return func(s *service) {
		s.admit = func(c *call) bool { return f(s, c) }
	}
}

func unknownRoutes(status int, media, page string) change {
	return wrapHandler(func(_ *service, c *call, next func(*call) *answer) *answer {
		if c.op == elsewhere {
			return &answer{status: status, header: http.Header{"Content-Type": {media}}, body: raw(page)}
		}
		return next(c)
	})
}

// moreRoutes serves a few of the things that the interface leaves out.
func moreRoutes() change {
	return wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
		if c.op != elsewhere {
			return next(c)
		}
		path := strings.TrimPrefix(c.req.URL.Path, s.prefix)
		if c.req.Method == http.MethodOptions {
			return success(204, nil)
		}
		if !s.admit(c) {
			return next(c)
		}
		switch {
		case c.req.Method == http.MethodGet && path == "/store/orders":
			return success(200, object{{"orders", array{object{{"id", "o-1"}, {"petId", 1}}}}, {"next", nil}})
		case c.req.Method == http.MethodHead && path == "/pets":
			return success(200, nil)
		}
		return next(c)
	})
}
