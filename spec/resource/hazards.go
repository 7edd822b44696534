package resource

import (
	"fmt"
)

// hazard is a kind of danger with the phrases that indicate it. All words of a phrase must occur, in any order.
type hazard struct {
	does string
	ends bool
	// always indicates it anywhere, even if the operation creates a resource; named only if it is not known to create
	// one.
	always, named []string
	// verbs indicate it where they say what the operation does: first in its id or summary, or in the last segment of
	// its path.
	verbs []string
	// nouns are resources whose creation is the act itself: POST /restores.
	nouns []string
}

// hazards are effects of operations on what all clients share.
var hazards = []hazard{
	{
		does: "end the session of the credential", ends: true,
		always: []string{"logout", "logoff", "signout", "signoff", "log out", "log off", "sign out", "sign off"},
		named: []string{"revoke token", "revoke session", "revoke credential", "invalidate token", "invalidate session", "end session", "terminate session", "expire token", "expire session", "close session", "kill session",
			"delete session", "destroy session", "logout all"},
	},
	{
		does: "stop or restart the service", ends: true,
		always: []string{"shutdown", "shut down", "poweroff", "power off", "reboot", "restart"},
		named:  []string{"reload", "halt", "quit", "terminate", "kill", "turn off", "turn on", "switch off", "switch on", "power on", "decommission", "evacuate", "hibernate"},
		verbs:  []string{"stop", "exit", "suspend", "abort", "power", "unload", "fail", "disarm", "arm", "sleep", "crash", "panic", "chaos", "outage"},
		nouns:  []string{"reload"},
	},
	{
		does: "take the service out of use", ends: true,
		named: []string{"maintenance mode", "toggle maintenance", "maintenance", "read only mode"},
		verbs: []string{"seal", "unseal", "freeze", "unfreeze", "drain", "cordon", "uncordon", "retire", "deregister", "unregister", "deprovision", "disconnect", "isolate", "quarantine"},
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
			"deleterange", "delete range", "delete by query", "delete by filter", "compact", "compaction", "defragment", "defragmentation", "defrag", "vacuum", "tombstone", "garbage"},
		verbs: []string{"clear", "clean", "cleanup", "cleanse", "prune", "drop", "expunge", "empty", "reset", "evict", "gc", "trim", "nuke", "reinitialize", "anonymize", "anonymise",
			"pseudonymize", "redact", "forget", "dedupe", "deduplicate", "discard", "shred", "sanitize", "obliterate"},
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
		named:  []string{"setting", "preference", "set default", "make default", "upload license", "apply license", "install license", "upload firmware", "install firmware", "update firmware", "flash firmware"},
		verbs:  []string{"default", "config", "configuration", "configure", "reconfigure", "toggle", "feature flag", "log level", "loglevel"},
	},
	{
		does:  "give or take rights",
		named: []string{"grant", "revoke", "revocation", "permission", "privilege", "acl", "elevate", "impersonate", "sudo", "assign role", "unassign role", "user role", "role member", "make admin", "set owner", "change owner", "transfer owner", "transfer ownership", "take ownership", "add admin", "remove admin"},
		verbs: []string{"role"},
		nouns: []string{"grant", "permission", "privilege", "acl", "roleassignment", "rolebinding", "clusterrolebinding", "revocation"},
	},
	{
		does:  doesAsTold,
		named: languages,
		verbs: []string{"run", "script", "eval", "forward", "relay", "invoke", "rpc", "jsonrpc", "xmlrpc", "trpc", "dispatch", "mutation", "mutate"},
		nouns: []string{"command"},
	},
	{
		does:  "change much at once",
		named: []string{"bulk", "batch", "mass"},
	},
	{
		does:  "copy or rebuild all that the service holds",
		named: []string{"snapshot", "backup", "dump", "checkpoint"},
		verbs: []string{"reindex", "rebuild", "rescan", "recalculate", "reprocess", "replay", "optimize", "optimise", "forcemerge", "reconcile", "update by query"},
		nouns: []string{"snapshot", "backup", "dump", "checkpoint"},
	},
	{
		does: "move what the nodes of the service do", ends: true,
		named: []string{"failover", "raft", "quorum", "stepdown", "step down", "rebalance", "reroute", "move leader", "transfer leader", "transfer leadership", "leader election", "cluster member", "join cluster", "leave cluster", "cluster node", "add node", "remove node", "add peer", "remove peer"},
		nouns: []string{"failover"},
	},
	{
		does:  "start what all share",
		verbs: []string{"trigger", "kick", "rescale", "scale", "resize", "advance", "unlock all"},
	},
}

