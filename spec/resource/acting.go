package resource

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// GET operations that do more than read, as services have them that were not designed as REST.

// acting are verbs with which a GET acts wherever they begin its id, its summary or the last segment of its path.
var acting = []string{
	"delete", "remove", "destroy", "erase", "restart", "reboot", "shutdown", "logout", "logoff", "signout", "signoff", "purge", "truncate", "revoke", "activate", "deactivate", "reactivate", "enable", "disable", "regenerate",
	"terminate", "wipe", "unsubscribe", "cancel", "approve", "reject", "invalidate", "promote", "demote", "send", "resend", "toggle", "increment", "decrement", "save", "unlock", "ban", "unban", "unblock", "install",
	"uninstall", "deploy", "undeploy", "publish", "unpublish", "rebuild", "reindex", "resync", "migrate", "disconnect", "exec", "execute", "invoke", "crash", "abort", "add", "create", "insert", "append", "impersonate",
	"confirm", "assign", "unassign", "acknowledge", "dismiss", "rename", "merge", "unarchive", "suspend", "unset", "unfollow", "unlike", "modify", "edit", "overwrite", "upgrade", "downgrade", "evict", "kill", "provision",
	"log out", "log off", "sign out", "sign off", "shut down", "power off", "power on", "turn on", "turn off", "switch on", "switch off", "mark read", "empty trash",
}

// actingAlone are words that name things as often as acts. In a path, they count only as a whole segment.
var actingAlone = []string{
	"reload", "reset", "flush", "clear", "restore", "rollback", "rotate", "halt", "quit", "poweroff", "stop", "drop", "compact", "vacuum", "defragment", "defrag", "clean", "cleanup", "delete all",
	"remove all", "reload config", "reload configuration", "flush cache", "clear cache", "factory reset", "revoke token", "reset password",
}

// actingPerhaps are words that are names of resources, too. In a path, they count only at its end, and only if the document shows
// neither a resource there nor anything that the operation reads.
var actingPerhaps = []string{
	"set", "put", "update", "run", "start", "import", "sync", "synchronize", "seed", "lock", "switch", "play", "pause", "resume", "transfer", "refund", "charge", "pay", "withdraw", "deposit", "vote",
	"trigger", "apply", "move", "accept", "grant", "register", "init", "initialize", "bootstrap", "setup", "gc", "on", "off", "close", "skip", "redeem", "claim", "expire", "archive", "mutate", "open door", "open gate", "open valve",
}

// asking are verbs of operations that only read.
var asking = append([]string{
	"retrieve", "return", "obtain", "browse", "is", "has", "display", "poll", "watch", "stream", "verify", "test", "ping", "generate", "export", "load", "print", "report", "provide", "give", "tell",
}, reading...)

// entering are words for the ways in, which change nothing for others.
var entering = []string{"login", "logon", "signin", "authenticate", "authentication", "authorize", "authorise", "authorization", "auth", "oauth", "sso", "callback", "token", "session", "verify", "signup"}

// contributing are verbs with which a POST adds something or tells the service something, besides those in creating.
var contributing = []string{
	"post", "send", "submit", "report", "track", "record", "write", "log", "store", "keep", "receive", "push", "emit", "echo", "ping", "notify", "contact", "comment", "review", "rate", "vote", "join", "enroll", "enrol",
	"apply", "request", "subscribe", "follow", "like", "react", "chat", "reply", "answer", "share", "schedule", "reserve", "checkin", "generate", "issue", "make", "build", "compose", "produce", "encode", "decode",
	"hash", "sign", "encrypt", "decrypt", "shorten", "resolve", "classify", "transcribe", "summarize", "score", "match", "test", "try", "call", "accept", "confirm", "transform", "embed", "tokenize", "infer", "play", "draw", "quote",
}

