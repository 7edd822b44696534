package resource

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
)

// Danger is what an operation may do beyond the resources of a run, and what in the document says so.
type Danger struct {
	// Does completes "it may"; empty for no danger.
	Does string
	// Says is the evidence: `"restore" in its path`.
	Says string
	// Ends reports whether the run may not go on after it: it ends the credential or the service, or changes all of its state.
	Ends bool
}

// String is a clause: `it may stop or restart the service ("reload" in its id)`.
func (d Danger) String() string { return "it may " + d.Does + " (" + d.Says + ")" }

// hazard is a kind of danger with the phrases that name it. All words of a phrase have to be there, in any order.
type hazard struct {
	does string
	ends bool
	// always name it wherever they occur, also where an operation creates a resource; named do so where it is not known to create one.
	always, named []string
	// verbs name it where they say what an operation does: first in its id or summary, or in the last segment of its path.
	verbs []string
	// nouns are resources whose creation is the act itself: POST /restores.
	nouns []string
}

// hazards are what an operation may do to what all share.
var hazards = []hazard{
	{
		does: "end the session of the credential", ends: true,
		always: []string{"logout", "logoff", "signout", "signoff", "log out", "log off", "sign out", "sign off"},
		named:  []string{"revoke token", "revoke session", "revoke credential", "invalidate token", "invalidate session", "end session", "terminate session"},
	},
	{
		does: "stop or restart the service", ends: true,
		always: []string{"shutdown", "shut down", "poweroff", "power off", "reboot", "restart"},
		named:  []string{"reload", "halt", "quit", "terminate", "kill"},
		verbs:  []string{"stop", "exit", "suspend"},
		nouns:  []string{"reload"},
	},
	{
		does: "take the service out of use", ends: true,
		named: []string{"maintenance mode", "toggle maintenance", "maintenance", "read only mode"},
		verbs: []string{"seal", "unseal", "freeze", "drain", "cordon"},
	},
	{
		does: "change the credential or a factor of it", ends: true,
		always: []string{"totp", "hotp", "2fa", "mfa", "two factor", "second factor", "multi factor", "webauthn", "passkey", "recovery code", "backup code", "rotate key", "rotate secret", "rekey"},
		named: []string{"otp", "authenticator", "change password", "update password", "set password", "reset password", "password reset", "forgot password", "forgotten password", "recover password", "recovery",
			"rotate token", "rotate credential", "regenerate key", "regenerate token", "regenerate secret", "refresh token", "refresh session", "refresh auth", "token refresh"},
		verbs: []string{"password", "rotate"},
		nouns: []string{"passwordreset"},
	},
	{
		does: "remove what others own", ends: true,
		named: []string{"delete all", "remove all", "clear all", "reset all", "purge", "wipe", "flush", "truncate", "factory reset", "reset database", "drop database", "drop table",
			"deleterange", "delete range", "compact", "compaction", "defragment", "defragmentation", "defrag", "vacuum", "tombstone", "garbage"},
		verbs: []string{"clear", "clean", "cleanup", "cleanse", "prune", "drop", "expunge", "empty", "reset", "evict", "gc", "trim", "nuke", "reinitialize"},
		nouns: []string{"purge", "flush", "reset", "cleanup", "compaction"},
	},
	{
		does: "put another state in the place of the one that is there", ends: true,
		named: []string{"restore", "rollback", "roll back", "import", "recover", "undelete"},
		verbs: []string{"load", "restoration", "revert", "migrate", "seed", "sync", "synchronize", "synchronise", "resync", "upgrade", "downgrade", "install", "uninstall", "deploy", "provision", "bootstrap", "init", "initialize", "initialise", "setup"},
		nouns: []string{"restore", "restoration", "rollback", "import", "recovery"},
	},
	{
		does:   "change settings that all share",
		always: []string{"cors"},
		named:  []string{"setting", "preference", "set default", "make default"},
		verbs:  []string{"default", "config", "configuration", "configure", "toggle", "feature flag", "log level", "loglevel"},
	},
	{
		does:  "give or take rights",
		named: []string{"grant", "revoke", "revocation", "permission", "privilege", "acl", "elevate", "impersonate", "sudo", "assign role", "unassign role", "user role", "role member", "make admin"},
		verbs: []string{"role"},
		nouns: []string{"grant", "permission", "privilege", "acl", "roleassignment", "rolebinding", "clusterrolebinding", "revocation"},
	},
	{
		does:  "change much at once",
		named: []string{"bulk", "batch", "mass"},
	},
	{
		does:  "copy or rebuild all that the service holds",
		named: []string{"snapshot", "backup", "dump", "checkpoint"},
		verbs: []string{"reindex", "rebuild", "rescan", "recalculate", "reprocess", "replay"},
		nouns: []string{"snapshot", "backup", "dump", "checkpoint"},
	},
	{
		does: "move what the nodes of the service do", ends: true,
		named: []string{"failover", "raft", "quorum", "stepdown", "step down", "rebalance", "move leader", "transfer leader", "transfer leadership", "leader election", "cluster member", "join cluster", "leave cluster", "cluster node", "add node", "remove node", "add peer", "remove peer"},
		nouns: []string{"failover"},
	},
}

