package shop

import "slices"

// ArchiveFaults returns the faults of the archive, each with a rule that it breaks; some break several.
func ArchiveFaults() []Fault {
	return []Fault{
		{"pages-overlap", "listBooks.list.pages-disjoint"},
		{"pages-overlap", "listMaps.list.pages-disjoint"},
		{"pages-overlap", "listPrints.list.pages-disjoint"},
		{"pages-overlap", "listScans.list.pages-disjoint"},
		{"pages-overlap", "listReels.list.pages-disjoint"},
		{"pages-overlap", "listDeeds.list.pages-disjoint"},
		{"page-ignored", "listBooks.list.pages-disjoint"},
		{"page-ignored", "listMaps.list.pages-disjoint"},
		{"pages-skip", "listBooks.list.pages-complete"},
		{"pages-skip", "listMaps.list.pages-complete"},
		{"pages-skip", "listPrints.list.pages-complete"},
		{"pages-skip", "listScans.list.pages-complete"},
		{"pages-skip", "listReels.list.pages-complete"},
		{"pages-skip", "listDeeds.list.pages-complete"},
		{"pages-lose-last", "listBooks.list.pages-complete"},
		{"pages-lose-last", "listPrints.list.pages-complete"},
		{"goes-round", "listPrints.list.pages-end"},
		{"goes-round", "listScans.list.pages-end"},
		{"goes-round", "listReels.list.pages-end"},
		{"shows-some-beyond", "listBooks.list.pages-end"},
		{"total-of-the-page", "listBooks.list.total"},
		{"shows-some-beyond", "listMaps.list.pages-end"},
		{"each-third-unlisted", "addBook.created.listed"},
		{"each-third-unlisted", "addDeed.created.listed"},
		{"newest-unlisted", "addBook.created.listed"},
		{"newest-unlisted", "addMap.created.listed"},
		{"sort-ignored", "listBooks.list.sorted"},
		{"sort-ignored", "listMaps.list.sorted"},
		{"sort-reversed", "listBooks.list.sorted"},
		{"sort-ignores-sign", "listMaps.list.sorted"},
		{"key-ignored", "addBook.created.same-key"},
		{"key-ignored", "addMap.created.same-key"},
		{"key-late", "addBook.created.same-key"},
		{"key-cut", "addBook.created.other-key"},
		{"lent-ignored", "listBooks.list.filter-value"},
		{"shelf-ignored", "listBooks.list.filter-value"},
		{"years-as-texts", "listBooks.list.sorted"},
	}
}

// ArchiveStatuses returns the faults of the archive that only stories of several requests come across: statuses that must not be.
func ArchiveStatuses() []Fault {
	return []Fault{
		{"key-203", "addBook.success"},
		{"apostrophe-crashes", "addBook.no-server-error"},
		{"next-page-crashes", "listPrints.no-server-error"},
	}
}

// ArchiveMeanings returns the freedoms of the archive, each with the kinds of rules that it must not break.
func ArchiveMeanings() []Freedom {
	pages := []string{"list.pages-disjoint", "list.pages-complete", "list.pages-end", "list.total"}
	filters := []string{"list.filter-value"}
	keys := []string{"created.same-key", "created.other-key"}
	listed, sorts := []string{"created.listed"}, []string{"list.sorted"}
	return []Freedom{
		{"", slices.Concat(listed, sorts, keys, filters, pages)},
		{"shuffles", pages},
		{"busy", pages},
		{"newest-first", append(listed, pages...)},
		{"keeps-newest", append(listed, pages...)},
		{"pages-of-5", append(listed, pages...)},
		{"offset-counts-pages", pages},
		{"pages-from-0", pages},
		{"refuses-beyond", pages},
		{"clamps", pages},
		{"wraps", pages},
		{"cursor-always", pages},
		{"cursor-once", pages},
		{"links-absolute", pages},
		{"links-elsewhere", pages},
		{"lists-theirs", listed},
		{"lists-lent", listed},
		{"lists-late", listed},
		{"lists-later", listed},
		{"shards-late", listed},
		{"descends-by-default", sorts},
		{"nulls-last", sorts},
		{"sorts-without-case", sorts},
		{"sorts-naturally", sorts},
		{"key-conflict", keys},
		{"key-200", keys},
		{"titles-unique", keys},
		{"lent-includes", filters},
		{"lent-narrows", filters},
		{"shelf-with-those-above", filters},
		{"capped", append(listed, pages...)},
	}
}
