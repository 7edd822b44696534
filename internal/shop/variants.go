package shop

// Fault is a way to break one rule.
type Fault struct {
	Name string
	// Rule is the id of the derived rule that it breaks.
	Rule string
}

// Faults returns all faults.
func Faults() []Fault {
	return []Fault{
		{"crashes", "listItems.no-server-error"},
		{"status-206", "listItems.success"},
		{"status-200", "createItem.success"},
		{"media-type", "listItems.media-type"},
		{"no-body", "listItems.body"},
		{"cut", "listItems.body"},
		{"wrapped", "listItems.body"},
		{"id-text", "listItems.body"},
		{"id-fraction", "listItems.body"},
		{"name-null", "listItems.body"},
		{"name-left-out", "listItems.body"},
		{"state-unknown", "listItems.body"},
		{"problem-untitled", "createItem.body"},
		{"health-bad", "health.body"},
		{"total-missing", "listItems.headers"},
		{"total-text", "listItems.headers"},
		{"limit-unchecked", "listItems.refused.parameter"},
		{"limit-maximum-unchecked", "listItems.refused.parameter"},
		{"state-unchecked", "listItems.refused.parameter"},
		{"limit-maximum-refused", "listItems.accepted"},
		{"limit-middle-refused", "listItems.accepted"},
		{"limit-second-refused", "listItems.accepted"},
		{"name-longest-refused", "createItem.accepted"},
		{"body-missing-accepted", "createItem.refused.body-missing"},
		{"body-type-accepted", "createItem.refused.body-type"},
		{"body-trailing-accepted", "createItem.refused.body-malformed"},
		{"name-missing-accepted", "createItem.refused.property-missing"},
		{"name-long-accepted", "createItem.refused.property"},
		{"price-negative-accepted", "createItem.refused.property"},
		{"state-case-accepted", "createItem.refused.property"},
		{"state-capital-accepted", "createItem.refused.property"},
		{"form-as-json-accepted", "createItem.refused.body-malformed"},
		{"tag-type-accepted", "createItem.refused.property"},
		{"tag-long-accepted", "createItem.refused.property"},
		{"tags-repeated-accepted", "createItem.refused.property"},
		{"unknown-accepted", "createItem.refused.property-unknown"},
		{"key-ignored", "listItems.credential.missing"},
		{"key-prefix", "listItems.credential.wrong"},
		{"key-case", "listItems.credential.wrong"},
		{"key-longer", "listItems.credential.wrong"},
		{"key-403", "listItems.credential.missing"},
		{"unknown-found", "items-get-one.not-found"},
		{"link-elsewhere", "createItem.link.self"},
		{"link-header-elsewhere", "createItem.link.place"},
		{"media-type-unchecked", "createItem.refused.media-type"},
		{"null-refused", "createItem.accepted"},
		{"remark-longest-refused", "createItem.accepted"},
		{"tag-longest-refused", "createItem.accepted"},
		{"q-missing-accepted", "search.refused.parameter-missing"},
		{"filter-unchecked", "search.refused.parameter"},
		{"sizes-repeated-accepted", "search.refused.parameter"},
		{"colour-unchecked", "search.refused.parameter"},
		{"colours-too-few-accepted", "search.refused.parameter"},
		{"where-unchecked", "search.refused.parameter"},
		{"page-header-unchecked", "search.refused.parameter"},
		{"cookie-unchecked", "search.refused.parameter"},
		{"dark-refused", "search.accepted"},
		{"date-unchecked", "search.refused.parameter"},
		{"date-time-unchecked", "search.refused.parameter"},
		{"uuid-unchecked", "search.refused.parameter"},
		{"ipv4-unchecked", "search.refused.parameter"},
		{"pattern-unchecked", "search.refused.parameter"},
		{"step-zero-accepted", "search.refused.parameter"},
		{"multiple-unchecked", "search.refused.parameter"},
		{"boolean-unchecked", "search.refused.parameter"},
		{"int64-unchecked", "search.refused.parameter"},
		{"int64-cut-off", "search.refused.parameter"},
		{"leaf-nameless", "search.body"},
		{"leaf-when", "search.body"},
		{"leaf-count", "search.body"},
		{"leaf-raw", "search.body"},
		{"form-user-missing-accepted", "logIn.refused.body-missing"},
		{"form-short-accepted", "logIn.refused.property"},
		{"form-level-unchecked", "logIn.refused.property"},
		{"form-boolean-unchecked", "logIn.refused.property"},
		{"form-level-refused", "logIn.accepted"},
		{"groups-unknown", "logIn.headers"},
		{"multipart-unread", "addPhoto.refused.body-malformed"},
		{"file-missing-accepted", "addPhoto.refused.property-missing"},
		{"part-missing-accepted", "addPhoto.refused.property-missing"},
		{"part-long-accepted", "addPhoto.refused.property"},
		{"photo-nowhere", "addPhoto.headers"},
		{"photo-elsewhere", "addPhoto.headers"},
		{"form-id-text", "addPhoto.body"},
		{"note-empty-accepted", "addNote.refused.body-missing"},
		{"note-long-accepted", "addNote.refused.property"},
		{"note-longest-refused", "addNote.accepted"},
		{"note-empty", "addNote.body"},
		{"blob-size-text", "addBlob.body"},
		{"merge-patch-refused", "setSettings.accepted"},
		{"no-members-accepted", "setSettings.refused.property"},
		{"many-members-accepted", "setSettings.refused.property"},
		{"names-unchecked", "setSettings.refused.property-unknown"},
		{"dependency-unchecked", "setSettings.refused.property-missing"},
		{"discriminator-unchecked", "setSettings.refused.property"},
		{"nested-unchecked", "setSettings.refused.property"},
		{"square-refused", "setSettings.accepted"},
		{"event-unknown", "events.body"},
		{"event-data", "events.body"},
		{"log-text", "log.body"},
		{"log-broken", "log.body"},
		{"shape-unknown", "shapes.body"},
		{"shape-swapped", "shapes.body"},
		{"shape-repeated", "shapes.body"},
		{"shape-repeated-first", "shapes.body"},
		{"shapes-untyped", "shapes.media-type"},
		{"shapes-latin", "shapes.body"},
	}
}

