package impostor

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	ruleJSON   = "a body is one valid JSON text"
	ruleShape  = "a body has the documented shape"
	ruleNoBody = "every response has its body"
)

// brokenBodies send bodies that are missing, no JSON, or of another shape.
func brokenBodies() []Variant {
	return append(append(noBodies(), noJSON()...), otherShapes()...)
}

func noBodies() []Variant {
	return []Variant{
		broken("body-blank-on-404", ruleNoBody, "404 has a body of one newline.",
			editText(on(getPet, 404), func([]byte) []byte { return []byte("\n") })),
	}
}

func noJSON() []Variant {
	appended := func(more string) func([]byte) []byte {
		return func(text []byte) []byte { return append(text, more...) }
	}
	replaced := func(from, to string) func([]byte) []byte {
		return func(text []byte) []byte { return bytes.ReplaceAll(text, []byte(from), []byte(to)) }
	}
	return []Variant{
		broken("json-trailing-null", ruleJSON, "Lists are followed by null.", editText(on(listPets, 200), appended("\nnull"))),
		broken("json-error-appended", ruleJSON, "400 is followed by a second error, as if the handler had gone on.",
			editText(on(createPet, 400), appended(`{"code":"error","message":"","status":400}`))),
		broken("json-page-appended", ruleJSON, "Lists are followed by a line of HTML.",
			editText(on(listPets, 200), appended("<!-- served in 0.01s -->"))),
		broken("json-bare-keys", ruleJSON, "The keys of errors are not quoted.", editText(failed, func(text []byte) []byte {
			for _, key := range []string{"code", "message", "status"} {
				text = bytes.ReplaceAll(text, []byte(`"`+key+`":`), []byte(key+":"))
			}
			return text
		})),
		broken("json-comma-in-object", ruleJSON, "Animals have a comma after their last field.", editText(succeeded, replaced("}", ",}"))),
		broken("json-comment", ruleJSON, "Lists hold a comment.", editText(on(listPets, 200), replaced("[", "[ /* pets */ "))),
		broken("json-plus-sign", ruleJSON, "An id is written with a plus sign.", editPet(func(o object) object {
			return o.with("id", raw("+"+strconv.FormatInt(o.value("id").(int64), 10)))
		}, getPet)),
		broken("json-nan", ruleJSON, "The status of 404 is NaN.", editObject(on(getPet, 404), func(o object) object {
			return o.with("status", raw("NaN"))
		})),
		broken("json-undefined", ruleJSON, "An animal without a status shows undefined.", editPet(func(o object) object {
			if o.has("status") {
				return o
			}
			return o.with("status", raw("undefined"))
		}, listPets, createPet, getPet)),
		broken("json-raw-quotes", ruleJSON, "Quotes and backslashes in names are not escaped.", styled(style{escape: func(r rune) string {
			if r == '"' || r == '\\' {
				return string(r)
			}
			return ""
		}})),
		broken("json-hex-escape", ruleJSON, "Characters beyond ASCII are written as \\x escapes.", styled(style{escape: func(r rune) string {
			if r > 0x7f {
				return `\x` + strconv.FormatInt(int64(r), 16)
			}
			return ""
		}})),
		broken("json-cut-rune", ruleJSON, "The last byte of a name beyond ASCII is lost.", styledNames(func(name string) string {
			if _, size := utf8.DecodeLastRuneInString(name); size > 1 {
				return name[:len(name)-1]
			}
			return name
		})),
		broken("json-xml", ruleJSON, "401 is XML.", editText(with(401), func([]byte) []byte {
			return []byte(`<?xml version="1.0"?><error><code>unauthorized</code></error>`)
		})),
		broken("json-text-error", ruleJSON, "400 is a sentence.", editText(on(createPet, 400), func([]byte) []byte { return []byte("Bad Request\n") })),
		broken("json-page-error", ruleJSON, "404 is a page, though it is called JSON.", editText(on(getPet, 404), func([]byte) []byte {
			return []byte("<html><body><h1>404 Not Found</h1></body></html>")
		})),
	}
}

// styledNames changes how the name of a single animal is written.
func styledNames(f func(string) string) change {
	return editPet(func(o object) object {
		text := string(style{}.text(f(o.value("name").(string))))
		return o.with("name", raw(text))
	}, createPet, getPet, listPets)
}

