package impostor

const (
	ruleError       = "an error has code, message and status"
	ruleErrorStatus = "the status of an error repeats the HTTP status"
)

// brokenErrors send errors that are not the documented Error.
func brokenErrors() []Variant {
	return []Variant{
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
