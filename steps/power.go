package steps

import (
	"net/url"
	"strconv"

	"hallmark/spec"
	"hallmark/steps/check"
)

// A list keeps many rules for no other reason than that the store is small: one animal is never more than a limit of 20, and
// no list of 100 that is full can prove that an animal is nowhere. Such a response does not put the rule to the test.

// unbreakable tells which rules a list of the target could not have broken, by what the run has seen of the store.
func (s *scenario) unbreakable(a *answer) func(rule string) bool {
	status := statusAsked(a.ex)
	all, byStatus := s.run.memory.known()
	matching := all
	if status != "" {
		matching = byStatus[status]
	}
	return func(rule string) bool {
		switch rule {
		case "list.limit.honoured", "list.limit.default":
			limit, ok := s.run.terms.limitOf(a.ex)
			return ok && int64(matching) <= limit
		case "list.status.honoured":
			return all == matching // there is nothing that the filter could let through
		}
		return false
	}
}

// limitOf returns the limit that a list was asked for, or the contract's default where none was.
func (t petTerms) limitOf(ex *spec.Exchange) (int64, bool) {
	query, err := url.ParseQuery(check.Query(ex))
	if err != nil {
		return 0, false
	}
	if !query.Has("limit") {
		return t.standard()
	}
	limit, err := strconv.ParseInt(query.Get("limit"), 10, 64)
	return limit, err == nil
}

// isWhole reports whether a list shows the whole store: it was asked for no status, and had room for more than the n animals
// that it holds or that are known.
func (t petTerms) isWhole(ex *spec.Exchange, n int) bool {
	query, err := url.ParseQuery(check.Query(ex))
	longest, below := t.whole()
	asked := len(query) == 0 && longest == "" || len(query) == 1 && query.Get("limit") == longest
	return err == nil && ex.Operation == "listPets" && ex.Response.Status == t.listed && asked && n < below
}