// reading are verbs of requests that only ask, though their method is POST.
var reading = []string{
	"get", "list", "query", "search", "find", "fetch", "lookup", "read", "evaluate", "validate", "check", "calculate", "compute", "estimate", "preview", "count", "parse", "format",
	"render", "translate", "simulate", "explain", "compare", "convert", "describe", "show", "view", "analyze", "analyse", "detect", "predict", "suggest", "autocomplete", "scroll",
	"ask", "extract", "introspect", "inspect", "download",
}

// creating are verbs of requests that add something.
var creating = []string{"create", "add", "insert", "new", "register", "ingest", "index", "submit", "book", "buy", "order", "place", "open", "invite", "upload", "append"}

// shared are what an action on one resource is called that moves a state all share, such as which of several is the default. Only the
// whole of a segment, or the verb of an id or a summary, says so.
var shared = []string{"default", "primary", "current", "apply", "load", "leader", "master", "switch", "select", "impersonate", "elevate", "grant"}

// sharedAnywhere say so within a segment, too.
var sharedAnywhere = []string{
	"activate", "promote", "restore", "recover", "rollback", "failover", "set default", "make default", "mark default", "as default", "set primary", "make primary", "mark primary", "as primary",
	"set current", "make current", "set active", "make active", "switch over", "switchover",
}

// discarded say that what is restored is one resource that was thrown away.
var discarded = []string{"trash", "trashed", "deleted", "archived", "undelete", "recycle"}

// acting are verbs that are nothing else, by which a GET acts.
var acting = []string{
	"delete", "remove", "destroy", "restart", "reboot", "shutdown", "logout", "logoff", "signout", "signoff", "purge", "truncate", "revoke", "deactivate", "disable", "regenerate", "terminate", "wipe",
	"unsubscribe", "log out", "log off", "sign out", "sign off", "shut down", "power off",
}

// actingAlone do so where they are all that a segment or an id says, or where an article follows them in a summary.
var actingAlone = []string{
	"reload", "reset", "flush", "clear", "restore", "rollback", "rotate", "halt", "quit", "poweroff", "stop", "kill", "drop", "compact", "vacuum", "defragment", "defrag", "enable", "clean", "cleanup", "delete all",
	"remove all", "reload config", "reload configuration", "flush cache", "clear cache", "factory reset", "revoke token",
}

// own are segments of a path that mean the user or the session of the credential, alone those that mean it where a GET shows one there.
var (
	own      = []string{"me", "self", "myself", "whoami", "currentuser", "authenticateduser", "loggedinuser"}
	ownAlone = []string{"account", "profile", "session", "user", "identity", "credential"}
	ownSaid  = []string{"current user", "authenticated user", "logged in user", "calling user", "your account", "your profile", "your password", "own account", "own profile", "my account", "my profile"}
	// factors are what lets a user in, or proves who it is.
	factors = []string{"key", "gpg", "ssh", "email", "phone", "token", "secret", "credential", "factor", "device", "certificate", "social account", "linked account", "linked identity", "authenticator"}
)

// Danger returns what an operation may do that a run does not risk by itself: to the service, to what others own, to settings that all
// share, to rights, or to the credential in use. What it does to a resource that its path names is done to the run's own.
func (m *Map) Danger(op *spec.Operation) (Danger, bool) {
	if known, is := m.dangers.Load(op.ID); is {
		d, _ := known.(Danger)
		return d, d.Does != ""
	}
	d := m.danger(op)
	m.dangers.Store(op.ID, d)
	return d, d.Does != ""
}

