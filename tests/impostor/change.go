package impostor

import (
	"slices"
	"sync/atomic"
)

// change turns one service into another.
type change func(*service)

// match selects answers.
type match func(*call, *answer) bool

// on selects the responses of one operation with one status.
func on(op operation, status int) match {
	return func(c *call, a *answer) bool { return c.op == op && a.status == status }
}

// with selects the responses of all operations that have the status.
func with(status int) match {
	return func(c *call, a *answer) bool { return c.op != elsewhere && a.status == status }
}

// failed selects all error responses.
func failed(c *call, a *answer) bool { return c.op != elsewhere && a.status >= 400 }

// succeeded selects all responses that are no errors.
func succeeded(c *call, a *answer) bool { return c.op != elsewhere && a.status < 300 }

// always selects all responses of the three operations.
func always(c *call, _ *answer) bool { return c.op != elsewhere }

// editAnswer does something to the selected answers before they are written.
func editAnswer(m match, do func(*call, *answer)) change {
	return func(s *service) {
		before := s.finish
		s.finish = func(c *call, a *answer) {
			before(c, a)
			if m(c, a) {
				do(c, a)
			}
		}
	}
}

// setStatus sends another status; an Error body repeats the new one.
func setStatus(m match, status int) change {
	return editAnswer(m, func(_ *call, a *answer) {
		if o, ok := a.body.(object); ok && a.status >= 400 && o.has("status") {
			a.body = o.with("status", status)
		}
		a.status = status
		if status == 204 {
			a.body = nil
			a.header["Content-Type"] = nil
		}
	})
}

// setContentType sends another Content-Type; none at all if it is empty.
func setContentType(m match, media string) change {
	return editAnswer(m, func(_ *call, a *answer) {
		a.header["Content-Type"] = nil
		if media != "" {
			a.header.Set("Content-Type", media)
		}
	})
}

// editBody sends another body.
func editBody(m match, f func(body any) any) change {
	return editAnswer(m, func(_ *call, a *answer) { a.body = f(a.body) })
}

// editObject does something to the body of the selected answers, an object.
func editObject(m match, f func(object) object) change {
	return editBody(m, func(body any) any {
		if o, ok := body.(object); ok {
			return f(o)
		}
		return body
	})
}

// editText changes the text of the body once it is written.
func editText(m match, f func(text []byte) []byte) change {
	return func(s *service) {
		before := s.render
		s.render = func(c *call, a *answer) []byte {
			text := before(c, a)
			if m(c, a) {
				return f(text)
			}
			return text
		}
	}
}

// styled writes all bodies in the style.
func styled(st style) change {
	return func(s *service) {
		s.render = func(_ *call, a *answer) []byte {
			if a.body == nil {
				return nil
			}
			return st.text(a.body)
		}
	}
}

// editPet changes how the given operations show an animal.
func editPet(f func(object) object, ops ...operation) change {
	return func(s *service) {
		before := s.showPet
		s.showPet = func(c *call, a animal) any {
			shown := before(c, a)
			if o, ok := shown.(object); ok && slices.Contains(ops, c.op) {
				return f(o)
			}
			return shown
		}
	}
}

// editDraft changes what was asked for before it is stored.
func editDraft(f func(*draft)) change {
	return func(s *service) {
		before := s.readDraft
		s.readDraft = func(c *call) (draft, *refusal) {
			d, no := before(c)
			if no == nil {
				f(&d)
			}
			return d, no
		}
	}
}

// accept lets bodies with the flaw pass; f makes the best of the text.
func accept(f func(text string, d *draft), flaws ...flaw) change {
	return func(s *service) {
		before := s.forgive
		s.forgive = func(c *call, found flaw, text string, d *draft) bool {
			if slices.Contains(flaws, found) {
				f(text, d)
				return true
			}
			return before(c, found, text, d)
		}
	}
}

// rejectWith answers bodies with the flaws by another status than 400.
func rejectWith(status int, flaws ...flaw) change {
	return func(s *service) {
		before := s.blame
		s.blame = func(c *call, f flaw) *refusal {
			no := before(c, f)
			if slices.Contains(flaws, f) {
				no.status = status
			}
			return no
		}
	}
}

// refuse rejects drafts that are valid but not to the service's liking.
func refuse(status int, why string, disliked func(s *service, d draft) bool) change {
	return func(s *service) {
		before := s.vet
		s.vet = func(c *call, d draft) *refusal {
			if no := before(c, d); no != nil {
				return no
			}
			if disliked(s, d) {
				return &refusal{status, "refused", why}
			}
			return nil
		}
	}
}

// wrapHandler wraps the handling of every call.
func wrapHandler(f func(s *service, c *call, next func(*call) *answer) *answer) change {
	return func(s *service) {
		next := s.handle
		s.handle = func(c *call) *answer { return f(s, c, next) }
	}
}

// wrapFind wraps the search for an animal.
func wrapFind(f func(s *service, c *call, id int64, next func(*call, int64) (animal, bool)) (animal, bool)) change {
	return func(s *service) {
		next := s.find
		s.find = func(c *call, id int64) (animal, bool) { return f(s, c, id, next) }
	}
}

// wrapPage wraps the choice of the animals of one list.
func wrapPage(f func(s *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal) change {
	return func(s *service) {
		next := s.page
		s.page = func(c *call, limit int, status string) []animal { return f(s, c, limit, status, next) }
	}
}

// wrapKeep wraps the storing of an animal; what it returns is shown.
func wrapKeep(f func(s *service, c *call, a animal, next func(*call, animal) animal) animal) change {
	return func(s *service) {
		next := s.keep
		s.keep = func(c *call, a animal) animal { return f(s, c, a, next) }
	}
}

// assignIDs assigns ids by the number of the creation, from 0.
func assignIDs(f func(n int64) int64) change {
	return func(s *service) {
		var next atomic.Int64
		s.assignID = func(draft) int64 { return f(next.Add(1) - 1) }
	}
}

// bigIDs assigns adjacent ids that a float64 cannot distinguish.
func bigIDs() change {
	return assignIDs(func(n int64) int64 { return 7345678901234567891 + n })
}

// seeded puts animals of other clients into the store. It takes their ids from
// the service, so it comes after changes to those.
func seeded(n int, others func(i int) animal) change {
	return func(s *service) {
		for i := range n {
			s.seed(others(i))
		}
	}
}

// seed stores an animal of another client.
func (s *service) seed(a animal) {
	a.id = s.assignID(draft{name: a.name, category: a.category, status: a.status})
	a.foreign = true
	s.store.add(a)
}

// everyNth reports whether the call is one of every n.
func everyNth(c *call, n int64) bool { return c.nth%n == 0 }

// counter returns a function that counts its calls, from 1.
func counter() func() int64 {
	var n atomic.Int64
	return func() int64 { return n.Add(1) }
}
