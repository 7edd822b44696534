package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const completed = `openapi: 3.1.0
info: {title: Tickets, version: "1"}
paths:
  /tickets:
    get:
      operationId: listTickets
      summary: |
        All tickets,
        a page at a time
      parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50}}]
      responses: {"200": {description: Yes, content: {application/json: {schema: {type: array, items: {type: object}}}}}}
  /health:
    get: {operationId: health, responses: {"204": {description: Yes}}}
`

// proposals returns what the shell would propose, and fails if anything else is printed.
func proposals(t *testing.T, lookup func(string) (string, bool), args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	run(t.Context(), append([]string{"__complete"}, args...), lookup, &stdout, &stderr, &memory{})
	if rest := strings.ReplaceAll(stderr.String(), "Completion ended with directive: ShellCompDirectiveNoFileComp\n", ""); rest != "" {
		t.Errorf("%v: standard error: %q", args, rest)
	}
	list, _, found := strings.Cut(stdout.String(), ":4\n")
	if !found {
		t.Errorf("%v: files are proposed, too: %q", args, stdout.String())
	}
	return list
}

func TestCompletionKnowsTheContract(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("tickets.yaml", completed)
	write("broken.yaml", "openapi: [")
	write("large.yaml", completed+"# "+strings.Repeat("x", largeContract)+"\n")
	if err := os.Mkdir("below", 0o700); err != nil {
		t.Fatal(err)
	}
	const rule = "listTickets.accepted\tlistTickets rejects no request because"
	variable := func(name string) (string, bool) {
		return map[string]string{"HALLMARK_CONTRACT": "tickets.yaml", "HALLMARK_CONFIG": ""}[name], name == "HALLMARK_CONTRACT"
	}
	for _, c := range []struct {
		lookup func(string) (string, bool)
		args   string
		want   string
	}{
		{nothing, "run tickets.yaml --rule listTickets.accep", rule},
		{nothing, "run --contract tickets.yaml --rule listTickets.accep", rule},
		{nothing, "run -c tickets.yaml --operation l", "listTickets\tAll tickets, a page at a time\n"},
		{nothing, "run -c tickets.yaml --allow h", "health\n"},
		{nothing, "doctor tickets.yaml --allow h", "health\n"},
		{nothing, "run -c tickets.yaml --tags @operation:h", "@operation:health\n"},
		{nothing, "derive -c tickets.yaml --rule listTickets.accep", rule},
		{nothing, "faults -c tickets.yaml --only health.status.204-as-2", "health.status.204-as-203\t"},
		{nothing, "proxy -c tickets.yaml --fault health.status.204-as-2", "health.status.204-as-203\t"},
		{variable, "run --operation h", "health\n"},
		{nothing, "run --rule list.limit.honoured", "list.limit.honoured\t"}, // the built-in contract
		{nothing, "run -c large.yaml --rule listT", "listTickets\tAll tickets, a page at a time\n"},
		{nothing, "run -c broken.yaml --rule l", ""},
		{nothing, "run -c nonesuch.yaml --rule l", ""},
		{nothing, "run -c below --rule l", ""},
		{nothing, "run tickets.yaml -c broken.yaml --rule l", ""},
	} {
		if got := proposals(t, c.lookup, strings.Fields(c.args)...); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q", c.args, got)
		}
	}

	// hallmark.yaml names the contract, for folders below, too; a file of values runs no command.
	write("hallmark.yaml", "defaults: {contract: tickets.yaml, values-file: values.yaml}\ntargets:\n  a: {base-url: 'http://127.0.0.1:1'}\n  b: {base-url: 'http://127.0.0.1:2'}\n")
	write("values.yaml", "limit: {command: [touch, started]}\n")
	t.Chdir("below")
	for _, args := range []string{"run --rule listTickets.accep", "run --target b --rule listTickets.accep", "derive --rule listTickets.accep"} {
		if got := proposals(t, nothing, strings.Fields(args)...); !strings.HasPrefix(got, rule) {
			t.Errorf("hallmark.yaml: %s: %q", args, got)
		}
	}
	if _, err := os.Stat(filepath.Join("..", "started")); err == nil {
		t.Error("completion ran a command")
	}
}

func TestCompletionUsesNoNetwork(t *testing.T) {
	t.Chdir(t.TempDir())
	asked := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	defer server.Close()
	if err := os.WriteFile("api.yaml", []byte(strings.Replace(completed, "schema: {type: integer, minimum: 1, maximum: 50}", "schema: {$ref: '"+server.URL+"/limit.yaml'}", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"run", server.URL + "/api.yaml", "--rule", "l"}, {"run", "-c", server.URL + "/api.yaml", "--operation", "l"},
		{"run", "-c", "api.yaml", "--allow-remote", "--rule", "l"}, {"run", "-c", "api.yaml", "--base-url", server.URL, "--operation", "l"},
	} {
		proposals(t, nothing, args...)
	}
	select {
	case path := <-asked:
		t.Errorf("completion asked for %s", path)
	default:
	}
}