// Advised returns the faults that break a should rule only.
func Advised() []Fault {
	return []Fault{
		{"fault-500", "createItem.robust"},
		{"no-location", "createItem.location"},
		{"teapot", "listItems.documented"},
		{"shows-secret", "createItem.write-only"},
		{"no-challenge", "listItems.challenge"},
		{"get-anything", "logIn.method-not-allowed"},
		{"no-allow", "addNote.method-not-allowed"},
		{"names-repeated", "shapes.unique-names"},
		{"no-deprecation", "health.deprecation"},
		{"problem-of-another-status", "createItem.problem-details"},
		{"refuses-418", "createItem.refused.documented"},
		{"head-crashes", "listItems.head"},
		{"media-type-crashes", "setSettings.robust"},
	}
}

// Freedom is what the contract leaves to the service.
type Freedom struct {
	Name string
	// Kinds are those of the derived rules that could be held against it, and must not be.
	Kinds []string
}

// Freedoms returns all freedoms; the first is the service as it is, which keeps every rule.
func Freedoms() []Freedom {
	return []Freedom{
		{"", []string{
			"no-server-error", "success", "media-type", "body", "headers", "robust", "write-only", "location", "accepted", "refused.parameter-missing",
			"refused.body-missing", "refused.body-malformed", "refused.body-type", "refused.property-missing", "refused.property-unknown", "refused.media-type",
			"credential.missing", "credential.wrong", "link", "unique-names", "problem-details", "refused.documented", "head", "deprecation",
		}},
		{"extra", []string{"body"}},
		{"refuses-422", []string{"refused.property", "refused.body-malformed", "documented"}},
		{"refuses-404", []string{"refused.parameter"}},
		{"event-comments", []string{"body"}},
		{"log-empty", []string{"body"}},
		{"media-case", []string{"media-type"}},
		{"get-hidden", []string{"method-not-allowed"}},
		{"challenges-twice", []string{"challenge"}},
		{"gone-for-good", []string{"not-found"}},
		{"names-repeated-alike", []string{"unique-names"}},
		{"problem-without-status", []string{"problem-details"}},
		{"refuses-413", []string{"refused.documented"}},
		{"head-unknown", []string{"head"}},
		{"notes-of-its-own", []string{"accepted"}},
		{"head-bare", []string{"head"}},
		{"head-html", []string{"head"}},
	}
}