// doesAsTold is the danger of an operation whose request holds commands.
const doesAsTold = "do whatever its body says"

// languages are words for requests that hold commands, or texts in a language that can change anything.
var languages = []string{"execute", "exec", "command", "cmd", "txn", "sql", "cypher", "gremlin", "graphql", "query language", "run query", "run script", "run command", "rpc call"}

// statements are names of members that hold such a text.
var statements = []string{"sql", "cypher", "gremlin", "statement", "statements", "script", "command", "commands", "cmd", "mutation", "graphql"}

// lookingAt are verbs of requests that inspect such a text without executing it.
var lookingAt = []string{"validate", "parse", "format", "explain", "check", "lint", "convert", "translate", "describe", "analyze", "analyse", "estimate", "render", "preview"}

// removing are verbs with which body members delete something, and altering those with which they change
// something.
var (
	removing = []string{"delete", "remove", "destroy", "drop", "erase", "purge", "truncate", "deleterange"}
	altering = []string{"update", "replace", "patch", "put", "upsert", "set", "modify", "overwrite"}
)

// reading are verbs of POST requests that only query.
var reading = []string{
	"get", "list", "query", "search", "find", "fetch", "lookup", "read", "evaluate", "validate", "check", "calculate", "compute", "estimate", "preview", "count", "parse", "format",
	"render", "translate", "simulate", "explain", "compare", "convert", "describe", "show", "view", "analyze", "analyse", "detect", "predict", "suggest", "autocomplete", "scroll",
	"ask", "extract", "introspect", "inspect", "download",
}

// creating are verbs of requests that add something.
var creating = []string{"create", "add", "insert", "new", "register", "ingest", "index", "submit", "book", "buy", "order", "place", "open", "invite", "upload", "append"}

// sharedStateWords are names of actions on one resource that change a shared state, such as which of several is the default.
// They count only as a whole segment, or as the verb of an id or a summary.
var sharedStateWords = []string{"default", "primary", "current", "apply", "load", "leader", "master", "switch", "select", "impersonate", "elevate", "grant"}

// sharedAnywhere count within a segment, too.
var sharedAnywhere = []string{
	"activate", "promote", "restore", "recover", "rollback", "failover", "set default", "make default", "mark default", "as default", "set primary", "make primary", "mark primary", "as primary",
	"set current", "make current", "set active", "make active", "switch over", "switchover",
}

// discarded say that what is restored is a single resource that was discarded.
var discarded = []string{"trash", "trashed", "deleted", "archived", "undelete", "recycle"}

// own are path segments for the user or the session of the credential; ownAlone those that mean it only if a GET
// shows a single object there.
var (
	ownUserSegments = []string{"me", "self", "myself", "whoami", "currentuser", "authenticateduser", "loggedinuser"}
	ownAlone        = []string{"account", "profile", "session", "user", "identity", "credential"}
	ownSaid         = []string{"current user", "authenticated user", "logged in user", "calling user", "your account", "your profile", "your password", "own account", "own profile", "my account", "my profile"}
	// factors are means of authentication.
	factors = []string{"key", "gpg", "ssh", "email", "phone", "token", "secret", "credential", "factor", "device", "certificate", "social account", "linked account", "linked identity", "authenticator"}
)

func (h hazard) danger(phrase, where string) Danger {
	return Danger{Does: h.does, Says: fmt.Sprintf("%q in %s", phrase, where), Ends: h.ends}
}
