package resource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// The neighbours of an operation in the documents of these tests.
const (
	nothing = ""
	object  = "one"   // a GET of the same path shows one object
	list    = "list"  // it shows a list
	crud    = "crud"  // it shows a list, and a path below it names one
	owned   = "owned" // the resource that the path names can be created
	bare    = "bare"  // there is none, and the operation shows nothing
)

// documentOf returns a contract with one operation and what stands beside it.
func documentOf(t *testing.T, method, path, id, summary, tag, beside string) (*resource.Map, *spec.Operation) {
	t.Helper()
	const (
		thing   = `{type: object, properties: {id: {type: string}, name: {type: string}}}`
		answers = `responses: {'200': {description: ok, content: {application/json: {schema: %s}}}}`
	)
	says := func(path string) string {
		var all []string
		for rest := path; ; {
			_, after, found := strings.Cut(rest, "{")
			if !found {
				break
			}
			name, left, _ := strings.Cut(after, "}")
			all, rest = append(all, "{name: "+name+", in: path, required: true, schema: {type: string}}"), left
		}
		return "    parameters: [" + strings.Join(all, ", ") + "]\n"
	}
	shows := fmt.Sprintf(answers, thing)
	if beside == bare {
		shows = `responses: {'200': {description: ok}}`
	}
	if beside == list && method == "GET" { // the operation itself
		shows, beside = fmt.Sprintf(answers, "{type: array, items: "+thing+"}"), nothing
	}
	var b strings.Builder
	b.WriteString("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n")
	fmt.Fprintf(&b, "  '%s':\n%s", path, says(path))
	fmt.Fprintf(&b, "    %s: {operationId: '%s', summary: '%s', tags: [%s], %s}\n", strings.ToLower(method), id, summary, tag, shows)
	switch beside {
	case object:
		fmt.Fprintf(&b, "    get: {operationId: beside, %s}\n", fmt.Sprintf(answers, `{type: object, properties: {on: {type: boolean}, names: {type: array, items: {type: string}}}}`))
	case list, crud:
		fmt.Fprintf(&b, "    get: {operationId: beside, %s}\n", fmt.Sprintf(answers, "{type: array, items: "+thing+"}"))
	}
	if beside == crud {
		below := path + "/{id}"
		fmt.Fprintf(&b, "  '%s':\n%s    get: {operationId: below, %s}\n", below, says(below), fmt.Sprintf(answers, thing))
	}
	if i := strings.LastIndex(path, "/{"); beside == owned && i >= 0 {
		above := path[:i]
		fmt.Fprintf(&b, "  '%s':\n%s    post: {operationId: above, %s}\n", above, says(above), fmt.Sprintf(answers, thing))
	}
	contract, err := openapi.Load([]byte(b.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	op, ok := contract.Operation(id)
	if !ok {
		t.Fatalf("no operation %q in\n%s", id, b.String())
	}
	return resource.Of(contract), op
}

// Any word of an operation may show that it is dangerous; ordinary ones are called. The rows are operations of
// published documents.
func TestDangersAreKnownByWhatAnOperationDoes(t *testing.T) {
	for _, c := range []struct {
		method, path, id, summary, tag, beside string
		// does is a part of the danger and its evidence; empty for none.
		does string
	}{
		// the session, the service
		{"POST", "/auth/sign-out", "x", "", "", nothing, `end the session of the credential ("sign out" in its path)`},
		{"GET", "/user/logout", "logoutUser", "Logs out current logged in user session", "user", nothing, "end the session"},
		{"GET", "/self-service/logout/browser", "createBrowserLogoutFlow", "Create a Logout URL for Browsers", "frontend", nothing, ""},
		{"GET", "/logouts", "listLogouts", "", "", nothing, ""},
		{"POST", "/oauth2/revoke", "post_oauth2_revoke", "Revoke access token", "Authorization", nothing, "end the session"},
		{"POST", "/credentials/revoke", "credentials/revoke", "Revoke a list of credentials", "credentials", nothing, "end the session"},
		{"POST", "/admin/reload", "reloadApp", "", "", nothing, `stop or restart the service ("reload" in its id)`},
		{"POST", "/admin", "shutDown", "", "", nothing, "stop or restart"},
		{"POST", "/api/v1/jobs", "x", "Restarts the server.", "", nothing, `"restart" in its summary`},
		{"GET", "/-/reload", "reload", "", "", nothing, "stop or restart"},
		{"GET", "/restarts/count", "getRestartCount", "", "", nothing, ""},
		{"GET", "/reset", "x", "", "", nothing, "remove what others own"},
		{"GET", "/db", "x", "Resets the database", "", nothing, `"reset" in its summary`},
		{"GET", "/resets", "listResets", "Resets of this month", "", nothing, ""},
		{"GET", "/pet", `deletePetById`, "", "pet", nothing, `"delete" in its id`},
		{"GET", "/auth/v1/method/oidc/{provider}/revoke", "oidcFrontChannelLogout", "", "", nothing, "give or take rights"},
		{"POST", "/admin/maintenance", "toggleMaintenance", "", "", nothing, "out of use"},
		{"PUT", "/maintenance-mode", "x", "", "", nothing, "out of use"},
		{"POST", "/cars/maintenance", "createMaintenance", "", "", nothing, ""},
		{"POST", "/v3/maintenance/defragment", "Maintenance_Defragment", "Defragment the backend database of a member", "Maintenance", nothing, "may"},
		// the credential and its factors
		{"POST", "/2fa/save", "save_totp_config", "", "", nothing, `change the credential or a factor of it ("totp" in its id)`},
		{"PUT", "/admin/2fa", "x", "", "", nothing, `"2fa" in its path`},
		{"POST", "/security", "enable2FA", "", "", nothing, `"2fa" in its id`},
		{"POST", "/users/mfa", "x", "", "", crud, "factor"},
		{"POST", "/me/password", "updatePassword", "", "", nothing, "change the"},
		{"POST", "/auth/reset-password", "x", "", "", nothing, "change the credential"},
		{"POST", "/user/changepw", "changepassword", "", "", nothing, "change the credential"},
		{"GET", "/password/rules", "getPasswordRules", "", "", nothing, ""},
		{"POST", "/admin/recovery/code", "createRecoveryCodeForIdentity", "Create a Recovery Code", "identity", nothing, "factor"},
		{"POST", "/api/v1/auth/refresh", "AuthService_RefreshToken", "", "AuthService", nothing, `"refresh token" in its id`},
		{"POST", "/auth/local/login", "localLogin", "Authenticate via basic auth and create a session.", "auth", nothing, ""},
		{"POST", "/api/v1/auth/signin", "AuthService_SignIn", "", "AuthService", nothing, ""},
		{"POST", "/oauth2/token", "post_oauth2_token", "Request access token", "Authorization", nothing, ""},
		{"POST", "/keys", "createKey", "Create an API Key", "keys", crud, ""},
		{"POST", "/users/{id}/2fa", "x", "", "", owned, ""},
		// what others own
		{"DELETE", "/things", "deleteAllThings", "", "", nothing, "remove what others own"},
		{"POST", "/v3/kv/deleterange", "KV_DeleteRange", "", "KV", nothing, `"deleterange" in its path`},
		{"POST", "/v3/kv/compaction", "KV_Compact", "", "KV", nothing, `"compact" in its id`},
		{"POST", "/operations/db/compact", "compactDb", "Compacting the on-disk database", "operations", nothing, "remove what others own"},
		{"POST", "/operations/cache/clear", "clearCache", "", "operations", nothing, "remove what others own"},
		{"POST", "/admin/tsdb/clean_tombstones", "cleanTombstonesPost", "Clean tombstones in the TSDB", "admin", nothing, "remove what others own"},
		{"POST", "/maintenance/clean/images", "x", "", "", nothing, "may"},
		{"POST", "/v3/kv/range", "KV_Range", "", "KV", nothing, ""},
		{"DELETE", "/application/{id}/message", "deleteAppMessages", "Delete all messages from a specific application.", "message", owned, ""},
		{"POST", "/things/{id}/purge", "createPurgeRequest", "", "", owned, ""},
		// another state in the place of the one that is there
		{"POST", "/backups/{id}/restore", "restoreBackup", "Restores a backup", "", owned, "move a state that all share"},
		{"POST", "/restores", "createRestore", "", "", crud, "another state"},
		{"POST", "/trash/{id}/restore", "restoreTrashed", "", "", owned, ""},
		{"POST", "/stemming/dictionaries/import", "importStemmingDictionary", "Import a stemming dictionary", "stemming", nothing, "another state"},
		{"POST", "/cluster/recover", "recover_current_peer", "Tries to recover current peer Raft state.", "Distributed", nothing, "another state"},
		{"PUT", "/collections/{name}/snapshots/recover", "recover_from_snapshot", "", "Snapshots", owned, "move a state that all share"},
		{"POST", "/collections/{name}/documents/import", "importDocuments", "Import documents into a collection", "documents", owned, ""},
		{"POST", "/config/load", "x", "", "", nothing, "may"},
		// settings
		{"POST", "/settings/cors", "setCors", "", "", nothing, `"cors" in its id`},
		{"POST", "/v1/balance_settings", "PostBalanceSettings", "Update balance settings", "", object, "settings that all share"},
		{"POST", "/v1/tax/flags", "x", "", "", object, "GET shows one object at this address"},
		{"PUT", "/site", "x", "", "", object, "GET shows one object at this address"},
		{"POST", "/config", "toggleSlowRequestLog", "Toggle Slow Request Log", "operations", nothing, `"config" in its path`},
		{"POST", "/instance/settings/notification:testEmail", "InstanceService_TestInstanceEmailSetting", "", "InstanceService", nothing, "settings"},
		{"POST", "/instance/settings:batchGet", "InstanceService_BatchGetInstanceSettings", "", "InstanceService", nothing, ""},
		{"PUT", "/templates/{id}/default", "setDefaultTemplate", "", "", owned, `move a state that all share`},
		{"POST", "/licenses/{id}/activate", "x", "", "", owned, `"activate" in its path`},
		{"POST", "/keys/{id}:promote", "x", "", "", owned, `"promote" in its path`},
		{"POST", "/policies/{id}/apply", "x", "", "", owned, `"apply" in its path`},
		{"POST", "/memos/{id}/publish", "x", "", "", owned, ""},
		{"PUT", "/things/{id}/settings", "x", "", "", owned, ""},
		{"PUT", "/settings/{key}", "putSetting", "", "", nothing, "settings that all share"},
		{"PUT", "/aliases/{aliasName}", "upsertAlias", "Create or update a collection alias", "collections", nothing, ""},
		{"POST", "/templates", "createTemplate", "Create a template", "", crud, ""},
		{"POST", "/roles", "add_role", "", "", crud, ""},
		{"POST", "/alerts", "postAlerts", "", "alert", list, ""},
		{"POST", "/query", "query-post", "Evaluate an instant query", "query", object, ""},
		// rights, many, copies, nodes
		{"POST", "/grants", "createGrant", "", "", crud, "give or take rights"},
		{"POST", "/v1/billing/credit_grants", "PostBillingCreditGrants", "Create a credit grant", "", crud, ""},
		{"POST", "/client/{id}/elevate", "elevateClient", "Elevate a client session.", "client", owned, `"elevate" in its path`},
		{"POST", "/users/bulk", "x", "", "", nothing, "change much at once"},
		{"POST", "/events/batch", "createBatchEvents", "Batch multiple events", "events", nothing, ""},
		{"POST", "/evaluate/v1/batch", "evaluateBatch", "", "", nothing, ""},
		{"POST", "/admin/tsdb/snapshot", "snapshotPost", "Create a snapshot of the TSDB", "admin", nothing, "copy or rebuild"},
		{"POST", "/snapshots", "create_full_snapshot", "Create storage snapshot", "Snapshots", crud, "copy or rebuild"},
		{"POST", "/collections/{name}/snapshots", "create_snapshot", "Create collection snapshot", "Snapshots", owned, ""},
		{"POST", "/operations/vote", "vote", "Triggers a follower node to initiate the raft voting process", "operations", nothing, "nodes of the service"},
		{"POST", "/v3/cluster/member/add", "Cluster_MemberAdd", "MemberAdd adds a member into the cluster", "Cluster", nothing, "nodes of the service"},
		// the user of the credential
		{"POST", "/me/player/next", "skip-users-playback-to-next-track", "Skip To Next", "Player", nothing, `"me" in its path`},
		{"PATCH", "/users/me", "x", "", "", object, `"me" in its path`},
		{"PUT", "/account", "x", "", "", object, `GET shows one "account"`},
		{"DELETE", "/session", "x", "", "", object, `GET shows one "session"`},
		{"PUT", "/locale", "x", "Sets the language of the current user", "", nothing, `"current user" in its summary`},
		{"POST", "/sessions", "createSession", "", "", nothing, ""},
		// a GET that acts, in the style of older services and devices
		{"GET", "/users/{id}/activate", "x", "", "", nothing, `"activate" in its path`},
		{"GET", "/orders/{id}/cancel", "x", "", "", owned, `"cancel" in its path`},
		{"GET", "/approve/{id}", "x", "", "", nothing, `"approve" in its path`},
		{"GET", "/deleteUser", "x", "", "", nothing, `"delete" in its path`},
		{"GET", "/items.remove", "x", "", "", nothing, `"remove" in its path`},
		{"GET", "/item/delete.php", "x", "", "", nothing, `"delete" in its path`},
		{"GET", "/mails", "sendMail", "", "", nothing, `"send" in its id`},
		{"GET", "/relay", "x", "Switches the relay", "", bare, `"switch" in its summary`},
		{"GET", "/led/on", "x", "", "", bare, `"on" in its path`},
		{"GET", "/cron/run", "x", "", "", bare, `"run" in its path`},
		{"GET", "/users/add", "x", "", "", nothing, `"add" in its path`},
		{"GET", "/setLevel", "x", "", "", bare, `"set" in its path`},
		{"GET", "/users/{id}/ban", "getUsersByIdBan", "", "", nothing, `"ban" in its path`},
		{"GET", "/cache/flush", "x", "Returns how many entries were flushed", "", nothing, `"flush" in its path`},
		{"GET", "/cache/clear", "getCacheClearing", "", "", bare, `"clear" in its path`},
		{"GET", "/index/reload", "reloaded", "Prints what was reloaded", "", nothing, `"reload" in its path`},
		{"GET", "/keys/{id}/regenerate", "x", "Generate a new key", "", owned, `"regenerate" in its path`},
		{"GET", "/users/{id}/deactivate", "x", "Returns the deactivated user", "", owned, `"deactivate" in its path`},
		{"GET", "/jobs/{id}/stop", "x", "Gives the state after the job was stopped", "", nothing, `"stop" in its path`},
		{"GET", "/users/{id}/reset", "testReset", "", "", nothing, `"reset" in its path`},
		{"GET", "/index/rebuild", "x", "Returns the job", "", nothing, `"rebuild" in its path`},
		{"GET", "/sessions/invalidate", "getInvalidation", "Get it", "", nothing, `"invalidate" in its path`},
		{"GET", "/users/{id}/ban", "x", "Returns the ban", "", nothing, `"ban" in its path`},
		{"GET", "/cache", "stop_cache_get", "", "", nothing, `"stop" in its id`},
		{"GET", "/users/{id}", "ban_user_users__id__get", "Ban User", "", nothing, `"ban" in its id`},
		{"GET", "/users/{id}/bans", "x", "Bans a user", "", nothing, `"ban" in its summary`},
		{"GET", "/users/{id}/roles", "x", "Add roles to a user", "", nothing, `"add" in its summary`},
		{"GET", "/send-message", "x", "", "", nothing, `"send" in its path`},
		{"GET", "/cancelOrders", "x", "", "", nothing, `"cancel" in its path`},
		{"GET", "/servers/{id}/bans", "x", "Bans of a server", "", nothing, ""},
		{"GET", "/servers/{id}/bans", "x", "Bans by date", "", nothing, ""},
		{"GET", "/sites/{id}/deploys", "x", "Deploys of a site", "", nothing, ""},
		{"GET", "/deployments", "x", "Deploy history", "", nothing, ""},
		{"GET", "/plans/{id}/extras", "x", "Add-ons of a plan", "", nothing, ""},
		{"GET", "/plans/{id}/add-on", "x", "Add-on of a plan", "", nothing, ""},
		{"GET", "/upgrades", "x", "Upgrades that are available", "", nothing, ""},
		{"GET", "/save-games", "save_games_save_games_get", "Save Games", "", nothing, ""},
		{"GET", "/merge-requests", "merge_requests_merge_requests_get", "Merge Requests", "", nothing, ""},
		{"GET", "/edit-history", "edit_history_edit_history_get", "Edit History", "", nothing, ""},
		{"GET", "/cancel-policy", "cancel_policy_cancel_policy_get", "Cancel Policy", "", nothing, ""},
		{"GET", "/ban-list", "x", "", "", nothing, ""},
		{"GET", "/send-limits", "x", "Send limits of the account", "", nothing, ""},
		{"GET", "/install-script", "x", "", "", nothing, ""},
		{"GET", "/kill-switch", "x", "", "", nothing, ""},
		{"GET", "/restart-policy", "x", "", "", nothing, ""},
		{"GET", "/configurations", "addConfigurationList", "List them", "", list, ""},
		{"GET", "/add-ons", "x", "", "", nothing, ""},
		{"GET", "/merge-requests", "mergeRequests", "", "", nothing, ""},
		{"GET", "/updates", "getUpdates", "", "", bare, ""},
		{"GET", "/update", "x", "Shows the newest update", "", bare, ""},
		{"GET", "/set", "x", "A set of cards", "", nothing, ""},
		{"GET", "/transfer/{id}", "x", "", "", bare, ""},
		{"GET", "/orders/open", "x", "", "", nothing, ""},
		{"GET", "/verify-email", "verifyEmail", "", "", bare, ""},
		{"GET", "/sso/login", "x", "Start the log-in", "", bare, ""},
		{"GET", "/runs/{id}/log", "x", "", "", bare, ""},
		{"GET", "/go/{code}", "follow", "", "", bare, ""},
		{"GET", "/reports/today", "runReport", "", "", nothing, ""},
		// calls in the style of RPC
		{"POST", "/users.resetPassword", "x", "", "", nothing, `"reset password" in its path`},
		{"POST", "/admin.users.setOwner", "x", "", "", nothing, `"set owner" in its path`},
		{"POST", "/admins", "addAdmin", "", "", nothing, `"add admin" in its id`},
		{"POST", "/sessions.expire", "x", "", "", nothing, `"expire session" in its path`},
		{"POST", "/_delete_by_query", "x", "", "", nothing, `"delete by query" in its path`},
		{"POST", "/_cluster/reroute", "x", "", "", nothing, "nodes of the service"},
		{"POST", "/jsonrpc", "x", "", "", nothing, "whatever its body says"},
		{"POST", "/forward", "x", "", "", nothing, "whatever its body says"},
		{"POST", "/chat.postMessage", "x", "", "", bare, ""},
		{"POST", "/api/users.create", "x", "", "", bare, ""},
		{"POST", "/conversations.list", "x", "", "", bare, ""},
		// devices, jobs, data of persons
		{"POST", "/lights", "turnOff", "", "", nothing, `"turn off" in its id`},
		{"POST", "/alarm/disarm", "x", "", "", nothing, `"disarm" in its path`},
		{"POST", "/jobs/trigger", "x", "", "", nothing, `"trigger" in its path`},
		{"POST", "/debug/crash", "x", "", "", nothing, "stop or restart"},
		{"POST", "/gdpr/forget", "x", "", "", nothing, "remove what others own"},
		{"POST", "/firmware", "uploadFirmware", "", "", nothing, "settings that all share"},
		{"POST", "/triggers", "createTrigger", "", "", list, ""},
		{"POST", "/licenses", "createLicense", "", "", bare, ""},
		{"POST", "/workflow_runs", "createWorkflowRun", "", "", list, `"run" in its path`},
		{"POST", "/factory/resets", "createReset", "", "", list, `"reset" in its path`},
		{"POST", "/nodes/drains", "createNodeDrain", "", "", list, `"drain" in its path`},
		{"POST", "/dispatches", "createDispatch", "", "", list, `"dispatch" in its path`},
		{"POST", "/evals", "createEval", "", "", list, `"eval" in its path`},
		{"POST", "/replays", "createReplay", "", "", list, `"replay" in its path`},
		{"POST", "/stops", "createStop", "", "", list, `"stop" in its path`},
		{"POST", "/aborts", "createAbort", "", "", list, `"abort" in its path`},
		{"POST", "/configs", "createConfig", "", "", list, `"config" in its path`},
		{"POST", "/roles", "createRole", "", "", list, `"role" in its path`},
		{"POST", "/outages", "createOutage", "", "", list, ""},
		// nothing in the document says what these do
		{"POST", "/", "x", "", "", bare, "nothing in the document says"},
		{"POST", "/scheduler/start", "x", "", "", bare, "nothing in the document says"},
		{"POST", "/power", "x", "", "", nothing, "stop or restart"},
		{"POST", "/wifi", "connectWifi", "", "", bare, "nothing in the document says"},
		{"POST", "/actions", "x", "", "", bare, "nothing in the document says"},
		{"POST", "/door/open", "x", "", "", bare, "nothing in the document says"},
		{"POST", "/wifi", "x", "", "", nothing, ""}, // it shows something
		{"POST", "/events", "x", "", "", bare, ""},
		{"POST", "/feedback", "x", "", "", bare, ""},
		{"POST", "/login", "x", "", "", bare, ""},
		{"POST", "/echo", "x", "", "", bare, ""},
		{"POST", "/exports", "startExport", "", "", bare, ""},
		{"POST", "/scan", "keepScan", "", "", bare, ""},
		{"POST", "/x", "x", "Sends a message to the shop", "", bare, ""},
		// ordinary operations
		{"POST", "/users", "createUser", "Create a user.", "user", crud, ""},
		{"POST", "/register", "createCustomer", "", "", nothing, ""},
		{"PUT", "/pets/{id}", "updatePet", "Update a pet", "pet", owned, ""},
		{"DELETE", "/pets/{id}", "deletePet", "Delete a pet", "pet", owned, ""},
		{"POST", "/output", "addOutput", "", "", nothing, ""},
		{"POST", "/allowances", "createAllowance", "", "", nothing, ""},
		{"POST", "/markdown", "markdown/render", "Render a Markdown document", "markdown", nothing, ""},
		{"POST", "/orders", "placeOrder", "Place an order for a pet", "store", nothing, ""},
		{"OPTIONS", "/restart", "restartOptions", "", "", nothing, ""},
	} {
		m, op := documentOf(t, c.method, c.path, c.id, c.summary, c.tag, c.beside)
		danger, is := m.Danger(op)
		if c.does == "" && is || c.does != "" && (!is || !strings.Contains(danger.String(), c.does)) {
			t.Errorf("%s %s %s %q beside %q: %v %v, want %q", c.method, c.path, c.id, c.summary, c.beside, is, danger, c.does)
		}
	}
}

// What a POST does may be in its body alone. The bodies are from published documents.
func TestDangersInBodies(t *testing.T) {
	const (
		txn     = `{type: object, properties: {compare: {type: array, items: {type: object}}, success: {type: array, items: {type: object, properties: {requestPut: {type: object}, requestDeleteRange: {type: object, properties: {key: {type: string}}}}}}}}`
		actions = `{type: object, properties: {operations: {type: array, items: {type: object, properties: {op: {type: string, enum: [create, update, delete]}, id: {type: string}}}}}}`
		lists   = `{type: object, properties: {create: {type: array, items: {type: object}}, delete: {type: array, items: {type: string}}}}`
		alters  = `{type: object, properties: {set: {type: object}, replace: {type: object}}}`
		graph   = `{type: object, properties: {query: {type: string}, variables: {type: object}}}`
		plain   = `{type: object, properties: {query: {type: string}, limit: {type: integer}}}`
	)
	text := func(name string) string { return `{type: object, properties: {` + name + `: {type: string}}}` }
	for _, c := range []struct {
		path, id, body string
		beside         string
		does           string
	}{
		{"/v3/kv/txn", "KV_Txn", txn, nothing, `"requestDeleteRange" in its body`},
		{"/v3/kv/txn", "KV_Txn", `{type: object}`, nothing, `"txn" in its id`},
		{"/sync", "syncAll", actions, nothing, `"op" in its body`},
		{"/records", "x", lists, nothing, `"delete" in its body`},
		{"/records", "addRecords", lists, nothing, `"delete" in its body`},
		{"/records", "addRecords", actions, nothing, ""},
		{"/records", "x", alters, nothing, `"set" in its body`},
		{"/graphql", "x", plain, nothing, `"graphql" in its path`},
		{"/api", "ask", graph, nothing, `"query" in its body`},
		{"/api/find", "findThings", plain, nothing, ""},
		{"/query", "queryAll", text("sql"), nothing, `"sql" in its body`},
		{"/sql/query", "x", text("q"), nothing, `"sql" in its path`},
		{"/sql/validate", "x", text("sql"), nothing, ""},
		{"/run", "x", text("name"), nothing, doesAsTold},
		{"/console/command", "x", text("line"), nothing, `"command" in its path`},
		{"/jobs/execute", "x", text("name"), nothing, `"execute" in its path`},
		{"/shell", "x", text("command"), nothing, `"command" in its body`},
		{"/commands", "createCommand", text("line"), crud, `"commands" in its path`},
		{"/queries/execute_read", "x", text("sql"), nothing, ""},
		{"/scripts", "createScript", text("script"), crud, ""},
		{"/search", "x", `{type: object, properties: {removeDuplicates: {type: boolean}, deletedSince: {type: string}}}`, nothing, ""},
		{"/webhooks", "createWebhook", actions, crud, ""},
	} {
		m, op := documentOf(t, "POST", c.path, c.id, "", "", c.beside)
		contract, err := openapi.Load([]byte("openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {/a: {post: {operationId: a, requestBody: {content: {application/json: {schema: " + c.body + "}}}, responses: {'200': {description: d}}}}}"))
		if err != nil {
			t.Fatal(err)
		}
		other, _ := contract.Operation("a")
		op.Body = other.Body
		if danger, is := m.Danger(op); is != (c.does != "") || !strings.Contains(danger.String(), c.does) {
			t.Errorf("%s %s %s: %v %v, want %q", c.path, c.id, c.body, is, danger, c.does)
		}
	}
}

// doesAsTold is the effect of an operation that does what its body says.
const doesAsTold = "do whatever its body says"

// A parameter whose values the document states names no resource of the run.
func TestStatedValuesOfAPathNameNothing(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /service/{action}:
    parameters: [{name: action, in: path, required: true, schema: {type: string, enum: [start, restart]}}]
    post: {operationId: actOn, responses: {'204': {description: done}}}
  /areas/{area}:
    parameters: [{name: area, in: path, required: true, schema: {type: string, enum: [mail, web]}}]
    get: {operationId: showArea, responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {on: {type: boolean}}}}}}}}
    put: {operationId: putArea, responses: {'204': {description: done}}}
