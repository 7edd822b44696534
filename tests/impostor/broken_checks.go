package impostor

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

const (
	ruleChecked  = "an invalid body is refused"
	ruleNoFailed = "an invalid body gets 400, no failure of the service"
)

// brokenChecks let invalid bodies pass, or stumble over them.
func brokenChecks() []Variant {
	return slices.Concat(acceptedBodies(), acceptedNames(), acceptedCategories(), acceptedStatuses(), failedChecks(), keptRefusals())
}

func acceptedBodies() []Variant {
	unnamed := func(_ string, d *draft) { d.name, d.category = "unnamed", 1 }
	// salvaged takes name and category from text that only looks like JSON.
	salvaged := func(text string, d *draft) {
		d.name, d.category = "unnamed", 1
		if _, rest, ok := strings.Cut(text, "name"); ok {
			rest = strings.TrimLeft(rest, `"': `)
			if end := strings.IndexAny(rest, "\"',}\n"); end > 0 {
				d.name = rest[:end]
			}
		}
	}
	firstObject := func(text string, d *draft) {
		d.name, d.category = "unnamed", 1
		begin := strings.IndexByte(text, '{')
		if begin < 0 {
			return
		}
		end := strings.IndexByte(text[begin:], '}')
		if end < 0 {
			return
		}
		fields, f := readObject([]byte(text[begin : begin+end+1]))
		if f != "" {
			return
		}
		_ = readName(lastOf(fields, "name"), d)
		_ = readCategory(lastOf(fields, "categoryId"), d)
		_ = readPetStatus(lastOf(fields, "status"), d)
	}
	return []Variant{
		broken("accepts-relaxed-json", ruleChecked, "Comments, commas at the end, single quotes and bare keys pass for JSON.",
			func(s *service) {
				before := s.forgive
				s.forgive = func(c *call, f flaw, text string, d *draft) bool {
					if f != bodyMalformed || !isRelaxed(text) {
						return before(c, f, text, d)
					}
					salvaged(text, d)
					return true
				}
			}),
		broken("accepts-second-object", ruleChecked, "A second object after the first is ignored; other text is not.", func(s *service) {
			before := s.forgive
			s.forgive = func(c *call, f flaw, text string, d *draft) bool {
				if f != bodyTrailing || !strings.HasSuffix(strings.TrimSpace(text), "}") {
					return before(c, f, text, d)
				}
				firstObject(text, d)
				return true
			}
		}),
		broken("accepts-no-object", ruleChecked, "A number, a string, true or null for a body makes an unnamed animal.", func(s *service) {
			before := s.forgive
			s.forgive = func(c *call, f flaw, text string, d *draft) bool {
				if f != bodyNoObject || jsonType(strings.TrimSpace(text)) == '[' {
					return before(c, f, text, d)
				}
				unnamed(text, d)
				return true
			}
		}),
		broken("accepts-null-body", ruleChecked, "null for a body makes an unnamed animal.", func(s *service) {
			before := s.forgive
			s.forgive = func(c *call, f flaw, text string, d *draft) bool {
				if strings.TrimSpace(text) != "null" || f != bodyNoObject {
					return before(c, f, text, d)
				}
				unnamed(text, d)
				return true
			}
		}),
		broken("accepts-empty-object", ruleChecked, "An empty object makes an unnamed animal.", func(s *service) {
			before := s.readDraft
			s.readDraft = func(c *call) (draft, *refusal) {
				if fields, f := readObject(c.body); f == "" && len(fields) == 0 {
					return draft{name: "unnamed", category: 1}, nil
				}
				return before(c)
			}
		}),
	}
}

// isRelaxed reports whether a lenient reader would take a text for JSON.
func isRelaxed(text string) bool {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		return false
	}
	inner := strings.TrimSpace(strings.Trim(text, "{}"))
	return strings.HasSuffix(inner, ",") || strings.Contains(text, "//") || strings.Contains(text, "/*") ||
		strings.Contains(text, "'") || inner != "" && inner[0] != '"'
}

func acceptedNames() []Variant {
	as := func(name string) func(string, *draft) { return func(_ string, d *draft) { d.name = name } }
	asText := func(text string, d *draft) { d.name = text }
	return []Variant{
		broken("accepts-list-name", ruleChecked, "A list for a name is taken as text.", accept(func(text string, d *draft) {
			d.name = strings.Trim(text, `[]"`)
		}, nameArray)),
		broken("accepts-object-name", ruleChecked, "An object for a name is taken as text, as objects in scripts are.",
			accept(as("[object Object]"), nameObject)),
		broken("accepts-any-name", ruleChecked, "Whatever comes as a name is taken as text.",
			accept(asText, nameNumber, nameBoolean, nameArray, nameObject)),
		broken("accepts-number-name-verbatim", ruleChecked, "A number for a name is stored and shown as a number.", verbatimName(nameNumber)),
	}
}

// verbatimName shows a name of another type as it came.
func verbatimName(f flaw) change {
	return func(s *service) {
		accept(func(text string, d *draft) { d.name = "\x00verbatim " + text }, f)(s)
		editPet(func(o object) object {
			if text, ok := strings.CutPrefix(o.value("name").(string), "\x00verbatim "); ok {
				return o.with("name", raw(text))
			}
			return o
		}, listPets, createPet, getPet)(s)
	}
}