func (m *Map) danger(op *spec.Operation) Danger {
	said := sayingsOf(op)
	switch {
	case op.Method == http.MethodOptions:
		return Danger{}
	case op.Method == http.MethodGet || op.Method == http.MethodHead:
		return said.actsThoughRead()
	case !safe(op.Method):
		return m.dangerOfChange(op, said)
	}
	return Danger{}
}

func (m *Map) dangerOfChange(op *spec.Operation, said sayings) Danger {
	slot, p, creates := m.Creates(op)
	if NamesOne(op) {
		switch {
		case creates && p.Way == Created:
			return said.creates(false)
		case creates && m.Remover(*slot) == nil && said.isAboutSettings():
			return Danger{Does: "change settings that all share", Says: "nothing removes what it sets"}
		}
		return said.movesShared()
	}
	if d := m.touchesOwnUser(op, said, creates); d.Does != "" {
		return d
	}
	if creates {
		return said.creates(true)
	}
	if op.Method == http.MethodPost && said.reads() {
		return Danger{}
	}
	if d := said.harms(op.Method == http.MethodPost && m.adds(op, said)); d.Does != "" {
		return d
	}
	if m.singleton(op) != nil && (op.Method != http.MethodPost || created(op) == nil) {
		return Danger{Does: "change settings that all share", Says: "GET shows one object at this address"}
	}
	return Danger{}
}

// adds reports whether a POST adds something to what a GET of the same path lists, or says so by its first word.
func (m *Map) adds(op *spec.Operation, said sayings) bool {
	lists := slices.ContainsFunc(m.at[Anonymous(op.Path)], func(o *spec.Operation) bool {
		return o.Method == http.MethodGet && slices.ContainsFunc(successes(o), func(s *spec.Schema) bool { return items(s) != nil })
	})
	return lists || slices.Contains(creating, said.lead)
}

// Setting returns the operation that shows what an operation sets: one object at the same address, which no identifier names. It is nil
// where there is none, and for what only reads or creates.
func (m *Map) Setting(op *spec.Operation) *spec.Operation {
	if _, _, creates := m.Creates(op); creates || safe(op.Method) || NamesOne(op) {
		return nil
	}
	return m.singleton(op)
}

// singleton returns a GET of an operation's path that shows one object rather than a list or the answer to a question; nil for none.
func (m *Map) singleton(op *spec.Operation) *spec.Operation {
	for _, o := range m.at[Anonymous(op.Path)] {
		if o.Method != http.MethodGet || slices.ContainsFunc(o.Parameters, func(p spec.Parameter) bool { return p.Required && p.In != "path" }) {
			continue
		}
		left := most
		q := query{left: &left, words: []string{noun(segment(o.Path)), plain(segment(o.Path))}}
		for _, s := range successes(o) {
			if !q.pages(s) && len(members(s)) > 0 {
				return o
			}
		}
	}
	return nil
}

// pages reports whether a body lists what a path is called after.
func (q query) pages(s *spec.Schema) bool {
	return items(s) != nil || slices.ContainsFunc(q.members(s), func(p spec.Property) bool {
		return q.wraps(p.Name) && !scalar(p.Schema) && (items(p.Schema) != nil || slices.ContainsFunc(q.members(p.Schema), func(in spec.Property) bool { return items(in.Schema) != nil }))
	})
}

// touchesOwnUser returns that an operation changes the user or the session of the credential in use.
func (m *Map) touchesOwnUser(op *spec.Operation, said sayings, creates bool) Danger {
	why := ""
	for i, s := range said.segments {
		one := noun(s)
		if slices.Contains(own, one) {
			why = strconv.Quote(s) + " in its path"
		} else if slices.Contains(ownAlone, one) && one == plain(s) && m.showsOne(said.segments[:i+1], op) {
			why = "GET shows one " + strconv.Quote(s)
		}
	}
	if why == "" {
		for _, phrase := range ownSaid {
			if holdsNear(wordsIn(said.summary), phrase) {
				why = strconv.Quote(phrase) + " in its summary"
			}
		}
	}
	if why == "" {
		return Danger{}
	}
	last := wordsIn(said.segments[len(said.segments)-1])
	if creates || op.Method == http.MethodPost && created(op) != nil {
		for _, f := range factors {
			if holds(last, f) {
				return Danger{Does: "change the credential or a factor of it", Says: why + ", and " + strconv.Quote(f), Ends: true}
			}
		}
		return Danger{}
	}
	return Danger{Does: "change the user or the session of the credential", Says: why, Ends: true}
}

