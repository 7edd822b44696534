package record_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// A script shows what a finding is about: a header, or a status.
func TestScriptShowsItsPoint(t *testing.T) {
	one := []*spec.Exchange{{Request: spec.Request{Method: "GET", URL: "http://h/v1/pets"}}}
	two := slices.Concat(one, one)
	for name, c := range map[string]struct {
		exchanges []*spec.Exchange
		finding   spec.Finding
		want      string
	}{
		"a body":        {one, spec.Finding{Kind: spec.KindType}, "curl -sS 'http://h/v1/pets'"},
		"a status":      {one, spec.Finding{Kind: spec.KindStatus, Status: 500}, `curl -sS 'http://h/v1/pets' -w '\n%{http_code}\n'`},
		"a header":      {one, spec.Finding{Kind: spec.KindMissing, Header: "Location"}, "curl -sSi 'http://h/v1/pets'"},
		"a media type":  {one, spec.Finding{Kind: spec.KindMediaType}, "curl -sSi 'http://h/v1/pets'"},
		"a loop":        {slices.Concat(two, two), spec.Finding{Header: "ETag"}, `n=3; while [ "$n" -gt 0 ]; do curl -sS 'http://h/v1/pets'; echo; n=$((n-1)); done` + "\ncurl -sSi 'http://h/v1/pets'"},
		"the last of 2": {two, spec.Finding{Header: "ETag"}, "curl -sS 'http://h/v1/pets'; echo\ncurl -sSi 'http://h/v1/pets'"},
	} {
		if got := (record.Target{}).Script(c.exchanges, c.finding); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A version that a response shows in a header is sent back as it is now.
func TestScriptSendsTheVersionOfNow(t *testing.T) {
	read := &spec.Exchange{Request: spec.Request{Method: "GET", URL: "http://h/v1/pets/7"}, Response: &spec.Response{Status: 200, Header: http.Header{"Etag": {`"1"`}}, Body: spec.Bytes(`{"id":7}`)}}
	change := &spec.Exchange{Request: spec.Request{Method: "PUT", URL: "http://h/v1/pets/7", Header: http.Header{"If-Match": {`"1"`}}}}
	want := `response1=$(curl -sSi 'http://h/v1/pets/7'); printf '%s\n' "$response1"
etag1=$(printf '%s' "$response1" | tr -d '\r' | sed -n 's/^[Ee][Tt][Aa][Gg]: *//p')
curl -sS -X PUT -H 'If-Match: '"${etag1:?no ETag in response1}" 'http://h/v1/pets/7' -w '\n%{http_code}\n'`
	if got := (record.Target{}).Script([]*spec.Exchange{read, change}, spec.Finding{}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The scripts are run by a real shell, with a curl that answers as the case says and records its requests.
func TestScript(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here")
	}
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("no jq here")
	}
	bin := t.TempDir()
	fake := "#!/bin/sh\nfor word; do case $word in http*|{*) printf '%s\\n' \"$word\" | tr -d ' ' >>\"$ASKED\"; esac; done\nprintf '%s' \"$ANSWER\"\n"
	if err := os.WriteFile(filepath.Join(bin, "curl"), []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	exchange := func(method, path, answer string) *spec.Exchange {
		ex := &spec.Exchange{Request: spec.Request{Method: method, URL: "http://h/v1" + path}}
		if answer != "" {
			ex.Response = &spec.Response{Status: 200, Body: spec.Bytes(answer)}
		}
		return ex
	}
	created := exchange("POST", "/pets", `{"id":7,"name":"X"}`)
	shelf, book := exchange("POST", "/shelves", `{"id":"s-1","room":3}`), exchange("POST", "/shelves/s-1/books", `{"book_id":7}`)
	elsewhere := exchange("POST", "/shelves", "")
	elsewhere.Response = &spec.Response{Status: 201, Header: http.Header{"Location": {"/v1/shelves/s-1"}}}
	withBody := func(body string, ex *spec.Exchange) *spec.Exchange {
		ex.Request.Body = spec.Bytes(body)
		return ex
	}
	sending := func(body string) *spec.Exchange {
		return withBody(body, exchange("POST", "/loans?shelf=s-1&shelfId=s-1", ""))
	}
	for name, c := range map[string]struct {
		exchanges []*spec.Exchange
		answer    string // of the present service
		want      string // the requested addresses
		fails     bool
	}{
		"one request":                    {[]*spec.Exchange{exchange("GET", "/pets/7", "")}, "", "/pets/7", false},
		"the new id":                     {[]*spec.Exchange{created, exchange("GET", "/pets/7", "")}, `{"id": 81, "name":"X"}`, "/pets /pets/81", false},
		"an id that is text now":         {[]*spec.Exchange{created, exchange("GET", "/pets/7", "")}, `{"id":"81"}`, "/pets /pets/81", false},
		"no id now":                      {[]*spec.Exchange{created, exchange("GET", "/pets/7", "")}, `{"error":"no"}`, "/pets", true},
		"no response now":                {[]*spec.Exchange{created, exchange("GET", "/pets/7", "")}, "", "/pets", true},
		"the id after it":                {[]*spec.Exchange{created, exchange("GET", "/pets/8", "")}, `{"id":81}`, "/pets /pets/82", false},
		"the id before it":               {[]*spec.Exchange{created, exchange("GET", "/pets/6", "")}, `{"id":81}`, "/pets /pets/80", false},
		"its negative":                   {[]*spec.Exchange{created, exchange("GET", "/pets/-7", "")}, `{"id":81}`, "/pets /pets/-81", false},
		"the negative of a negative one": {[]*spec.Exchange{created, exchange("GET", "/pets/-7", "")}, `{"id":-81}`, "/pets /pets/81", false},
		"nothing to compute from":        {[]*spec.Exchange{created, exchange("GET", "/pets/8", "")}, `[]`, "/pets", true},
		"the second of a list":           {[]*spec.Exchange{exchange("GET", "/pets?limit=3", `[{"id":1},{"id":2},{"id":3}]`), exchange("GET", "/pets/2", "")}, `[{"id":21},{"id":22},{"id":23}]`, "/pets?limit=3 /pets/22", false},
		"the last of a list":             {[]*spec.Exchange{exchange("GET", "/pets?limit=3", `[{"id":1},{"id":2},{"id":3}]`), exchange("GET", "/pets/3", "")}, `[{"id":21},{"id":22}]`, "/pets?limit=3 /pets/22", false},
		"a member within others":         {[]*spec.Exchange{exchange("POST", "/pets", `{"a-b":{"pets":[{"id":7}]}}`), exchange("GET", "/pets/7", "")}, `{"a-b":{"pets":[{"id":81}]}}`, "/pets /pets/81", false},
		"a list that is shorter now":     {[]*spec.Exchange{exchange("GET", "/pets?limit=3", `[{"id":1},{"id":2},{"id":3}]`), exchange("GET", "/pets/2", "")}, `[{"id":21}]`, "/pets?limit=3", true},
		"a parent": {[]*spec.Exchange{shelf, book, exchange("GET", "/shelves/s-1/books/7", "")}, `{"id":"s-9","book_id":81}`,
			"/shelves /shelves/s-9/books /shelves/s-9/books/81", false},
		"a parent without its child": {[]*spec.Exchange{shelf, exchange("GET", "/shelves/s-1/books/3", "")}, `{"id":"s-9","room":5}`,
			"/shelves /shelves/s-9/books/3", false},
		"in a header":  {[]*spec.Exchange{elsewhere, exchange("GET", "/shelves/s-1?all=1", "")}, "Location: /v1/shelves/s-9\r", "/shelves /shelves/s-9?all=1", false},
		"in the query": {[]*spec.Exchange{shelf, sending("")}, `{"id":"s-9"}`, "/shelves /loans?shelf=s-1&shelfId=s-9", false},
		"in the body": {[]*spec.Exchange{shelf, sending(`{"shelf_id": "s-1", "note": "s-1"}`)}, `{"id":"s-9"}`,
			`/shelves {"shelf_id":"s-9","note":"s-1"} /loans?shelf=s-1&shelfId=s-9`, false},
		"what was sent before": {[]*spec.Exchange{withBody(`{"shelf_id": "s-1"}`, exchange("POST", "/loans", `{"shelf_id":"s-1","id":5}`)), sending(`{"shelf_id": "s-1"}`)}, `{"shelf_id":"s-9"}`,
			`{"shelf_id":"s-1"} /loans {"shelf_id":"s-1"} /loans?shelf=s-1&shelfId=s-1`, false},
		"a number of something else": {[]*spec.Exchange{created, sending(`{"boxId": 7}`)}, `{"id":81}`, `/pets {"boxId":7} /loans?shelf=s-1&shelfId=s-1`, false},
	} {
		t.Run(name, func(t *testing.T) {
			asked := filepath.Join(t.TempDir(), "asked")
			script := record.Target{}.Script(c.exchanges, spec.Finding{})
			cmd := exec.CommandContext(t.Context(), sh, "-c", script)
			cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "ASKED="+asked, "ANSWER="+c.answer)
			out, err := cmd.CombinedOutput()
			if (err != nil) != c.fails || strings.Contains(string(out), ": no id in response1\n") != c.fails {
				t.Errorf("%v\n%s", err, out)
			}
			text, err := os.ReadFile(asked)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(strings.Fields(strings.ReplaceAll(string(text), "http://h/v1", "")), " "); got != c.want {
				t.Errorf("asked for %s, want %s, by\n%s", got, c.want, script)
			}
		})
	}
}
