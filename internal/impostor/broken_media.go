package impostor

const ruleMedia = "bodies are application/json"

// brokenMedia call their bodies something else than JSON.
func brokenMedia() []Variant {
	return []Variant{
		broken("media-none", ruleMedia, "No response has a Content-Type.", retype(whenever, "")),
		broken("media-none-on-list", ruleMedia, "Lists have no Content-Type.", retype(on(listPets, 200), "")),
		broken("media-none-on-401", ruleMedia, "401 has no Content-Type.", retype(with(401), "")),
		broken("media-none-on-404", ruleMedia, "404 has no Content-Type.", retype(on(getPet, 404), "")),
		broken("media-plain", ruleMedia, "Everything is text/plain.", retype(whenever, "text/plain; charset=utf-8")),
		broken("media-plain-on-list", ruleMedia, "Lists are text/plain.", retype(on(listPets, 200), "text/plain")),
		broken("media-plain-on-get", ruleMedia, "Single animals are text/plain.", retype(on(getPet, 200), "text/plain")),
		broken("media-plain-on-400", ruleMedia, "400 is text/plain.", retype(on(createPet, 400), "text/plain; charset=utf-8")),
		broken("media-html-on-create", ruleMedia, "The response to a creation is text/html.", retype(on(createPet, 201), "text/html")),
		broken("media-html-on-401", ruleMedia, "401 is text/html.", retype(with(401), "text/html; charset=utf-8")),
		broken("media-html-on-create-401", ruleMedia, "401 on createPet is text/html.", retype(on(createPet, 401), "text/html")),
		broken("media-html-on-404", ruleMedia, "404 is text/html.", retype(on(getPet, 404), "text/html")),
		broken("media-problem-on-400", ruleMedia, "400 is application/problem+json.", retype(on(createPet, 400), "application/problem+json")),
		broken("media-vendor", ruleMedia, "Successes are of a vendor's JSON type.", retype(worked, "application/vnd.pets.v1+json")),
		broken("media-text-json", ruleMedia, "Everything is text/json.", retype(whenever, "text/json")),
		broken("media-hal", ruleMedia, "Lists are application/hal+json.", retype(on(listPets, 200), "application/hal+json")),
		broken("media-lines", ruleMedia, "Lists are application/jsonl.", retype(on(listPets, 200), "application/jsonl")),
		broken("media-octets", ruleMedia, "Single animals are application/octet-stream.", retype(on(getPet, 200), "application/octet-stream")),
		broken("media-script", ruleMedia, "Lists are application/javascript.", retype(on(listPets, 200), "application/javascript")),
		broken("media-bare-json", ruleMedia, "The Content-Type is just json.", retype(whenever, "json")),
		broken("media-form", ruleMedia, "The response to a creation repeats another type, a form's.",
			retype(on(createPet, 201), "application/x-www-form-urlencoded")),
		broken("media-html-on-empty", ruleMedia, "A list that is empty is text/html.", emptyList(true, func(a *answer) {
			a.header.Set("Content-Type", "text/html")
		})),
	}
}