// showsOne reports whether a GET of the first segments of an operation's path shows one object.
func (m *Map) showsOne(segments []string, op *spec.Operation) bool {
	path := ""
	rest := op.Path
	for _, s := range segments {
		i := strings.Index(rest, "/"+s)
		if i < 0 {
			return false
		}
		path, rest = path+rest[:i]+"/"+s, rest[i+1+len(s):]
	}
	return m.singleton(&spec.Operation{Path: path}) != nil
}

// NamesOne reports whether the path of an operation names a resource: one that comes and goes, not one of a few that the document states.
func NamesOne(op *spec.Operation) bool {
	return slices.ContainsFunc(SlotsOf(op), func(s Slot) bool { return !Fixed(s.Parameter) })
}

// sayings are the words of an operation, by their places.
type sayings struct {
	id string
	// lead is the verb of the id; empty where its first word is none of its own.
	lead string
	// segments are those of the path without parameters, and the values of such as the document states; after are those behind the last
	// parameter that names something.
	segments, after []string
	summary         string
	tags            []string
}

func sayingsOf(op *spec.Operation) sayings {
	said := sayings{id: op.ID, summary: op.Summary, tags: op.Tags}
	if said.summary == "" {
		said.summary, _, _ = strings.Cut(op.Description, "\n")
		said.summary, _, _ = strings.Cut(said.summary, ". ")
	}
	path, _, _ := strings.Cut(op.Path, "#")
	for s := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if !strings.Contains(s, "{") {
			if s != "" {
				said.segments, said.after = append(said.segments, s), append(said.after, s)
			}
			continue
		}
		name := strings.Trim(s, "{}")
		p, ok := pathParameter(op, name)
		if !ok || !Fixed(p) {
			_, verb, _ := strings.Cut(s[strings.LastIndexByte(s, '}')+1:], ":") // "/things/{id}:undelete"
			if said.after = nil; verb != "" {
				said.segments, said.after = append(said.segments, verb), append(said.after, verb)
			}
			continue
		}
		stated := strings.ReplaceAll(strings.Join(p.Schema.Enum, "-"), `"`, "")
		said.segments, said.after = append(said.segments, stated), append(said.after, stated)
	}
	skip := append(wordsIn(strings.Join(op.Tags, " ")), strings.ToLower(op.Method), "api", "service", "controller", "admin", "rest", "bulk", "batch", "mass", "using")
	for _, w := range wordsIn(op.ID) {
		if !slices.ContainsFunc(skip, func(s string) bool { return s == w || singular(s) == singular(w) }) {
			said.lead = verb(w)
			break
		}
	}
	return said
}

// last is the last segment of the path; empty where it has none.
func (said sayings) last() string {
	if len(said.segments) == 0 {
		return ""
	}
	return said.segments[len(said.segments)-1]
}

// says returns the first word of the summary in its plain form.
func (said sayings) says() string {
	if all := wordsIn(said.summary); len(all) > 0 {
		return verb(all[0])
	}
	return ""
}

// reads reports whether a POST only asks, by its verb or the last word of its path.
func (said sayings) reads() bool {
	last := wordsIn(said.last())
	return slices.Contains(reading, said.lead) || len(last) > 0 && slices.Contains(reading, last[len(last)-1]) && !slices.Contains(creating, said.lead) ||
		len(last) > 0 && slices.Contains(reading, last[0])
}

// creates returns the danger of an operation that creates a resource; top reports whether it is below no other one.
func (said sayings) creates(top bool) Danger {
	last := said.last()
	for _, h := range hazards {
		for _, phrase := range h.always {
			if where := said.where(phrase, true); where != "" {
				return h.of(phrase, where)
			}
		}
		if top && slices.Contains(h.nouns, noun(last)) {
			return h.of(last, "its path")
		}
	}
	return Danger{}
}

