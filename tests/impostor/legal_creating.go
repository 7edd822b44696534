package impostor

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// legalCreating differ in which bodies they take and what they make of them.
func legalCreating() []Variant {
	return []Variant{
		legal("default-available", "Without a status an animal is available.", assumeStatus("available")),
		legal("default-pending", "Without a status an animal is pending.", assumeStatus("pending")),
		legal("default-sold", "Without a status an animal is sold.", assumeStatus("sold")),
		legal("default-varies", "Without a status an animal gets any of the three, or none.", func(s *service) {
			s.presume = func(draft) string { return statusAt(rand.IntN(4)) }
		}),
		legal("body-unknown-refused", "Unknown fields in the body get 400.",
			refuse(400, "unknown field", func(_ *service, d draft) bool { return len(unknownFields(d)) > 0 })),
		legal("body-id-refused", "An id in the body gets 400.",
			refuse(400, "the id is ours to assign", func(_ *service, d draft) bool { return lastOf(d.given, "id") != "" })),
		legal("body-unknown-kept", "Unknown fields in the body, other than id, are stored and shown.", keepUnknown()),
		legal("body-duplicates-refused", "A field given twice gets 400.",
			refuse(400, "a field is repeated", func(_ *service, d draft) bool {
				seen := map[string]bool{}
				for _, f := range d.given {
					if seen[f.name] {
						return true
					}
					seen[f.name] = true
				}
				return false
			})),
		legal("body-first-duplicate-wins", "Of a field given twice the first counts.", func(s *service) {
			s.pick = func(fields []field, name string) string {
				for _, f := range fields {
					if f.name == name {
						return f.text
					}
				}
				return ""
			}
		}),
		legal("body-any-integer-notation", "A categoryId such as 1.0 or 1e0 is taken for the integer it is.",
			accept(func(text string, d *draft) {
				n, _ := exactly(text)
				d.category = n.Num().Int64()
			}, categoryNotation)),
		legal("body-media-400", "A body that is not called JSON gets 400.", mediaRefused(400, false)),
		legal("body-media-415", "A body that is not called JSON gets 415.", mediaRefused(415, false)),
		legal("body-media-415-or-missing", "A body that is not called JSON, or called nothing, gets 415.", mediaRefused(415, true)),
		legal("body-none-415", "What is not called JSON gets 415, also where there is no body at all.", mediaRequired(415)),
		legal("names-up-to-40", "Names of more than 40 characters get 400.", namesRefused(func(name string) bool {
			return utf8.RuneCountInString(name) > 40
		})),
		legal("names-unicode-only", "Names with U+FFFD, which stands for what is not Unicode, get 400.", namesRefused(func(name string) bool {
			return strings.ContainsRune(name, utf8.RuneError)
		})),
		legal("names-unicode-left-out", "What is not Unicode is left out of names.", func(s *service) {
			before := s.readDraft
			s.readDraft = func(c *call) (draft, *refusal) {
				d, no := before(c)
				if text := strings.ToLower(lastOf(d.given, "name")); !strings.Contains(text, "\ufffd") && !strings.Contains(text, `\ufffd`) {
					d.name = strings.ReplaceAll(d.name, "\ufffd", "")
				}
				return d, no
			}
		}),
		legal("names-up-to-255-bytes", "Names of more than 255 bytes get 400.", namesRefused(func(name string) bool {
			return len(name) > 255
		})),
		legal("names-not-empty", "An empty name gets 400.", namesRefused(func(name string) bool { return name == "" })),
		legal("names-not-blank", "A blank name gets 400.", namesRefused(func(name string) bool {
			return strings.TrimSpace(name) == ""
		})),
		legal("names-no-control", "Control characters in a name get 400.", namesRefused(func(name string) bool {
			return strings.ContainsFunc(name, unicode.IsControl)
		})),
		legal("names-ascii", "Names with anything but ASCII get 400.", namesRefused(func(name string) bool {
			return strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII })
		})),
		legal("names-no-emoji", "Names with anything beyond the basic plane get 400.", namesRefused(func(name string) bool {
			return strings.ContainsFunc(name, func(r rune) bool { return r > 0xffff })
		})),
		legal("names-no-markup", "Names with quotes, markup or semicolons get 400.", namesRefused(func(name string) bool {
			return strings.ContainsAny(name, "<>&\"'`;")
		})),
		legal("names-no-nul", "The character zero in a name gets 400.", namesRefused(func(name string) bool {
			return strings.ContainsRune(name, 0)
		})),
		legal("names-once", "A name that the store has already gets 400.", refuse(400, "the name is taken",
			func(s *service, d draft) bool {
				for _, a := range s.store.all() {
					if a.name == d.name {
						return true
					}
				}
				return false
			})),
		legal("names-strict", "Only printable ASCII of 1 to 40 characters, not blank, without quotes, markup or semicolons, makes a name.",
			namesRefused(func(name string) bool {
				return strings.TrimSpace(name) == "" || len(name) > 40 ||
					strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune("<>&\"'`;", r) })
			})),
		legal("categories-only-1", "Any category but 1 gets 400.", categoriesRefused(func(n int64) bool { return n != 1 })),
		legal("categories-positive", "A category of 0 or less gets 400.", categoriesRefused(func(n int64) bool { return n <= 0 })),
		legal("categories-32-bits", "A category beyond 32 bits gets 400.", categoriesRefused(func(n int64) bool { return int64(int32(n)) != n })),
		legal("categories-53-bits", "A category that a float64 could not hold gets 400.",
			categoriesRefused(func(n int64) bool { return n > 1<<53 || n < -1<<53 })),
		legal("bodies-up-to-8k", "Bodies of more than 8 KiB get 400.",
			refuse(400, "the body is too long", func(_ *service, d draft) bool {
				size := 0
				for _, f := range d.given {
					size += len(f.name) + len(f.text) + 4
				}
				return size > 8<<10
			})),
	}
}