// contributed are names of what a POST adds, where a singular names the collection.
var contributed = []string{
	"feedback", "message", "mail", "email", "event", "metric", "telemetry", "log", "entry", "note", "comment", "review", "report", "form", "answer", "upload",
	"file", "image", "webhook", "hook", "query", "graph", "data", "media", "people", "children", "news", "series", "inventory",
}

// acts are plurals of what is done rather than added.
var acts = []string{"actions", "operations", "commands", "controls", "ops", "functions", "procedures", "methods"}

// contributes reports whether anything says of a POST that it adds something, asks or tells the service something, or lets its client in.
// A body tells the service something. Of others nobody knows what they do.
func (said sayings) contributes(op *spec.Operation) bool {
	if creationAnswer(op) != nil || op.Body != nil || !acknowledges(op) {
		return true
	}
	harmless := func(w string) bool {
		return slices.ContainsFunc([][]string{creating, reading, entering, contributing}, func(some []string) bool { return slices.Contains(some, w) })
	}
	last := said.act()
	if harmless(said.lead) || harmless(said.summaryVerb()) || slices.ContainsFunc(last, harmless) && !holdsExactly(last, "open") { // a door
		return true
	}
	if len(last) == 0 {
		return false
	}
	name := last[len(last)-1]
	return slices.Contains(contributed, name) || name != singular(name) && !slices.Contains(acts, name)
}

// extensions of file names in addresses of older services say nothing about the operation: "delete.php".
var extensions = []string{"json", "xml", "php", "html", "htm", "do", "action", "jsp", "asp", "aspx", "cgi"}

// dangerOfRead returns the danger of a GET that does more than read.
func (m *Map) dangerOfRead(op *spec.Operation, said sayings) Danger {
	of := func(phrase, where string) Danger {
		for _, h := range hazards {
			if slices.Contains(slices.Concat(h.always, h.named, h.verbs), phrase) {
				return h.danger(phrase, where)
			}
		}
		return Danger{Does: "do more than to read", Says: strconv.Quote(phrase) + " in " + where, Ends: true}
	}
	id, segment, summary := said.idOfRead(op), said.act(), wordsIn(said.summary)
	asks := len(id) > 0 && slices.Contains(asking, id[0]) || len(summary) > 0 && slices.Contains(asking, verb(summary[0]))
	for _, phrase := range slices.Concat(acting, actingAlone, actingPerhaps) {
		n, alone, perhaps := len(strings.Fields(phrase)), slices.Contains(actingAlone, phrase), slices.Contains(actingPerhaps, phrase)
		switch {
		case len(segment) >= n && holdsExactly(segment[:n], phrase) && m.actsByPath(op, segment, phrase, asks):
			return of(phrase, "its path")
		case perhaps && !acknowledges(op): // "runReport" shows the report
		case phrase == "create": // in an id or a summary, it may be a form or a link
		case len(id) >= n && holdsExactly(id[:n], phrase) && (!alone || len(id) == n) && !isNounPhrase(id):
			return of(phrase, "its id")
		case len(summary) <= n || verb(summary[0]) != strings.Fields(phrase)[0] || n > 1 && summary[1] != strings.Fields(phrase)[1]:
		case perhaps && slices.ContainsFunc(segment, func(w string) bool { return slices.Contains(entering, w) }): // "Start the log-in"
		case !alone && !perhaps || slices.Contains([]string{"the", "a", "an", "all", "this", "your", "every"}, summary[n]):
			return of(phrase, "its summary")
		}
	}
	return Danger{}
}

// alwaysActing are words that a GET has in its path only for what it does, whatever its id and summary say.
var alwaysActing = []string{
	"logout", "log out", "signout", "sign out", "logoff", "signoff", "shutdown", "reboot", "restart", "delete", "remove", "purge", "unsubscribe", "wipe", "destroy", "terminate", "revoke", "disable",
}

