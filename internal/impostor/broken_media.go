package impostor

const ruleMedia = "bodies are application/json"

// brokenMedia call their bodies something else than JSON.
func brokenMedia() []Variant {
	return []Variant{
		broken("media-none", ruleMedia, "No response has a Content-Type.", setContentType(always, "")),
		broken("media-none-on-list", ruleMedia, "Lists have no Content-Type.", setContentType(on(listPets, 200), "")),
		broken("media-none-on-401", ruleMedia, "401 has no Content-Type.", setContentType(with(401), "")),
		broken("media-none-on-404", ruleMedia, "404 has no Content-Type.", setContentType(on(getPet, 404), "")),
		broken("media-plain", ruleMedia, "Everything is text/plain.", setContentType(always, "text/plain; charset=utf-8")),
		broken("media-plain-on-list", ruleMedia, "Lists are text/plain.", setContentType(on(listPets, 200), "text/plain")),
		broken("media-plain-on-get", ruleMedia, "Single animals are text/plain.", setContentType(on(getPet, 200), "text/plain")),
		broken("media-plain-on-400", ruleMedia, "400 is text/plain.", setContentType(on(createPet, 400), "text/plain; charset=utf-8")),
		broken("media-html-on-create", ruleMedia, "The response to a creation is text/html.", setContentType(on(createPet, 201), "text/html")),
		broken("media-html-on-401", ruleMedia, "401 is text/html.", setContentType(with(401), "text/html; charset=utf-8")),
		broken("media-html-on-create-401", ruleMedia, "401 on createPet is text/html.", setContentType(on(createPet, 401), "text/html")),
		broken("media-html-on-404", ruleMedia, "404 is text/html.", setContentType(on(getPet, 404), "text/html")),
		broken("media-problem-on-400", ruleMedia, "400 is application/problem+json.", setContentType(on(createPet, 400), "application/problem+json")),
		broken("media-vendor", ruleMedia, "Successes are of a vendor's JSON type.", setContentType(succeeded, "application/vnd.pets.v1+json")),
		broken("media-text-json", ruleMedia, "Everything is text/json.", setContentType(always, "text/json")),
		broken("media-hal", ruleMedia, "Lists are application/hal+json.", setContentType(on(listPets, 200), "application/hal+json")),
		broken("media-lines", ruleMedia, "Lists are application/jsonl.", setContentType(on(listPets, 200), "application/jsonl")),
		broken("media-octets", ruleMedia, "Single animals are application/octet-stream.", setContentType(on(getPet, 200), "application/octet-stream")),
		broken("media-script", ruleMedia, "Lists are application/javascript.", setContentType(on(listPets, 200), "application/javascript")),
		broken("media-bare-json", ruleMedia, "The Content-Type is just json.", setContentType(always, "json")),
		broken("media-form", ruleMedia, "The response to a creation repeats another type, a form's.",
			setContentType(on(createPet, 201), "application/x-www-form-urlencoded")),
		broken("media-html-on-empty", ruleMedia, "A list that is empty is text/html.", emptyList(true, func(a *answer) {
			a.header.Set("Content-Type", "text/html")
		})),
	}
}
