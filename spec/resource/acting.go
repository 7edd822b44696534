package resource

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// GET operations that do more than read, as services have them that were not designed as REST.

// alwaysActing are verbs with which a GET acts if they begin its id or its summary, or are the last segment of its path, whatever else the
// document says.
var alwaysActing = []string{
	"delete", "remove", "destroy", "restart", "reboot", "shutdown", "logout", "logoff", "signout", "signoff", "purge", "truncate", "revoke", "deactivate", "disable", "regenerate", "terminate", "wipe",
	"unsubscribe", "log out", "log off", "sign out", "sign off", "shut down", "power off",
}

// alwaysAlone are words with which a GET acts if they are the whole id or the last segment of its path, or if an article follows them in its
// summary, whatever else the document says.
var alwaysAlone = []string{
	"reload", "reset", "flush", "clear", "restore", "rollback", "rotate", "halt", "quit", "poweroff", "stop", "kill", "drop", "compact", "vacuum", "defragment", "defrag", "enable", "clean", "cleanup", "delete all",
	"remove all", "reload config", "reload configuration", "flush cache", "clear cache", "factory reset", "revoke token", "reset password",
}

// acting are further verbs with which a GET acts where they begin its id, its summary or the last segment of its path, unless they begin the
// name of a thing there. As the last segment, they act whatever the id and the summary say.
var acting = append([]string{
	"erase", "activate", "reactivate", "enable", "cancel", "approve", "reject", "invalidate", "promote", "demote", "send", "resend", "toggle", "increment", "decrement", "save", "unlock", "ban", "unban", "unblock", "install",
	"uninstall", "deploy", "undeploy", "publish", "unpublish", "rebuild", "reindex", "resync", "migrate", "disconnect", "exec", "execute", "invoke", "crash", "abort", "add", "create", "insert", "append", "impersonate",
	"confirm", "assign", "unassign", "acknowledge", "dismiss", "rename", "merge", "unarchive", "suspend", "unset", "unfollow", "unlike", "modify", "edit", "overwrite", "upgrade", "downgrade", "evict", "kill", "provision",
	"power on", "turn on", "turn off", "switch on", "switch off", "mark read", "empty trash",
}, alwaysActing...)

// compounds are names of things that begin like acts, by their first word and a later one: "cancel reasons", "kill switch".
var compounds = []struct {
	first, later []string
	// next reports that the later word is the second one, rather than the last.
	next bool
}{
	{first: []string{"add"}, later: []string{"on", "ons"}, next: true},
	{first: []string{"merge"}, later: []string{"request", "requests", "conflict", "conflicts"}, next: true},
	{first: []string{"install"}, later: []string{"script", "scripts", "instructions"}},
	{first: []string{"kill"}, later: []string{"switch", "switches"}},
	{
		first: []string{
			"ban", "cancel", "crash", "deploy", "downgrade", "edit", "exec", "install", "kill", "merge", "publish", "save", "send", "toggle", "unlock", "upgrade",
			"logout", "purge", "reboot", "restart", "shutdown", "signout", "unsubscribe", "log", "power", "shut", "sign",
		},
		later: []string{"history", "date", "dates", "count", "counts", "limit", "limits", "quota", "quotas", "rate", "rates", "fee", "fees", "queue", "statistics", "stats", "game", "games"},
	},
	{
		first: []string{
			"ban", "cancel", "crash", "deploy", "downgrade", "exec", "install", "kill", "merge", "upgrade",
			"logout", "purge", "reboot", "restart", "shutdown", "signout", "unsubscribe", "log", "power", "shut", "sign",
		},
		later: []string{
			"status", "state", "option", "options", "reason", "reasons", "list", "lists", "policy", "policies", "progress", "results", "score", "info", "logs", "window", "windows",
		},
	},
	{
		first: []string{"approve", "confirm", "execute", "migrate", "provision", "publish", "reject", "suspend", "unlock"},
		later: []string{"history", "status", "reason", "reasons", "date", "dates", "count", "counts"},
	},
	{
		first: []string{"ban", "crash", "deploy", "merge", "upgrade"},
		later: []string{"reports", "rules", "keys", "plans", "events", "schedule", "schedules", "template", "templates"},
	},
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
	if phrase, where := said.actsAlways(id); phrase != "" {
		return of(phrase, where)
	}
	asks := len(id) > 0 && slices.Contains(asking, id[0]) || slices.Contains(asking, said.summaryVerb())
	if len(id) > 1 && slices.Contains([]string{"list", "get", "show"}, said.summaryVerb()) && slices.ContainsFunc(successes(op), func(s *spec.Schema) bool { return items(s) != nil }) {
		id = nil // "addUserList" lists them
	}
	for _, phrase := range slices.Concat(acting, alwaysAlone, actingPerhaps) {
		n, perhaps := len(strings.Fields(phrase)), !slices.Contains(acting, phrase)
		switch {
		case len(segment) >= n && holdsExactly(segment[:n], phrase) && m.actsByPath(op, segment, phrase, asks):
			return of(phrase, "its path")
		case perhaps && !acknowledges(op): // "runReport" shows the report
		case phrase == "create": // in an id or a summary, it may be a form or a link
		case len(id) >= n && holdsExactly(id[:n], phrase) && !isNounPhrase(id):
			return of(phrase, "its id")
		case !said.summaryActs(phrase):
		case perhaps && slices.ContainsFunc(segment, func(w string) bool { return slices.Contains(entering, w) }): // "Start the log-in"
		case perhaps && slices.Contains(articles, summary[n]), !perhaps && !namesThing(summary, segment):
			return of(phrase, "its summary")
		}
	}
	return Danger{}
}