func assumeStatus(status string) change {
	return func(s *service) { s.presume = func(draft) string { return status } }
}

func namesRefused(bad func(name string) bool) change {
	return refuse(400, "this name is not to our liking", func(_ *service, d draft) bool { return bad(d.name) })
}

func categoriesRefused(bad func(n int64) bool) change {
	return refuse(400, "there is no such category", func(_ *service, d draft) bool { return bad(d.category) })
}

// unknownFields are those that the interface does not define.
func unknownFields(d draft) []field {
	var unknown []field
	for _, f := range d.given {
		if f.name != "name" && f.name != "categoryId" && f.name != "status" {
			unknown = append(unknown, f)
		}
	}
	return unknown
}

func keepUnknown() change {
	return func(s *service) {
		s.create = func(c *call) *answer {
			d, no := s.readDraft(c)
			if no == nil {
				no = s.vet(c, d)
			}
			if no != nil {
				return s.failure(c, *no)
			}
			a := s.animalOf(d)
			for _, f := range unknownFields(d) {
				if f.name != "id" && !a.extra.has(f.name) {
					a.extra = append(a.extra, member{f.name, raw(f.text)})
				}
			}
			return success(201, s.showPet(c, s.keep(c, a)))
		}
	}
}

// mediaRequired rejects all that is not called JSON, before it looks for a
// body.
func mediaRequired(status int) change {
	return func(s *service) {
		next := s.create
		s.create = func(c *call) *answer {
			media, _, _ := strings.Cut(c.req.Header.Get("Content-Type"), ";")
			if strings.EqualFold(strings.TrimSpace(media), "application/json") {
				return next(c)
			}
			return s.failure(c, refusal{status, "media_type_" + strconv.Itoa(status), "send application/json"})
		}
	}
}

// mediaRefused rejects bodies by their Content-Type; if missing too, those
// that come without one.
func mediaRefused(status int, missing bool) change {
	return func(s *service) {
		next := s.create
		s.create = func(c *call) *answer {
			media, _, _ := strings.Cut(c.req.Header.Get("Content-Type"), ";")
			media = strings.ToLower(strings.TrimSpace(media))
			if len(c.body) == 0 || media == "application/json" || media == "" && !missing {
				return next(c)
			}
			return s.failure(c, refusal{status, "media_type_" + strconv.Itoa(status), "send application/json"})
		}
	}
}
