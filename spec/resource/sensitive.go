package resource

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// sensitive maps words for things of which each one matters to their kinds: who gets access, by what means, what
// people receive, and what costs money.
var sensitive = map[string]string{
	"user": "user", "account": "account", "member": "member", "admin": "user", "administrator": "user", "teammate": "member", "collaborator": "member",
	"credential": "credential", "token": "token", "key": "key", "apikey": "key", "accesskey": "key", "secret": "secret", "password": "password", "passkey": "key", "certificate": "certificate",
	"invitation": "invitation", "invite": "invitation",
	"message": "message", "mail": "message", "email": "message", "sms": "message", "notification": "notification", "newsletter": "message", "broadcast": "message",
	"payment": payment, "charge": payment, "refund": payment, "payout": payment, "purchase": payment, "checkout": payment, "withdrawal": payment, "transfer": payment, "donation": payment,
}

const payment = "payment"

// verbs are words with which operations create something; those with a kind imply what they create.
var verbs = map[string]string{
	"create": "", "add": "", "new": "", "post": "", "put": "", "insert": "", "send": "", "issue": "", "generate": "", "make": "", "upsert": "", "save": "", "provision": "", "enroll": "",
	"request": "", "submit": "", "store": "", "write": "", "set": "", "batch": "", "bulk": "", "resend": "", "grant": "",
	"register": "user", "signup": "user", "registration": "user", "invite": "invitation", "notify": "notification", "mail": "message", "email": "message",
	"pay": payment, "charge": payment, "refund": payment, "purchase": payment, "checkout": payment, "withdraw": payment,
}

// looking are words with which POST operations create nothing.
var looking = []string{
	"search", "query", "find", "get", "list", "filter", "count", "export", "validate", "verify", "check", "test", "preview", "login", "signin", "authenticate", "introspect", "lookup", "exists", "available", "availability", "activate", "deactivate", "confirm", "lock", "unlock", "enable", "disable", "delete", "remove", "revoke", "read", "mark", "update", "replace", "change", "reset", "edit", "modify", "forgot", "refresh", "rotate",
}

// prepositions end the words for what an operation creates.
var prepositions = []string{"for", "of", "to", "in", "by", "from", "with", "on", "at", "into", "within", "via", "using", "that", "and"}

// orders are things that may be charged to whoever orders them.
var orders = []string{"order", "booking", "reservation", "subscription"}

// Sensitive returns the kind of what an operation creates if each one matters: a user, a token, a message, a
// payment. It returns "" for others. It goes by the path, the id, and, if these say nothing, the summary and tags.
func Sensitive(op *spec.Operation) string {
	if op.Method != http.MethodPost && op.Method != http.MethodPut {
		return ""
	}
	id, end := words(op.ID), ending(op.Path)
	if op.Method == http.MethodPost && (looks(id) || len(end) > 0 && looks(words(end[len(end)-1]))) {
		return ""
	}
	if Pays(op) || charges(op) {
		return payment
	}
	for _, segment := range slices.Backward(end) {
		kind, says := makes(words(segment))
		if kind != "" {
			return kind
		}
		if says {
			break // it names something else
		}
	}
	if kind, says := makes(id); kind != "" || says && len(end) > 0 {
		return kind
	}
	if kind, says := makes(words(op.Summary)); kind != "" || says {
		return kind
	}
	for _, tag := range op.Tags {
		if kind, _ := makes(words(tag)); kind != "" && op.Method == http.MethodPost {
			return kind
		}
	}
	return ""
}

// looks reports whether words begin with one for an operation that creates nothing.
func looks(all []string) bool { return len(all) > 0 && slices.Contains(looking, all[0]) }

// ending returns the segments of a path after its last parameter, or those before one at its end.
func ending(path string) []string {
	all := strings.Split(strings.Trim(path, "/"), "/")
	if n := len(all); n > 0 && strings.Contains(all[n-1], "{") {
		all = all[:n-1]
	}
	for i, segment := range slices.Backward(all) {
		if strings.Contains(segment, "{") {
			return all[i+1:]
		}
	}
	return all
}

// makes returns the kind of what some words say is created, or "" if it is not sensitive; says reports whether
// they name anything at all.
func makes(all []string) (kind string, says bool) {
	if len(all) == 0 {
		return "", false
	}
	verb, by := verbs[all[0]]
	switch last := all[len(all)-1]; {
	case by:
		all = all[1:]
	case len(all) > 1 && verbs[last] == "" && hasVerb(last):
		all = all[:len(all)-1]
	}
	if i := slices.IndexFunc(all, func(word string) bool { return slices.Contains(prepositions, word) }); i >= 0 {
		all = all[:i]
	}
	all = slices.DeleteFunc(slices.Clone(all), func(word string) bool { return hasVerb(word) && sensitive[word] == "" || len(word) < 2 })
	if len(all) == 0 {
		return verb, verb != ""
	}
	kind = sensitive[singular(all[len(all)-1])]
	if len(all) > 1 && kind == "" && all[len(all)-2] == "e" { // "e-mail"
		kind = sensitive["e"+singular(all[len(all)-1])]
	}
	return kind, true
}

func hasVerb(word string) bool {
	_, is := verbs[word]
	return is
}

// charges reports whether an operation creates an order that is charged, according to its words or the members of
// its body.
func charges(op *spec.Operation) bool {
	end := ending(op.Path)
	if len(end) == 0 {
		return false
	}
	name := words(end[len(end)-1])
	if len(name) == 0 || !slices.Contains(orders, singular(name[len(name)-1])) {
		return false
	}
	money := []string{"charge", "charges", "charged", "payment", "billed", "bill", "card", "creditcard", "iban", "cvv", "cvc", "pay", "paid"}
	if HasWord(op.Summary+" "+op.Description, money...) {
		return true
	}
	return op.Body != nil && slices.ContainsFunc(members(op.Body.Schema()), func(p spec.Property) bool { return HasWord(p.Name, money...) })
}
