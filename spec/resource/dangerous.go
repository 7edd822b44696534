package resource

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"hallmark/spec"
)

// dangers are words, in the id of an operation or at the end of its path, by which it may end the run or harm what others own, and what it
// may do. All words of a list have to be there.
var dangers = []struct {
	words [][]string
	does  string
}{
	{[][]string{{"logout"}, {"logoff"}, {"signout"}, {"signoff"}, {"log", "out"}, {"log", "off"}, {"sign", "out"}, {"sign", "off"}, {"revoke", "token"}, {"revoke", "session"}}, "end the session of the credential"},
	{[][]string{{"shutdown"}, {"shut", "down"}, {"poweroff"}, {"power", "off"}, {"reboot"}, {"halt"}, {"restart"}, {"quit"}, {"terminate"}}, "stop the service"},
	{[][]string{{"maintenance", "mode"}, {"toggle", "maintenance"}, {"enable", "maintenance"}, {"enter", "maintenance"}, {"read", "only", "mode"}}, "take the service out of use"},
	{[][]string{{"change", "password"}, {"update", "password"}, {"set", "password"}, {"reset", "password"}, {"rotate", "key"}, {"regenerate", "key"}, {"regenerate", "token"}}, "change the credential"},
	{[][]string{{"delete", "all"}, {"remove", "all"}, {"purge"}, {"wipe"}, {"flush"}, {"truncate"}, {"factory", "reset"}, {"reset", "all"}, {"reset", "database"}, {"drop", "database"}}, "remove what others own"},
}

// Dangerous returns what an operation may do that a run does not risk by itself; empty for nothing. What an operation does to the
// resource that its path names is done to the run's own.
func Dangerous(op *spec.Operation) string {
	if len(SlotsOf(op)) > 0 || op.Method == http.MethodHead || op.Method == http.MethodOptions {
		return ""
	}
	path := strings.Split(strings.Trim(op.Path, "/"), "/")
	for _, all := range [][]string{wordsIn(op.ID), wordsIn(path[len(path)-1])} {
		for i, d := range dangers {
			if op.Method == http.MethodGet && i != 0 && i != 1 {
				continue // it reads what it is called by
			}
			for _, words := range d.words {
				if op.Method == http.MethodGet && len(all) != len(words) {
					continue
				}
				if !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(all, w) }) {
					return d.does
				}
			}
		}
	}
	return ""
}

// payments are words, in the id of an operation or at the end of its path, by which it may move money.
var payments = []string{"pay", "payment", "payments", "charge", "charges", "refund", "refunds", "payout", "payouts", "purchase", "purchases", "checkout", "withdraw", "withdrawal", "withdrawals"}

// Pays reports whether an operation may move money by its name. A run calls it like others, but last.
func Pays(op *spec.Operation) bool {
	if op.Method == http.MethodGet || op.Method == http.MethodHead || op.Method == http.MethodOptions {
		return false
	}
	path := strings.Split(strings.Trim(op.Path, "/"), "/")
	return slices.ContainsFunc(append(wordsIn(op.ID), wordsIn(path[len(path)-1])...), func(word string) bool { return slices.Contains(payments, word) })
}

// changes are words by which a POST changes or removes what is there already, as its request says.
var changes = []string{"delete", "remove", "destroy", "erase", "update", "modify", "edit", "archive", "cancel", "deactivate", "disable"}

// ChangesByName reports whether a POST changes or removes what is there already by its name: the first word of its id, or one at the end
// of its path, says so ("/products/bulk-delete").
func ChangesByName(op *spec.Operation) bool {
	id, path := wordsIn(op.ID), strings.Split(strings.Trim(op.Path, "/"), "/")
	return op.Method == http.MethodPost && slices.ContainsFunc(append(id[:min(1, len(id))], wordsIn(path[len(path)-1])...), func(word string) bool {
		return slices.Contains(changes, word)
	})
}

// wordsIn divides a name at signs and changes of case.
func wordsIn(name string) []string {
	var all []string
	word := ""
	lower := false
	for _, r := range name + " " {
		letter := unicode.IsLetter(r)
		if word != "" && (!letter || lower && unicode.IsUpper(r)) {
			all, word = append(all, strings.ToLower(word)), ""
		}
		if letter {
			word += string(r)
		}
		lower = unicode.IsLower(r)
	}
	return all
}
