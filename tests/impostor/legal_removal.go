package impostor

import "net/http"

// legalRemoval are judged on or after the day on which getPet may be gone.
func legalRemoval() []Variant {
	at := func(day string, v Variant) Variant {
		v.Now = day
		return v
	}
	return []Variant{
		at("2030-12-06", legal("removed-410", "After its day getPet is gone, with 410.", goneWith(410))),
		at("2030-12-05", legal("removed-on-the-day", "On its day getPet is gone, with 410.", goneWith(410))),
		at("2030-12-06", legal("removed-404", "After its day getPet finds nothing any more.", goneWith(404))),
		at("2031-06-01", legal("removed-501", "Half a year after its day getPet is answered by 501.", goneWith(501))),
		at("2030-12-06", legal("removed-route", "After its day the path of getPet is just not there, with or without a credential.",
			wrapHandler(func(_ *service, c *call, next func(*call) *answer) *answer {
				if c.op == getPet {
					return &answer{status: 404, header: http.Header{"Content-Type": {"text/plain"}}, body: raw("404 page not found\n")}
				}
				return next(c)
			}))),
		at("2030-12-06", legal("removed-redirect", "After its day getPet leads to listPets by 301.",
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				if c.op == getPet {
					return &answer{status: 301, header: http.Header{"Location": {s.prefix + "/pets"}}}
				}
				return next(c)
			}))),
		at("2030-12-06", legal("removed-stocked", "After its day getPet is gone, and lists are full of others' animals.",
			goneWith(410), seeded(200, plainAnimal))),
		at("2030-12-06", legal("removal-late", "After its day getPet still works.")),
		at("2030-12-04", legal("removal-the-day-before", "On the day before, getPet works as ever.")),
	}
}

// goneWith refuses every admitted getPet.
func goneWith(status int) change {
	return func(s *service) {
		s.get = func(c *call) *answer {
			return s.failure(c, refusal{status, "removed", "use listPets with its status filter"})
		}
	}
}
