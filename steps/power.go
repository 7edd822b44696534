package steps

// A list keeps many rules for no other reason than that the store is small: one animal is never more than a limit of 20, and
// no list of 100 that is full can prove that an animal is nowhere. Such a response does not put the rule to the test.

// unbreakable tells which rules a list of the target could not have broken, by what the run has seen of the store.
func (s *scenario) unbreakable(a *answer) func(rule string) bool {
	status := statusAsked(a.ex)
	all, byStatus := s.run.memory.Known()
	matching := all
	if status != "" {
		matching = byStatus[status]
	}
	return func(rule string) bool {
		switch rule {
		case "list.limit.honoured", "list.limit.default":
			limit, ok := s.run.terms.LimitOf(a.ex)
			return ok && int64(matching) <= limit
		case "list.status.honoured":
			return all == matching // there is nothing that the filter could let through
		}
		return false
	}
}