// harms returns the danger of an operation that is not known to create a resource, and whose path names none. adds reports whether it
// seems to add something all the same.
func (said sayings) harms(adds bool) Danger {
	for _, h := range hazards {
		for _, phrase := range slices.Concat(h.always, h.named) {
			if where := said.where(phrase, false); where != "" && (!adds || !slices.Contains([]string{"bulk", "batch", "mass", "maintenance"}, phrase)) {
				return h.of(phrase, where)
			}
		}
		for _, v := range h.verbs {
			switch {
			case holds(wordsIn(said.last()), v), !slices.Contains([]string{"default", "role"}, v) && slices.Contains(said.segments, v):
				return h.of(v, "its path")
			case said.lead == v || len(strings.Fields(v)) > 1 && holds(wordsIn(said.id), v):
				return h.of(v, "its id")
			case said.says() == v:
				return h.of(v, "its summary")
			}
		}
	}
	return Danger{}
}

// where returns where a phrase occurs: in the id, the path, the summary or a tag; empty for nowhere. few leaves out the first segments
// of the path and the tags, which name what an operation belongs to.
func (said sayings) where(phrase string, few bool) string {
	segments := said.segments
	if few && len(segments) > 0 {
		segments = segments[len(segments)-1:]
	}
	switch {
	case holds(wordsIn(said.id), phrase):
		return "its id"
	case slices.ContainsFunc(segments, func(s string) bool { return holds(wordsIn(s), phrase) }):
		return "its path"
	case holdsNear(wordsIn(said.summary), phrase):
		return "its summary"
	case !few && slices.ContainsFunc(said.tags, func(t string) bool { return holds(wordsIn(t), phrase) }):
		return "a tag"
	}
	return ""
}

// isAboutSettings reports whether the path says that settings stand there.
func (said sayings) isAboutSettings() bool {
	return slices.ContainsFunc(said.segments, func(s string) bool {
		return slices.Contains([]string{"setting", "preference", "config", "configuration", "option"}, noun(s))
	})
}

// movesShared returns the danger of an action on one resource that moves a state all share.
func (said sayings) movesShared() Danger {
	thrown := func() bool {
		all := slices.Concat(wordsIn(said.id), wordsIn(strings.Join(said.segments, " ")), wordsIn(said.summary), wordsIn(strings.Join(said.tags, " ")))
		return slices.ContainsFunc(all, func(w string) bool { return slices.Contains(discarded, w) })
	}
	d := Danger{Does: "move a state that all share"}
	for _, phrase := range sharedAnywhere {
		where := ""
		switch {
		case slices.ContainsFunc(said.after, func(s string) bool { return holds(wordsIn(s), phrase) }):
			where = "its path"
		case holds(wordsIn(said.id), phrase) && (said.lead == phrase || strings.Contains(phrase, " ")):
			where = "its id"
		case said.says() == phrase || strings.Contains(phrase, " ") && holdsNear(wordsIn(said.summary), phrase):
			where = "its summary"
		}
		if where != "" && (!slices.Contains([]string{"restore", "recover"}, phrase) || !thrown()) {
			d.Says = strconv.Quote(phrase) + " in " + where
			return d
		}
	}
	for _, word := range shared {
		if slices.ContainsFunc(said.after, func(s string) bool { return strings.EqualFold(s, word) }) {
			d.Says = strconv.Quote(word) + " in its path"
			return d
		}
	}
	return Danger{}
}

// actsThoughRead returns the danger of a GET that does more than to read.
func (said sayings) actsThoughRead() Danger {
	of := func(phrase, where string) Danger {
		for _, h := range hazards {
			if slices.Contains(slices.Concat(h.always, h.named, h.verbs), phrase) {
				return h.of(phrase, where)
			}
		}
		return Danger{Does: "do more than to read", Says: strconv.Quote(phrase) + " in " + where, Ends: true}
	}
	for _, phrase := range slices.Concat(acting, actingAlone) {
		n := len(strings.Fields(phrase))
		if all := wordsIn(said.last()); len(all) == n && holdsExactly(all, phrase) {
			return of(phrase, "its path")
		}
		if all := wordsIn(said.id); len(all) == n && holdsExactly(all, phrase) {
			return of(phrase, "its id")
		}
	}
	summary := wordsIn(said.summary)
	for _, phrase := range slices.Concat(acting, actingAlone) {
		alone, n := slices.Contains(actingAlone, phrase), len(strings.Fields(phrase))
		if id := wordsIn(said.id); !alone && len(id) > n && holdsExactly(id[:n], phrase) {
			return of(phrase, "its id")
		}
		if len(summary) < n+1 || verb(summary[0]) != strings.Fields(phrase)[0] || n > 1 && summary[1] != strings.Fields(phrase)[1] {
			continue
		}
		if !alone || slices.Contains([]string{"the", "a", "an", "all", "this", "your", "every"}, summary[n]) {
			return of(phrase, "its summary")
		}
	}
	return Danger{}
}

