package service

// Freedom is what the contract leaves to a shop.
type Freedom struct {
	Name string
	// Kinds are the kinds of derived rules that could be held against it, and must not be.
	Kinds []string
}

// Freedoms returns all freedoms; the first is the shop as it is, which keeps every rule.
func Freedoms() []Freedom {
	return []Freedom{
		{"", nil},
		{"members-added", []string{"body", "unique-names", "created.kept", "read.steady"}},
		{"json-indented", []string{"body"}},
		{"json-escaped", []string{"body", "created.kept"}},
		{"charset-named", []string{"media-type"}},
		{"media-in-capitals", []string{"media-type"}},
		{"whole-numbers-with-a-point", []string{"body"}},
		{"problems-plain", []string{"problem-details", "body"}},
		{"gateway", []string{"headers", "success"}},
		{"slow", []string{"no-server-error"}},
		{"busy-now-and-then", []string{"no-server-error", "accepted", "documented"}},
		{"404-first", []string{"refused.unchanged", "refused.body-malformed", "refused.media-type", "refused.property", "refused.body-missing", "not-found"}},
		{"400-for-values", []string{"robust", "refused.property", "refused.parameter", "refused.parameter-missing", "refused.property-missing", "refused.property-unknown", "refused.documented", "refused.body-type"}},
		{"challenges-twice", []string{"challenge", "credential.missing", "credential.wrong"}},
		{"locations-absolute", []string{"location", "headers", "link.self", "link.book"}},
		{"etags-weak", []string{"headers", "etag.changes", "etag.not-modified", "etag.stale"}},
		{"etags-never-strong", []string{"headers", "etag.current", "etag.stale"}},
		{"etags-of-encodings", []string{"etag.not-modified", "etag.modified", "etag.current"}},
		{"etags-by-the-second", []string{"etag.changes", "etag.modified", "etag.stale"}},
		{"etags-of-responses", []string{"etag.not-modified", "etag.current", "etag.changes"}},
		{"304-bare", []string{"etag.not-modified", "etag.modified"}},
		{"stale-409", []string{"etag.stale", "refused.unchanged"}},
		{"ids-with-gaps", []string{"created.distinct", "read.itself", "created.readable"}},
		{"ids-from-2^53", []string{"created.distinct", "read.itself", "link.book"}},
		{"others-write", []string{"list.sorted", "list.filter-value", "created.other-key", "list.pages-disjoint", "list.pages-complete", "list.pages-end", "created.listed", "created.distinct", "created.no-trace", "list.once", "deleted.unlisted", "list.filter"}},
		{"well-stocked", []string{"list.limit", "deleted.unlisted", "list.once"}},
		{"shown-late", []string{"created.readable", "created.kept", "created.concurrent"}},
		{"listed-late", []string{"created.listed", "deleted.unlisted", "created.no-trace"}},
		{"removed-late", []string{"deleted.gone", "deleted.concurrent"}},
		{"neighbours-forbidden", nil},
		{"strangers-forbidden", []string{"credential.other-scheme"}},
		{"crowds-refused", []string{"created.concurrent", "updated.concurrent", "deleted.concurrent"}},
		{"crossing-changes-late", []string{"updated.concurrent"}},
		{"removed-quietly", []string{"deleted.again"}},
		{"gone-410", []string{"deleted.gone", "deleted.again", "not-found"}},
		{"titles-trimmed", []string{"updated.kept", "updated.replaced", "updated.rest", "created.kept"}},
		{"markup-taken-out", []string{"created.kept"}},
		{"prices-rounded", []string{"created.kept"}},
		{"defaults-shown", []string{"created.kept"}},
		{"null-left-out", []string{"created.kept"}},
		{"null-shown", []string{"created.kept", "body"}},
		{"isbn-unique", []string{"accepted", "created.readable"}},
		{"pages-of-5", []string{"list.pages-disjoint", "list.pages-complete", "list.pages-end", "list.limit"}},
		{"read-only-refused", []string{"updated.read-only"}},
		{"titles-sorted-without-case", []string{"list.sorted", "list.once"}},
		{"keys-used-up", []string{"created.same-key", "created.other-key"}},
		{"last-seen-shown", []string{"write-only", "read.steady", "body"}},
		{"orders-paid-at-once", []string{"list.filter", "created.kept"}},
		{"accounts-masked", []string{"created.kept"}},
		{"head-405", []string{"head"}},
		{"404-for-methods", []string{"method-not-allowed"}},
		{"events-commented", []string{"body"}},
		{"events-none", []string{"body"}},
		{"hours-as-text", []string{"media-type", "body", "deprecation"}},
		{"reports-discarded", []string{"created.readable"}},
		{"covers-framed", []string{"success"}},
		{"totals-in-cents", []string{"created.kept", "body", "read.steady"}},
		{"reports-at-once", []string{"read.steady", "created.kept"}},
	}
}