func otherShapes() []Variant {
	listed := func(body any) any { return array{body} }
	wrapped := func(key string) func(any) any {
		return func(body any) any { return object{{key, body}} }
	}
	quoted := func(body any) any { return string(style{}.text(body)) }
	return []Variant{
		broken("shape-true-create", ruleShape, "The response to a creation is true.", editBody(on(createPet, 201), func(any) any { return true })),
		broken("shape-id-only", ruleShape, "The response to a creation is the id alone.", editObject(on(createPet, 201), func(o object) object {
			return object{{"id", o.value("id")}}
		})),
		broken("shape-empty-create", ruleShape, "The response to a creation is an empty object.",
			editBody(on(createPet, 201), func(any) any { return object{} })),
		broken("shape-list-in-page", ruleShape, "Lists are wrapped in a page with a total.", editBody(on(listPets, 200), func(body any) any {
			return object{{"items", body}, {"total", len(body.(array))}, {"next", nil}}
		})),
		broken("shape-create-in-pet", ruleShape, "The response to a creation is wrapped in pet.", editBody(on(createPet, 201), wrapped("pet"))),
		broken("shape-get-in-data", ruleShape, "Single animals are wrapped in an envelope.", editBody(on(getPet, 200), wrapped("data"))),
		broken("shape-errors-in-errors", ruleShape, "400 is a list of errors in an envelope.", editBody(on(createPet, 400), func(body any) any {
			return object{{"errors", array{body}}}
		})),
		broken("shape-create-listed", ruleShape, "The response to a creation is a list of one.", editBody(on(createPet, 201), listed)),
		broken("shape-get-listed", ruleShape, "A single animal is a list of one.", editBody(on(getPet, 200), listed)),
		broken("shape-list-quoted", ruleShape, "Lists are JSON within a JSON string.", editBody(on(listPets, 200), quoted)),
		broken("shape-get-quoted", ruleShape, "Single animals are JSON within a JSON string.", editBody(on(getPet, 200), quoted)),
		broken("shape-list-by-index", ruleShape, "Lists are objects with numbers for keys.", editBody(on(listPets, 200), func(body any) any {
			o := object{}
			for i, item := range body.(array) {
				o = append(o, member{strconv.Itoa(i), item})
			}
			return o
		})),
		broken("shape-list-nested", ruleShape, "Lists are lists within a list.", editBody(on(listPets, 200), listed)),
		broken("shape-list-of-ids", ruleShape, "Lists hold ids only.", changeItems(func(item object) any { return item.value("id") })),
		broken("shape-list-of-quoted", ruleShape, "Lists hold animals as JSON in strings.", changeItems(func(item object) any { return quoted(item) })),
		broken("shape-list-of-wrapped", ruleShape, "Lists hold animals each wrapped in pet.", changeItems(func(item object) any {
			return object{{"pet", item}}
		})),
		broken("shape-list-of-rows", ruleShape, "Lists hold animals as rows of values.", changeItems(func(item object) any {
			row := array{}
			for _, m := range item {
				row = append(row, m.value)
			}
			return row
		})),
		broken("shape-list-of-limit-one-bare", ruleShape, "With limit=1 a list is the animal with no list around it.",
			editAnswer(on(listPets, 200), func(c *call, a *answer) {
				if list := a.body.(array); len(list) == 1 && c.req.URL.Query().Get("limit") == "1" {
					a.body = list[0]
				}
			})),
		broken("shape-list-padded", ruleShape, "Lists are filled up with null as far as the limit.", padded(nil)),
		broken("shape-list-padded-empty", ruleShape, "Lists are filled up with empty objects as far as the limit.", padded(object{})),
		broken("shape-keys-capital", ruleShape, "The keys of animals begin with a capital.", editPet(func(o object) object {
			for i := range o {
				o[i].name = strings.ToUpper(o[i].name[:1]) + o[i].name[1:]
			}
			return o
		}, listPets, createPet, getPet)),
		broken("shape-error-keys-capital", ruleShape, "The keys of errors begin with a capital.", editObject(failed, func(o object) object {
			return o.renamed("code", "Code").renamed("message", "Message").renamed("status", "Status")
		})),
	}
}

// changeItems shows the animals of a list in another form.
func changeItems(f func(item object) any) change {
	return editBody(on(listPets, 200), func(body any) any {
		out := array{}
		for _, item := range body.(array) {
			out = append(out, f(item.(object)))
		}
		return out
	})
}

// padded fills lists up to their limit.
func padded(filler any) change {
	return func(s *service) {
		editAnswer(on(listPets, 200), func(c *call, a *answer) {
			limit, _ := s.readLimit(c)
			list := a.body.(array)
			for len(list) < limit {
				list = append(list, filler)
			}
			a.body = list
		})(s)
	}
}

// emptyList does something to the response when a list is empty: any list, or
// only the one without a filter.
func emptyList(filtered bool, do func(*answer)) change {
	return editAnswer(on(listPets, 200), func(c *call, a *answer) {
		list, ok := a.body.(array)
		if ok && len(list) == 0 && (filtered || !c.req.URL.Query().Has("status")) {
			do(a)
		}
	})
}
