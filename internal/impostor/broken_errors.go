package impostor

const (
	ruleError       = "an error has code, message and status"
	ruleErrorStatus = "the status of an error repeats the HTTP status"
)

// brokenErrors send errors that are not the documented Error.
func brokenErrors() []Variant {
	set := func(key string, value any) func(object) object {
		return func(o object) object { return o.with(key, value) }
	}
	drop := func(key string) func(object) object {
		return func(o object) object { return o.without(key) }
	}
	return []Variant{
		broken("error-no-code", ruleError, "Errors lack their code.", editObject(failed, drop("code"))),
		broken("error-no-message", ruleError, "Errors lack their message.", editObject(failed, drop("message"))),
		broken("error-no-status", ruleError, "Errors lack their status.", editObject(failed, drop("status"))),
		broken("error-no-code-on-404", ruleError, "404 lacks its code.", editObject(on(getPet, 404), drop("code"))),
		broken("error-no-message-on-400", ruleError, "400 lacks its message.", editObject(on(createPet, 400), drop("message"))),
		broken("error-no-status-on-list-401", ruleError, "401 on listPets lacks its status.", editObject(on(listPets, 401), drop("status"))),
		broken("error-no-status-on-400", ruleError, "400 lacks its status.", editObject(on(createPet, 400), drop("status"))),
		broken("error-null-code", ruleError, "The code of errors is null.", editObject(failed, set("code", nil))),
		broken("error-null-message", ruleError, "The message of errors is null.", editObject(failed, set("message", nil))),
		broken("error-null-status", ruleError, "The status of errors is null.", editObject(failed, set("status", nil))),
		broken("error-null-message-on-401", ruleError, "The message of 401 is null.", editObject(with(401), set("message", nil))),
		broken("error-number-code", ruleError, "The code of errors is a number.", editObject(failed, func(o object) object {
			return o.with("code", o.value("status"))
		})),
		broken("error-number-code-on-get-401", ruleError, "The code of 401 on getPet is a number.", editObject(on(getPet, 401), set("code", 4010))),
		broken("error-number-code-on-create-401", ruleError, "The code of 401 on createPet is a number.",
			editObject(on(createPet, 401), set("code", 4011))),
		broken("error-listed-message", ruleError, "The message of 400 is a list of strings.", editObject(on(createPet, 400), func(o object) object {
			return o.with("message", array{o.value("message")})
		})),
		broken("error-object-message", ruleError, "The message of 400 is an object with fields for keys.",
			editObject(on(createPet, 400), func(o object) object { return o.with("message", object{{"body", o.value("message")}}) })),
		broken("error-text-status", ruleError, "The status of errors is a string.", editObject(failed, func(o object) object {
			return o.with("status", string(style{}.text(o.value("status"))))
		})),
		broken("error-text-status-on-404", ruleError, "The status of 404 is a string.", editObject(on(getPet, 404), set("status", "404"))),
		broken("error-word-status", ruleError, "The status of errors is a word.", editObject(failed, set("status", "error"))),
		broken("error-fraction-status", ruleError, "The status of 404 is a fraction.", editObject(on(getPet, 404), set("status", raw("404.1")))),
		broken("error-zero-status", ruleErrorStatus, "The status of errors is 0.", editObject(failed, set("status", 0))),
		broken("error-status-403-on-create-401", ruleErrorStatus, "The status of 401 on createPet is 403.",
			editObject(on(createPet, 401), set("status", 403))),
		broken("error-status-negative", ruleErrorStatus, "The status of errors has a minus.",
			editObject(failed, func(o object) object { return o.with("status", -o.value("status").(int)) })),
		broken("error-problem", ruleError, "Errors have the fields of problem details.", editObject(failed, func(o object) object {
			return object{{"type", "about:blank"}, {"title", o.value("code")}, {"status", o.value("status")}, {"detail", o.value("message")}}
		})),
		broken("error-framework", ruleError, "401 is what the framework makes of it.", editObject(with(401), func(object) object {
			return object{{"timestamp", "2026-01-02T03:04:05Z"}, {"status", 401}, {"error", "Unauthorized"}, {"path", "/v1/pets"}}
		})),
		broken("error-message-only", ruleError, "404 has a message only.", editObject(on(getPet, 404), func(object) object {
			return object{{"message", "Not Found"}}
		})),
		broken("error-detail-on-400", ruleError, "400 has a list of details in place of code and message.",
			editObject(on(createPet, 400), func(o object) object {
				return object{{"detail", array{object{{"loc", array{"body"}}, {"msg", o.value("message")}}}}}
			})),
		broken("error-status-code", ruleError, "The status of errors is called statusCode.", editObject(failed, func(o object) object {
			return o.renamed("status", "statusCode")
		})),
		broken("error-empty", ruleError, "Errors are empty objects.", editObject(failed, func(object) object { return object{} })),
		broken("error-text-on-odd-limit", ruleError, "A limit out of range gets 400 with a sentence for a body.",
			answerRefusedList("limit", 400, "text/plain", "limit out of range")),
		broken("error-page-on-odd-filter", ruleError, "An unknown status filter gets 400 with a page for a body.",
			answerRefusedList("status", 400, "text/html", "<h1>Bad Request</h1>")),
		broken("error-page-on-odd-id", ruleError, "A petId that is no number gets 404 with a page for a body.", func(s *service) {
			editAnswer(on(getPet, 404), func(c *call, a *answer) {
				if _, isNumber := exactly(c.petID); !isNumber {
					a.header.Set("Content-Type", "text/html")
					a.body = raw("<h1>Not Found</h1>")
				}
			})(s)
		}),
		broken("error-text-on-negative-id", ruleError, "A negative petId is taken for no route: 404 as plain text.", func(s *service) {
			editAnswer(on(getPet, 404), func(c *call, a *answer) {
				if c.petID[0] == '-' {
					a.header.Set("Content-Type", "text/plain")
					a.body = raw("404 page not found\n")
				}
			})(s)
		}),
	}
}

// answerRefusedList answers a refused list by a body of the framework's own.
func answerRefusedList(parameter string, status int, media, text string) change {
	return editAnswer(func(c *call, a *answer) bool {
		return c.op == listPets && a.status == status && c.req.URL.Query().Has(parameter)
	}, func(_ *call, a *answer) {
		a.header.Set("Content-Type", media)
		a.body = raw(text)
	})
}
