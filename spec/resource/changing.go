package resource

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// payments are words, in the id of an operation or at the end of its path, that suggest moving money.
var payments = []string{"pay", "payment", "payments", "charge", "charges", "refund", "refunds", "payout", "payouts", "purchase", "purchases", "checkout", "withdraw", "withdrawal", "withdrawals"}

// Pays reports whether an operation may move money, by its name. A run calls it like others, but last.
func Pays(op *spec.Operation) bool {
	if safe(op.Method) {
		return false
	}
	path := strings.Split(strings.Trim(op.Path, "/"), "/")
	return slices.ContainsFunc(append(wordsIn(op.ID), wordsIn(path[len(path)-1])...), func(word string) bool { return slices.Contains(payments, word) })
}

// changeVerbs are verbs of POST operations that change or delete existing things that the request names.
var changeVerbs = []string{
	"delete", "remove", "destroy", "erase", "update", "modify", "edit", "archive", "unarchive", "cancel", "deactivate", "disable", "enable", "activate", "reactivate", "set", "unset", "save", "put", "patch", "replace",
	"overwrite", "toggle", "switch", "apply", "lock", "unlock", "suspend", "resume", "pause", "block", "unblock", "merge", "transfer", "move", "swap", "assign", "unassign", "reassign", "detach", "unlink", "rename",
	"approve", "reject", "mark", "revert", "undo", "void", "close", "reopen", "ban", "unban", "expire", "invalidate",
}

// Change returns the word, and its place, that suggests that a POST not known to create anything changes or
// deletes existing things: the first word of its id or summary, or in the last segment of its path
// ("/products/bulk-delete"). It returns "" if there is none.
func (m *Map) Change(op *spec.Operation) string {
	if op.Method != http.MethodPost {
		return ""
	}
	if _, _, creates := m.Creates(op); creates {
		return ""
	}
	said := sayingsOf(op)
	if said.reads() {
		return ""
	}
	for _, w := range wordsIn(said.last()) {
		if w == "change" { // not "changes", which are things
			return strconv.Quote(w) + " in its path"
		}
		if w := verb(w); slices.Contains(changeVerbs, w) {
			return strconv.Quote(w) + " in its path"
		}
	}
	id := wordsIn(said.id)
	for i, w := range id[:max(len(id)-1, 0)] { // "findAndModify"
		if slices.Contains([]string{"and", "or", "then"}, w) && slices.Contains(changeVerbs, id[i+1]) && slices.Contains(reading, said.lead) {
			return strconv.Quote(id[i+1]) + " in its id"
		}
	}
	switch {
	case slices.Contains(changeVerbs, said.lead):
		return strconv.Quote(said.lead) + " in its id"
	case slices.Contains(changeVerbs, said.summaryVerb()):
		return strconv.Quote(said.summaryVerb()) + " in its summary"
	}
	return ""
}

// Verb returns the word for what an action does: the first of the last segment of its path.
func Verb(op *spec.Operation) string {
	all := words(lastSegment(op.Path))
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

// ListsBelow reports whether the path of an operation is a collection: a GET lists it, or something is found below it.
func (m *Map) ListsBelow(op *spec.Operation) bool {
	key := Anonymous(op.Path)
	return m.hasBelow(key) || slices.ContainsFunc(m.operationsAt[key], func(other *spec.Operation) bool {
		return other.Method == http.MethodGet && slices.ContainsFunc(successes(other), func(s *spec.Schema) bool { return items(s) != nil })
	})
}
