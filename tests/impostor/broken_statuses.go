package impostor

import (
	"fmt"
	"net/http"
	"strings"
)

const (
	ruleCreated      = "createPet answers 201"
	ruleListed       = "listPets answers 200"
	ruleRead         = "getPet answers 200"
	ruleUnauthorized = "a missing or invalid credential gets 401"
	ruleBadRequest   = "an invalid body gets 400"
	ruleNotFound     = "an unknown identifier gets 404"
)

// brokenStatuses answer by a status that the operation does not document.
func brokenStatuses() []Variant {
	return append(append(wrongSuccess(), wrongErrors()...), wrongRedirects()...)
}

func wrongSuccess() []Variant {
	var all []Variant
	for _, t := range []struct {
		op   operation
		from int
		to   []int
		rule string
	}{
		{createPet, 201, []int{203, 206, 302}, ruleCreated},
		{listPets, 200, []int{203}, ruleListed},
		{getPet, 200, []int{203, 300}, ruleRead},
	} {
		for _, to := range t.to {
			all = append(all, broken(fmt.Sprintf("status-%s-%d", t.op, to), t.rule,
				fmt.Sprintf("A successful %s is answered by %d.", t.op, to), setStatus(on(t.op, t.from), to)))
		}
	}
	return append(all,
		broken("status-create-202-pending", ruleCreated, "Creating a pending animal is answered by 202.",
			editAnswer(on(createPet, 201), func(_ *call, a *answer) {
				if a.body.(object).value("status") == "pending" {
					a.status = 202
				}
			})),
		broken("status-create-200-without-status", ruleCreated, "Creating an animal without a status is answered by 200.",
			editAnswer(on(createPet, 201), func(c *call, a *answer) {
				if !strings.Contains(string(c.body), `"status"`) {
					a.status = 200
				}
			})),
		broken("status-list-204-empty-store", ruleListed, "The list of an empty store is answered by 204.",
			emptyList(false, func(a *answer) { a.status, a.body = 204, nil; a.header["Content-Type"] = nil })),
	)
}

func wrongErrors() []Variant {
	var all []Variant
	for _, t := range []struct {
		from int
		to   []int
		rule string
	}{
		{401, []int{402, 407, 419, 200}, ruleUnauthorized},
		{400, []int{404, 406, 415, 501}, ruleBadRequest},
		{404, []int{403, 422}, ruleNotFound},
	} {
		for _, to := range t.to {
			m := with(t.from)
			switch t.from {
			case 400:
				m = on(createPet, 400)
			case 404:
				m = on(getPet, 404)
			}
			all = append(all, broken(fmt.Sprintf("status-%d-for-%d", to, t.from), t.rule,
				fmt.Sprintf("Where %d is due, %d is answered, with the Error body.", t.from, to),
				setStatus(m, to)))
		}
	}
	return append(all,
		broken("status-get-404-for-401", ruleUnauthorized, "getPet hides itself by 404 without a valid credential.",
			setStatus(on(getPet, 401), 404)),
		broken("status-403-wrong-key", ruleUnauthorized, "A key that is wrong gets 403; no key gets 401.",
			setStatus(credentialed(func(_, token string, present bool) bool { return present && token != "" }), 403)),
		broken("status-400-no-header", ruleUnauthorized, "A request without the Authorization header gets 400.",
			setStatus(credentialed(func(_, _ string, present bool) bool { return !present }), 400)),
		broken("status-400-empty-token", ruleUnauthorized, "An empty bearer token gets 400.",
			setStatus(credentialed(func(scheme, token string, _ bool) bool {
				return strings.EqualFold(scheme, "bearer") && token == ""
			}), 400)),
		broken("status-400-other-scheme", ruleUnauthorized, "Another scheme than Bearer gets 400.",
			setStatus(credentialed(func(scheme, _ string, present bool) bool {
				return present && !strings.EqualFold(scheme, "bearer")
			}), 400)),
		broken("status-500-empty-token", ruleUnauthorized, "An empty bearer token gets 500.",
			setStatus(credentialed(func(scheme, token string, _ bool) bool {
				return strings.EqualFold(scheme, "bearer") && token == ""
			}), 500)),
		broken("status-422-unknown-status", ruleBadRequest, "A body with an unknown status gets 422.",
			rejectWith(422, statusUnknown, statusCase, statusEmpty, statusNull, statusNoText)),
		broken("status-422-missing-field", ruleBadRequest, "A body that lacks a field gets 422.",
			rejectWith(422, nameMissing, categoryMissing)),
		broken("status-422-wrong-type", ruleBadRequest, "A field of another type gets 422.",
			rejectWith(422, nameNumber, nameBoolean, nameArray, nameObject, categoryText, categoryBoolean, categoryArray, categoryObject)),
		broken("status-409-null", ruleBadRequest, "A null in a field gets 409.", rejectWith(409, nameNull, categoryNull, statusNull)),
		broken("status-415-malformed", ruleBadRequest, "A body that is not JSON gets 415.", rejectWith(415, bodyMalformed)),
		broken("status-411-no-body", ruleBadRequest, "A request without a body gets 411.", rejectWith(411, bodyAbsent)),
		broken("status-413-range", ruleBadRequest, "A categoryId beyond 64 bits gets 413.", rejectWith(413, categoryRange)),
		broken("status-422-not-object", ruleBadRequest, "A body that is no object gets 422.", rejectWith(422, bodyNoObject)),
		broken("status-422-trailing", ruleBadRequest, "Text after the JSON value gets 422.", rejectWith(422, bodyTrailing)),
		broken("status-404-with-200-null", ruleNotFound, "Asked for an unknown animal, the service answers null with 200.",
			setStatus(on(getPet, 404), 200), editBody(on(getPet, 200), func(body any) any {
				if body.(object).has("code") {
					return nullBody
				}
				return body
			})),
		broken("status-404-with-200-empty", ruleNotFound, "Asked for an unknown animal, the service answers {} with 200.",
			editAnswer(on(getPet, 404), func(_ *call, a *answer) { a.status, a.body = 200, object{} })),
		broken("status-404-with-200-list", ruleNotFound, "Asked for an unknown animal, the service answers [] with 200.",
			editAnswer(on(getPet, 404), func(_ *call, a *answer) { a.status, a.body = 200, array{} })),
	)
}

