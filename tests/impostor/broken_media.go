package impostor

const ruleMedia = "bodies are application/json"

// brokenMedia call their bodies something else than JSON.
func brokenMedia() []Variant {
	return []Variant{
		broken("media-none", ruleMedia, "No response has a Content-Type.", setContentType(always, "")),
		broken("media-plain", ruleMedia, "Everything is text/plain.", setContentType(always, "text/plain; charset=utf-8")),
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