// articles are words after which a summary names the object of an act.
var articles = []string{"the", "a", "an", "all", "this", "your", "every"}

// actsAlways returns the phrase because of which a GET acts whatever else the document says, and where it is; or "". fromVerb are the words of
// its id from the verb on.
func (said sayings) actsAlways(fromVerb []string) (phrase, where string) {
	id := wordsIn(said.id)
	for _, phrase := range slices.Concat(alwaysActing, alwaysAlone) {
		n, alone := len(strings.Fields(phrase)), slices.Contains(alwaysAlone, phrase)
		switch {
		case holdsExactly(said.act(), phrase), holdsExactly(wordsIn(said.last()), phrase):
			return phrase, "its path"
		case holdsExactly(id, phrase), holdsExactly(fromVerb, phrase), !alone && len(id) > n && holdsExactly(id[:n], phrase):
			return phrase, "its id"
		case said.summaryActs(phrase) && (!alone || slices.Contains(articles, wordsIn(said.summary)[n])):
			return phrase, "its summary"
		}
	}
	return "", ""
}

// summaryActs reports whether a summary begins with a phrase, inflected or not, and continues.
func (said sayings) summaryActs(phrase string) bool {
	all, words := wordsIn(said.summary), strings.Fields(phrase)
	return len(all) > len(words) && verb(all[0]) == words[0] && slices.Equal(all[1:len(words)], words[1:])
}

// idOfRead returns the words of the id of a GET from its verb on. It returns nil for an id that repeats only the method and the path.
func (said sayings) idOfRead(op *spec.Operation) []string {
	id, method := wordsIn(said.id), strings.ToLower(op.Method)
	ofPath := append(wordsIn(op.Path), method, "by", "using", "x")
	if len(id) > 0 && id[0] == method && !slices.ContainsFunc(id, func(w string) bool { return !slices.Contains(ofPath, w) }) {
		return nil
	}
	if name := len(id) - len(wordsIn(op.Path)) - 1; name > 0 && slices.Equal(id[name:], append(wordsIn(op.Path), method)) {
		id = id[:name] // "cancel_policy_orders_policy_get", as frameworks generate it
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
	case slices.ContainsFunc(m.operationsAt[key], changed): // a resource is there
		return false
	case whole && slices.Contains(acting, phrase):
		return true
	case asks, !whole && isNounPhrase(segment):
		return false
	case slices.Contains(acting, phrase):
		return true
	}
	return acknowledges(op) && !strings.HasSuffix(key, "}") && !m.hasBelow(key)
}

// isNounPhrase reports whether words that begin like an act name a thing.
func isNounPhrase(all []string) bool {
	if len(all) < 2 {
		return false
	}
	for _, c := range compounds {
		later := all[len(all)-1]
		if c.next {
			later = all[1]
		}
		if slices.Contains(c.first, all[0]) && slices.Contains(c.later, later) {
			return true
		}
	}
	return false
}

// namesThing reports whether a summary that begins like an act names a thing: "Deploy history", "Bans of a server", and "Bans by date" where
// the last segment of the path, too, is "bans".
func namesThing(summary, segment []string) bool {
	end := slices.IndexFunc(summary, func(w string) bool {
		return slices.Contains([]string{"of", "that", "which", "for", "in", "on", "by", "from", "with", "per", "at", "and", "to", "available"}, w)
	})
	if end < 0 {
		return isNounPhrase(summary)
	}
	first := summary[0]
	return isNounPhrase(summary[:max(end, 2)]) || // "add-on" has such a word
		end == 1 && verb(first) != first && (slices.Contains([]string{"of", "that", "which"}, summary[1]) || len(segment) > 0 && segment[len(segment)-1] == first)
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