// idOfRead returns the words of the id of a GET from its verb on. It returns nil for an id that repeats only the method and the path.
func (said sayings) idOfRead(op *spec.Operation) []string {
	id, method := wordsIn(said.id), strings.ToLower(op.Method)
	ofPath := append(wordsIn(op.Path), method, "by", "using", "x")
	if len(id) > 0 && id[0] == method && !slices.ContainsFunc(id, func(w string) bool { return !slices.Contains(ofPath, w) }) {
		return nil
	}
	tags := wordsIn(strings.Join(said.tags, " "))
	for len(id) > 1 && (slices.Contains([]string{"api", "service", "controller", "rest"}, id[0]) || slices.Contains(tags, id[0]) && !slices.Contains(asking, id[0])) {
		id = id[1:]
	}
	return id
}

// act returns the words of the last segment of a path, or of its part that says what is done: "items.remove", "items:remove".
func (said sayings) act() []string {
	last := said.last()
	if name, extension, ok := strings.Cut(last, "."); ok && slices.Contains(extensions, extension) {
		last = name
	}
	return wordsIn(last[strings.LastIndexAny(last, ".:")+1:])
}

// actsByPath reports whether a GET does what the last segment of its path begins with, a phrase. asks reports whether its id or its summary
// says that it reads.
func (m *Map) actsByPath(op *spec.Operation, segment []string, phrase string, asks bool) bool {
	key, whole := Anonymous(op.Path), holdsExactly(segment, phrase)
	changed := func(o *spec.Operation) bool {
		return slices.Contains([]string{http.MethodPut, http.MethodPatch, http.MethodDelete}, o.Method)
	}
	switch {
	case whole && slices.Contains(alwaysActing, phrase):
		return true
	case asks, !whole && isNounPhrase(segment), slices.ContainsFunc(m.operationsAt[key], changed): // it reads, or a resource is there
		return false
	case slices.Contains(acting, phrase), whole && slices.Contains(actingAlone, phrase):
		return true
	}
	return acknowledges(op) && !strings.HasSuffix(key, "}") && !m.hasBelow(key)
}

// isNounPhrase reports whether words that begin like an act name a thing: "add-ons", "merge requests", "cancel reasons".
func isNounPhrase(all []string) bool {
	last := all[len(all)-1]
	return slices.Contains([]string{
		"status", "state", "history", "option", "options", "reason", "reasons", "reports", "plans", "date", "dates", "count", "counts", "logs", "info", "events", "rules", "policy", "policies", "score", "progress", "results",
		"keys", "schedule", "schedules", "template", "templates", "ons",
	}, last) || len(all) > 1 && slices.Contains([]string{"merge", "pull", "change"}, all[0]) && singular(last) == "request"
}

// hasBelow reports whether a path continues with a parameter in that of another operation.
func (m *Map) hasBelow(key string) bool {
	for other := range m.operationsAt {
		if strings.HasPrefix(other, key+"/{") {
			return true
		}
	}
	return false
}

// acknowledging are names of members of responses that say no more than that something was done.
var acknowledging = []string{
	"ok", "success", "successful", "status", "statuscode", "message", "msg", "result", "error", "errors", "code", "detail", "details", "description", "acknowledged", "accepted", "done", "state", "on", "jobid", "taskid", "requestid", "timestamp", "reason", "type", "title", "info",
}

// acknowledges reports whether the successes of an operation tell nothing but that it succeeded.
func acknowledges(op *spec.Operation) bool {
	for i := range op.Responses {
		a := &op.Responses[i]
		if a.Class() != 2 {
			continue
		}
		for _, media := range a.Content {
			s := media.Schema
			switch {
			case a.SharesMedia && s == nil:
			case items(s) != nil || s == nil && !strings.HasPrefix(media.Type, "text/") && a.JSON() == nil:
				return false
			case slices.ContainsFunc(members(s), func(p spec.Property) bool { return !slices.Contains(acknowledging, plain(p.Name)) }):
				return false
			}
		}
	}
	return true
}
