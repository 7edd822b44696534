package record_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hallmark/reports/record"
	"hallmark/spec"
)

// The scripts are run by a real shell, with a curl that answers what a case says and writes down what it was asked.
func TestScript(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here")
	}
	bin := t.TempDir()
	fake := "#!/bin/sh\nfor word; do case $word in http*) printf '%s\\n' \"$word\" >>\"$ASKED\"; esac; done\nprintf '%s' \"$ANSWER\"\n"
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
	for name, c := range map[string]struct {
		exchanges []*spec.Exchange
		answer    string // of the service that is asked now
		want      string // the addresses that are asked for
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
		"a list that is shorter now":     {[]*spec.Exchange{exchange("GET", "/pets?limit=3", `[{"id":1},{"id":2},{"id":3}]`), exchange("GET", "/pets/2", "")}, `[{"id":21}]`, "/pets?limit=3", true},
	} {
		t.Run(name, func(t *testing.T) {
			asked := filepath.Join(t.TempDir(), "asked")
			script := record.Target{}.Script(c.exchanges)
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
