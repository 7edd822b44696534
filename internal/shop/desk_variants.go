package shop

// Inferred returns the faults of the desk that break an inferred rule.
func Inferred() []Fault {
	return []Fault{
		{"lost", "openTicket.created.readable"},
		{"title-cut", "openTicket.created.kept"},
		{"weight-16", "openTicket.created.kept"},
		{"green-is-blue", "openTicket.created.kept"},
		{"id-by-length", "openTicket.created.distinct"},
		{"id-off", "readTicket.read.itself"},
		{"reading-renames", "readTicket.read.steady"},
		{"delete-kept", "deleteTicket.deleted.gone"},
		{"listed-twice", "listTickets.list.once"},
		{"limit-ignored", "listTickets.list.limit"},
		{"limit-one-more", "listTickets.list.limit"},
		{"filter-ignored", "listTickets.list.filter"},
		{"refused-stored", "openTicket.created.no-trace"},
		{"refused-stored-401", "openTicket.created.no-trace"},
		{"deleted-listed", "deleteTicket.deleted.unlisted"},
		{"delete-twice-409", "deleteTicket.deleted.again"},
	}
}

// Meanings returns the freedoms of the desk: what services do that keep their contract.
func Meanings() []Freedom {
	return []Freedom{
		{"", []string{
			"created.readable", "created.kept", "created.distinct", "created.no-trace", "read.itself", "read.steady", "deleted.gone", "deleted.again", "deleted.unlisted",
			"list.limit", "list.filter", "list.once",
		}},
		{"stocked", []string{"list.limit", "deleted.unlisted"}},
		{"pages-of-10", []string{"list.limit", "deleted.unlisted"}},
		{"lists-late", []string{"deleted.unlisted"}},
		{"unlists-late", []string{"deleted.unlisted"}},
		{"lists-open-only", []string{"deleted.unlisted"}},
		{"trims", []string{"created.kept"}},
		{"lower-case", []string{"created.kept"}},
		{"text-cut-at-300", []string{"created.kept"}},
		{"sets-colour", []string{"created.kept"}},
		{"sets-state", []string{"created.kept"}},
		{"hides-text", []string{"created.kept"}},
		{"masks-secret", []string{"created.kept"}},
		{"rounds", []string{"created.kept"}},
		{"times-in-utc", []string{"created.kept"}},
		{"sorts-labels", []string{"created.kept"}},
		{"read-other-text", []string{"created.kept"}},
		{"moderates", []string{"created.readable", "created.kept"}},
		{"accepts-only", []string{"created.readable"}},
		{"shows-late", []string{"created.readable"}},
		{"tells-the-time", []string{"read.steady"}},
		{"gone-410", []string{"deleted.gone", "deleted.again"}},
		{"marks-deleted", []string{"deleted.gone"}},
		{"deletes-late", []string{"deleted.gone"}},
		{"deletes-later", []string{"deleted.gone"}},
		{"deletes-quietly", []string{"deleted.again"}},
	}
}