`
	contract, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	m := resource.Of(contract)
	for id, want := range map[string]string{"actOn": `"restart" in its path`, "putArea": "GET shows one object"} {
		op, _ := contract.Operation(id)
		if danger, is := m.Danger(op); !is || !strings.Contains(danger.String(), want) {
			t.Errorf("%s: %v %v, want %q", id, is, danger, want)
		}
	}
}

// A POST that is not known to create anything, and whose words say that it changes something, is sent only for
// resources of the run.
func TestChangesAreKnownByTheirVerbs(t *testing.T) {
	for _, c := range []struct{ method, id, path, summary, beside, want string }{
		{"POST", "bulkProducts", "/products/bulk_delete", "", nothing, `"delete" in its path`},
		{"POST", "removeProducts", "/products/many", "", nothing, `"remove" in its id`},
		{"POST", "x", "/orders/cancel", "", nothing, `"cancel" in its path`},
		{"POST", "post-cancels", "/cancels", "Cancel an authorised payment", nothing, `"cancel" in its path`},
		{"POST", "x", "/orders/many", "Moves orders to another shop", nothing, `"move" in its summary`},
		{"POST", "PostAppsSecrets", "/v1/apps/secrets", "Set a Secret", list, `"set" in its summary`},
		{"POST", "KV_Put", "/v3/kv/put", "", nothing, `"put" in its path`},
		{"POST", "Auth_AuthDisable", "/v3/auth/disable", "", nothing, `"disable" in its path`},
		{"POST", "saveUser", "/users", "", crud, ""},
		{"POST", "createUpdate", "/updates", "", crud, ""},
		{"POST", "findAndModify", "/things/find", "", nothing, `"modify" in its id`},
		{"POST", "x", "/barriers/change_status", "", nothing, `"change" in its path`},
		{"POST", "createOrUpdateThing", "/things", "", nothing, ""},
		{"POST", "addRemoval", "/removals", "", nothing, ""},
		{"GET", "x", "/things/delete", "", nothing, ""},
	} {
		m, op := documentOf(t, c.method, c.path, c.id, c.summary, "", c.beside)
		if got := m.Change(op); got != c.want {
			t.Errorf("%s %s %s: %q, want %q", c.id, c.method, c.path, got, c.want)
		}
	}
}
