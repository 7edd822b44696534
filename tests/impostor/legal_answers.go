package impostor

import (
	"slices"
	"strconv"
	"unicode"
)

// legalAnswers differ in how they say the same.
func legalAnswers() []Variant {
	return []Variant{
		legal("pet-more-fields", "Animals are shown with many more fields.", editPet(func(o object) object {
			return append(o,
				member{"category", object{{"id", "c-1"}, {"name", nil}}},
				member{"photoUrls", array{}},
				member{"tags", array{object{{"id", raw("0.5")}, {"name", "a tag"}}}},
				member{"createdAt", "2026-01-02T03:04:05Z"},
				member{"owner", nil},
				member{"price", raw("12.50")},
				member{"_links", object{{"self", object{{"href", "/v1/pets"}}}}},
			)
		}, listPets, createPet, getPet)),
		legal("pet-more-fields-first", "Animals are shown with further fields before the known ones.", editPet(func(o object) object {
			return append(object{{"$type", "Pet"}, {"ID", nil}, {"Name", 1}, {"category_id", "x"}, {"Status", false}}, o...)
		}, listPets, createPet, getPet)),
		legal("pet-fields-differ", "Lists show fewer further fields than single animals.",
			editPet(func(o object) object { return append(o, member{"notes", array{}}, member{"weight", raw("3.25")}) }, createPet, getPet),
			editPet(func(o object) object { return append(o, member{"position", nil}) }, listPets)),
		legal("pet-keys-reversed", "The fields of an animal come in the opposite order.", editPet(func(o object) object {
			slices.Reverse(o)
			return o
		}, listPets, createPet, getPet)),
		legal("error-more-fields", "Errors have many more fields.", editObject(failed, func(o object) object {
			return append(o,
				member{"error", "Bad thing"}, member{"path", nil}, member{"traceId", raw("18446744073709551616")},
				member{"details", array{object{{"field", "name"}, {"status", "invalid"}, {"code", 17}}}},
			)
		})),
		legal("error-more-fields-first", "Errors have further fields before the known ones.", editObject(failed, func(o object) object {
			return append(object{{"type", "about:blank"}, {"title", "Something"}, {"Status", "x"}}, o...)
		})),
		legal("error-own-codes", "Error codes are numbers as strings.", editObject(failed, func(o object) object {
			return o.with("code", "PET-"+strconv.Itoa(o.value("status").(int)*10))
		})),
		legal("error-empty-texts", "Errors have an empty code and an empty message.", editObject(failed, func(o object) object {
			return o.with("code", "").with("message", "")
		})),
		legal("error-czech", "Messages are in Czech.", editObject(failed, func(o object) object {
			return o.with("message", "Takhle to nepůjde, zkuste to příště jinak.")
		})),
		legal("error-japanese", "Codes and messages are in Japanese.", editObject(failed, func(o object) object {
			return o.with("code", "不正").with("message", "リクエストが正しくありません 🙇")
		})),
		legal("error-long-message", "Messages span many lines and quote markup.", editObject(failed, func(o object) object {
			return o.with("message", "line one\nline two\r\n\t<b>\"three\"</b> \\ \u2028 {\"code\": null}")
		})),
		legal("json-charset", "The Content-Type names its charset.", setContentType(always, "application/json; charset=utf-8")),
		legal("json-mixed-case", "The Content-Type is written in mixed case.", setContentType(always, "Application/JSON;Charset=\"UTF-8\"")),
		legal("json-parameters", "The Content-Type has several parameters.",
			setContentType(always, `application/json ; charset=utf-8; profile="https://example.com/a;b=\"c\""; v=1`)),
		legal("json-pretty", "Bodies are indented by two spaces.", styled(style{indent: "  "})),
		legal("json-pretty-tabs", "Bodies are indented by tabs and end in a newline.",
			styled(style{indent: "\t"}), editText(always, func(text []byte) []byte { return append(text, "\r\n"...) })),
		legal("json-newline", "Bodies end in a newline.",
			editText(always, func(text []byte) []byte { return append(text, '\n') })),
		legal("json-space-around", "There is white space of all kinds around bodies.",
			editText(always, func(text []byte) []byte { return append(append([]byte(" \t\r\n"), text...), "\n\n \t"...) })),
		legal("json-ascii", "All but ASCII is written as \\u escapes.", styled(style{escape: func(r rune) string {
			if r > unicode.MaxASCII {
				return unicodeEscape(r)
			}
			return ""
		}})),
		legal("json-all-escaped", "Every character is written as a \\u escape, of names of fields too.",
			styled(style{escape: unicodeEscape})),
		legal("json-slash-escaped", "A slash is written with a backslash before it.", styled(style{escape: func(r rune) string {
			if r == '/' {
				return `\/`
			}
			return ""
		}})),
		legal("json-html-escaped", "Markup is written as \\u escapes, and so is U+2028.", styled(style{escape: func(r rune) string {
			switch r {
			case '<', '>', '&', '\'', '\u2028', '\u2029', 0x7f:
				return unicodeEscape(r)
			}
			return ""
		}})),
		legal("json-category-point-zero", "A categoryId is written with a point and a zero.", editPet(func(o object) object {
			return o.with("categoryId", raw(strconv.FormatInt(o.value("categoryId").(int64), 10)+".0"))
		}, listPets, createPet, getPet)),
		legal("json-category-exponent", "A categoryId is written with an exponent of zero.", editPet(func(o object) object {
			return o.with("categoryId", raw(strconv.FormatInt(o.value("categoryId").(int64), 10)+"E+0"))
		}, listPets, createPet, getPet)),
		legal("json-integers-point-zero", "All integers are written with a point and a zero.",
			styled(style{number: func(n int64) string { return strconv.FormatInt(n, 10) + ".0" }})),
		legal("json-point-zero-in-lists", "In lists, integers are written with a point and two zeros.",
			func(s *service) {
				s.render = func(c *call, a *answer) []byte {
					if a.body == nil {
						return nil
					}
					st := style{}
					if c.op == listPets && a.status == 200 {
						st.number = func(n int64) string { return strconv.FormatInt(n, 10) + ".00" }
					}
					return st.text(a.body)
				}
			}),
	}
}
