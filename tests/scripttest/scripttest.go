// Package scripttest runs the scripts of failures in a shell, against a new service with the same fault. Only tests import it.
package scripttest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/bundle"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// Need skips the test if the machine lacks a program that scripts use.
func Need(t testing.TB) {
	t.Helper()
	for _, name := range []string{"bash", "sh", "curl", "jq"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s here", name)
		}
	}
}

// CauseOf returns the cause that breaks a rule, or nil.
func CauseOf(v *view.View, rule string) *verdict.Cause {
	i := slices.IndexFunc(v.Result.Causes, func(c verdict.Cause) bool {
		return c.Rule == rule || c.Lead.Rule == rule || slices.ContainsFunc(c.Also, func(b verdict.Broken) bool { return b.Rule == rule })
	})
	if i < 0 {
		return nil
	}
	return &v.Result.Causes[i]
}

// Run runs the script of a cause against a handler whose operations are below a path, and returns the script, its output, and what the output
// lacks to show the failure, or "".
func Run(t testing.TB, v *view.View, c *verdict.Cause, handler http.Handler, path string, env ...string) (script, output, lacks string) {
	t.Helper()
	script = bundle.Script(v, *c)
	server := httptest.NewServer(handler)
	defer server.Close()
	shell := "sh"
	if strings.HasPrefix(script, "#!/usr/bin/env bash\n") {
		shell = "bash"
	}
	run := exec.CommandContext(t.Context(), shell, "-s", server.URL+path)
	run.Stdin = strings.NewReader(script)
	run.Env = slices.Concat(env, []string{"PATH=" + os.Getenv("PATH")})
	var said bytes.Buffer
	run.Stdout, run.Stderr = &said, &said
	if err := run.Run(); err != nil && c.Lead.Kind != spec.KindDied { // curl fails when there is no response
		return script, said.String(), "success: it ended with " + err.Error()
	}
	return script, said.String(), missing(v, c.Lead, said.String())
}

// missing returns what an output lacks to show a finding, or "".
func missing(v *view.View, f spec.Finding, output string) string {
	ex := v.Exchange(f.Decisive())
	if ex == nil || ex.Response == nil {
		return ""
	}
	lower, status := strings.ToLower(output), strconv.Itoa(ex.Response.Status)
	switch {
	case f.Status != 0:
		if !strings.Contains(output, "\n"+status+"\n") && !strings.Contains(output, "HTTP/1.1 "+status) {
			return "the status " + status
		}
	case f.Header != "", f.Kind == spec.KindMediaType:
		head := lower[max(strings.LastIndex(lower, "http/1.1 "), 0):]
		name := f.Header
		if name == "" {
			name = "Content-Type"
		}
		shown := strings.Contains(head, "\n"+strings.ToLower(name)+":")
		if _, was := ex.Response.Header[http.CanonicalHeaderKey(name)]; !strings.HasPrefix(head, "http/1.1 ") || was != shown {
			return "the header " + name + ", which the response had: " + strconv.FormatBool(was)
		}
	case len(ex.Response.Body) > 0 && json.Valid(ex.Response.Body):
		want := kindAt(ex.Response.Body, f.Pointer)
		if !slices.ContainsFunc(bodies(output), func(body []byte) bool { return kindAt(body, f.Pointer) == want }) {
			return "a body with " + want + " at " + strconv.Quote(f.Pointer)
		}
	case len(ex.Response.Body) > 0:
		if first, _, _ := strings.Cut(strings.TrimSpace(string(ex.Response.Body)), "\n"); !strings.Contains(output, first[:min(len(first), 20)]) {
			return "the body " + first
		}
	}
	return ""
}

// bodies returns the JSON texts among the lines of an output.
func bodies(output string) [][]byte {
	var all [][]byte
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "{") || strings.HasPrefix(line, "[") || strings.HasPrefix(line, `"`) {
			all = append(all, []byte(line))
		}
	}
	return all
}

// kindAt describes the value at a JSON Pointer: its type, and for a value that no run chooses, the value.
func kindAt(body []byte, pointer string) string {
	var node any
	if json.Unmarshal(body, &node) != nil {
		return "no JSON"
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			break
		}
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch in := node.(type) {
		case map[string]any:
			value, ok := in[token]
			if !ok {
				return "nothing"
			}
			node = value
		case []any:
			if len(in) == 0 {
				return "nothing"
			}
			i, err := strconv.Atoi(token)
			if err != nil {
				return "nothing"
			}
			node = in[min(i, len(in)-1)] // a new service lists less
		default:
			return "nothing"
		}
	}
	switch node.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return "a string"
	case float64:
		return "a number"
	case nil:
		return "null"
	default:
		return "a boolean"
	}
}