func (h hazard) of(phrase, where string) Danger {
	return Danger{Does: h.does, Says: fmt.Sprintf("%q in %s", phrase, where), Ends: h.ends}
}

// holds reports whether all words of a phrase are among some, whose forms do not count.
func holds(all []string, phrase string) bool {
	if slices.Contains(all, strings.ReplaceAll(phrase, " ", "")) {
		return true // "resetpassword"
	}
	for w := range strings.FieldsSeq(phrase) {
		if !slices.ContainsFunc(all, func(a string) bool { return a == w || singular(a) == w || verb(a) == w }) {
			return false
		}
	}
	return len(all) > 0
}

// holdsNear reports whether all words of a phrase stand near each other in a sentence.
func holdsNear(all []string, phrase string) bool {
	window := len(strings.Fields(phrase))
	if window > 1 {
		window += 2
	}
	for i := range all {
		if holds(all[i:min(len(all), i+window)], phrase) {
			return true
		}
	}
	return false
}

func holdsExactly(all []string, phrase string) bool { return slices.Equal(all, strings.Fields(phrase)) }

// wordsIn divides a text of a document into words. A digit begins none, but for that of a second factor.
func wordsIn(text string) []string {
	for _, form := range []string{"2FA", "2Fa", "2fa"} {
		text = strings.ReplaceAll(text, form, " 2fa ")
	}
	return words(text)
}

// verb returns the plain form of a verb in the third person: "restore" for "restores".
func verb(word string) string {
	for _, end := range []string{"shes", "ches", "sses", "xes"} {
		if strings.HasSuffix(word, end) {
			return strings.TrimSuffix(word, "es")
		}
	}
	if strings.HasSuffix(word, "ies") && len(word) > 4 {
		return strings.TrimSuffix(word, "ies") + "y"
	}
	if strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && len(word) > 3 {
		return strings.TrimSuffix(word, "s")
	}
	return word
}

// safe reports whether a method changes nothing.
func safe(method string) bool {
	const query = "QUERY" // the safe method with a body that OpenAPI 3.2 names
	return slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions, query}, method)
}

// payments are words, in the id of an operation or at the end of its path, by which it may move money.
var payments = []string{"pay", "payment", "payments", "charge", "charges", "refund", "refunds", "payout", "payouts", "purchase", "purchases", "checkout", "withdraw", "withdrawal", "withdrawals"}

// Pays reports whether an operation may move money by its name. A run calls it like others, but last.
func Pays(op *spec.Operation) bool {
	if safe(op.Method) {
		return false
	}
	path := strings.Split(strings.Trim(op.Path, "/"), "/")
	return slices.ContainsFunc(append(wordsIn(op.ID), wordsIn(path[len(path)-1])...), func(word string) bool { return slices.Contains(payments, word) })
}

// changes are verbs by which a POST changes or removes what is there already, as its request says.
var changes = []string{
	"delete", "remove", "destroy", "erase", "update", "modify", "edit", "archive", "unarchive", "cancel", "deactivate", "disable", "enable", "activate", "reactivate", "set", "unset", "save", "put", "patch", "replace",
	"overwrite", "toggle", "switch", "apply", "lock", "unlock", "suspend", "resume", "pause", "block", "unblock", "merge", "transfer", "move", "swap", "assign", "unassign", "reassign", "detach", "unlink", "rename",
	"approve", "reject", "mark", "revert", "undo", "void", "close", "reopen", "ban", "unban", "expire", "invalidate",
}

// Change returns the word by which a POST that is not known to create anything changes or removes what is there already, and where it
// stands: first in its id or summary, or in the last segment of its path ("/products/bulk-delete"). It is empty where none says so.
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
		if w := verb(w); slices.Contains(changes, w) {
			return strconv.Quote(w) + " in its path"
		}
	}
	switch {
	case slices.Contains(changes, said.lead):
		return strconv.Quote(said.lead) + " in its id"
	case slices.Contains(changes, said.says()):
		return strconv.Quote(said.says()) + " in its summary"
	}
	return ""
}