// nullBody is a body that says null, as opposed to none.
const nullBody = raw("null")

// credentialed selects answers 401 by the credential that led to them.
func credentialed(f func(scheme, token string, present bool) bool) match {
	return func(c *call, a *answer) bool {
		if c.op == elsewhere || a.status != 401 {
			return false
		}
		return f(credential(c))
	}
}

func wrongRedirects() []Variant {
	return []Variant{
		broken("redirect-slash-list", ruleListed, "The list is served under a trailing slash only; without it comes 301.",
			redirected(301, listPets)),
		broken("redirect-slash-create", ruleCreated, "Animals are created under a trailing slash only; without it comes 307.",
			redirected(307, createPet)),
		broken("redirect-slash-get", ruleRead, "Animals are read under a trailing slash only; without it comes 308.",
			redirected(308, getPet)),
		broken("redirect-slash-all", "documented statuses only", "Everything is served under a trailing slash; without it comes 308.",
			redirected(308, listPets, createPet, getPet)),
		broken("redirect-after-create", ruleCreated, "A creation is answered by 303 to the new animal.",
			func(s *service) {
				editAnswer(on(createPet, 201), func(_ *call, a *answer) {
					a.status = 303
					a.header.Set("Location", fmt.Sprintf("%s/pets/%d", s.prefix, a.body.(object).value("id")))
				})(s)
			}),
		broken("redirect-to-login", ruleUnauthorized, "Without a valid credential comes 302 to a page for logging in.",
			editAnswer(with(401), func(_ *call, a *answer) {
				a.status, a.body = 302, nil
				a.header.Set("Location", "/login")
			})),
		broken("redirect-unknown-to-list", ruleNotFound, "An unknown animal leads to the list by 302.",
			func(s *service) {
				editAnswer(on(getPet, 404), func(_ *call, a *answer) {
					a.status, a.body = 302, nil
					a.header.Set("Location", s.prefix+"/pets")
				})(s)
			}),
		broken("redirect-filter", ruleListed, "A filtered list leads to another path by 302.", func(s *service) {
			route := s.route
			s.route = func(r *http.Request) (operation, string) {
				if status, ok := strings.CutPrefix(r.URL.Path, s.prefix+"/pets/by-status/"); ok {
					query := r.URL.Query()
					query.Set("status", status)
					r.URL.RawQuery = query.Encode()
					return listPets, ""
				}
				return route(r)
			}
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				status := c.req.URL.Query().Get("status")
				if c.op != listPets || !isStatus(status) || strings.Contains(c.req.URL.Path, "by-status") {
					return next(c)
				}
				return &answer{status: 302, header: http.Header{"Location": {
					s.prefix + "/pets/by-status/" + status + "?" + c.req.URL.RawQuery}}}
			})(s)
		}),
	}
}

// redirected serves the operations under paths that end in a slash.
func redirected(status int, ops ...operation) change {
	return func(s *service) {
		route := s.route
		s.route = func(r *http.Request) (operation, string) {
			trimmed := r.Clone(r.Context())
			trimmed.URL.Path = strings.TrimSuffix(r.URL.Path, "/")
			return route(trimmed)
		}
		wrapHandler(func(_ *service, c *call, next func(*call) *answer) *answer {
			slash := strings.HasSuffix(c.req.URL.Path, "/")
			for _, op := range ops {
				if c.op == op && !slash {
					to := c.req.URL.EscapedPath() + "/"
					if c.req.URL.RawQuery != "" {
						to += "?" + c.req.URL.RawQuery
					}
					return &answer{status: status, header: http.Header{"Location": {to}}}
				}
			}
			return next(c)
		})(s)
	}
}