func acceptedCategories() []Variant {
	as := func(n int64) func(string, *draft) { return func(_ string, d *draft) { d.category = n } }
	// number reads what digits there are.
	number := func(text string, d *draft) {
		d.category, _ = strconv.ParseInt(strings.TrimSpace(strings.Trim(text, `[]"`)), 10, 64)
	}
	float := func(round func(float64) float64) func(string, *draft) {
		return func(text string, d *draft) {
			f, _ := strconv.ParseFloat(text, 64)
			d.category = int64(round(f))
		}
	}
	return []Variant{
		broken("accepts-text-category", ruleChecked, "A string for a categoryId is read as a number, or as 0.", accept(number, categoryText)),
		broken("accepts-empty-category", ruleChecked, "An empty string for a categoryId counts as 0.", func(s *service) {
			before := s.forgive
			s.forgive = func(c *call, f flaw, text string, d *draft) bool {
				return f == categoryText && text == `""` || before(c, f, text, d)
			}
		}),
		broken("accepts-list-category", ruleChecked, "A list for a categoryId counts as its first number.", accept(number, categoryArray)),
		broken("accepts-object-category", ruleChecked, "An object for a categoryId counts as 1.", accept(as(1), categoryObject)),
		broken("accepts-fraction-rounded", ruleChecked, "A fraction for a categoryId is rounded.", accept(float(math.Round), categoryFraction)),
		broken("accepts-range-clamped", ruleChecked, "A categoryId beyond 64 bits counts as the nearest that fits.", accept(func(text string, d *draft) {
			d.category = math.MaxInt64
			if strings.HasPrefix(text, "-") {
				d.category = math.MinInt64
			}
		}, categoryRange)),
		broken("accepts-range-verbatim", ruleChecked, "A categoryId beyond 64 bits is stored and shown as it came.", func(s *service) {
			var wide sync.Map // the text by the name
			accept(func(text string, d *draft) { wide.Store(d.name, raw(text)) }, categoryRange)(s)
			editPet(func(o object) object {
				if text, ok := wide.Load(o.value("name")); ok {
					return o.with("categoryId", text)
				}
				return o
			}, listPets, createPet, getPet)(s)
		}),
	}
}

func acceptedStatuses() []Variant {
	none := func(string, *draft) {}
	verbatim := func(text string, d *draft) { d.status, _ = unquote(text) }
	return []Variant{
		broken("accepts-unknown-status", ruleChecked, "An unknown status is stored and shown as it came.",
			accept(verbatim, statusUnknown, statusCase)),
		broken("accepts-unknown-status-as-none", ruleChecked, "An unknown status counts as none.", accept(none, statusUnknown)),
		broken("accepts-status-case-verbatim", ruleChecked, "A status in another case is stored and shown as it came.",
			accept(verbatim, statusCase)),
		broken("accepts-any-status-type", ruleChecked, "A status that is no string counts as none.", accept(none, statusNoText)),
		broken("accepts-listed-status", ruleChecked, "A list with one status in it counts as that status.", func(s *service) {
			before := s.forgive
			s.forgive = func(c *call, f flaw, text string, d *draft) bool {
				if f != statusNoText || jsonType(text) != '[' {
					return before(c, f, text, d)
				}
				if inner, ok := unquote(strings.Trim(text, "[] ")); ok && isStatus(inner) {
					d.status = inner
				}
				return true
			}
		}),
	}
}

func failedChecks() []Variant {
	var all []Variant
	for _, t := range []struct {
		name, what string
		flaws      []flaw
	}{
		{"no-body", "A missing body", []flaw{bodyAbsent}},
		{"malformed", "A body that is not JSON", []flaw{bodyMalformed}},
		{"trailing-text", "Text after the JSON value", []flaw{bodyTrailing}},
		{"no-object", "A body that is no object", []flaw{bodyNoObject}},
		{"no-name", "A missing name", []flaw{nameMissing}},
		{"null-name", "A null name", []flaw{nameNull}},
		{"name-type", "A name that is no string", []flaw{nameNumber, nameBoolean, nameArray, nameObject}},
		{"no-category", "A missing categoryId", []flaw{categoryMissing}},
		{"null-category", "A null categoryId", []flaw{categoryNull}},
		{"text-category", "A string for a categoryId", []flaw{categoryText}},
		{"nested-category", "A list or an object for a categoryId", []flaw{categoryArray, categoryObject}},
		{"fraction", "A fraction for a categoryId", []flaw{categoryFraction}},
		{"range", "A categoryId beyond 64 bits", []flaw{categoryRange}},
		{"null-status", "A null status", []flaw{statusNull}},
		{"status-type", "A status that is no string", []flaw{statusNoText}},
		{"unknown-status", "A status that the database does not know", []flaw{statusUnknown, statusCase, statusEmpty}},
	} {
		all = append(all, broken("fails-on-"+t.name, ruleNoFailed, t.what+" gets 500.", rejectWith(500, t.flaws...)))
	}
	return all
}

func keptRefusals() []Variant {
	// half stores what can be read of a body that got 400.
	half := func(flaws ...flaw) change {
		return func(s *service) {
			before := s.blame
			s.blame = func(c *call, f flaw) *refusal {
				fields, _ := readObject(c.body)
				if name, ok := unquote(lastOf(fields, "name")); ok && slices.Contains(flaws, f) {
					s.keep(c, s.animalOf(draft{name: name, category: 1}))
				}
				return before(c, f)
			}
		}
	}
	return []Variant{
		broken("stores-null-status", ruleNoEffect, "An animal with a null status gets 400 and is stored without it.", half(statusNull, statusNoText)),
	}
}
