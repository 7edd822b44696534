package record

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
)

var curlCases = []struct {
	name  string
	ex    spec.Request
	want  string   // the line; empty if the arguments are enough
	args  []string // what curl gets, without -sS
	stdin string
	bash  bool // needs more than POSIX sh
	way   Connection
}{
	{
		name: "a plain GET",
		ex:   spec.Request{Method: "GET", URL: "https://pets.example.com/v1/pets?limit=3", Header: http.Header{"Authorization": {"Bearer $HALLMARK_API_KEY"}}},
		want: `curl -sS -H "Authorization: Bearer $HALLMARK_API_KEY" 'https://pets.example.com/v1/pets?limit=3'`,
		args: []string{"-H", "Authorization: Bearer s3cr3t!", "https://pets.example.com/v1/pets?limit=3"},
	},
	{
		name: "a creation",
		ex: spec.Request{Method: "POST", URL: "https://h/v1/pets", Header: http.Header{
			"Content-Type": {"application/json"}, "Authorization": {"Bearer $HALLMARK_API_KEY"}, "User-Agent": {"hallmark"}, "Content-Length": {"9"},
		}, Body: spec.Bytes(`{"name":"O'Malley $HOME ` + "`id`" + ` \n"}`)},
		want: `curl -sS -H "Authorization: Bearer $HALLMARK_API_KEY" -H 'Content-Type: application/json' --data-binary '{"name":"O'\''Malley $HOME ` + "`id`" + ` \n"}' 'https://h/v1/pets'`,
		args: []string{"-H", "Authorization: Bearer s3cr3t!", "-H", "Content-Type: application/json", "--data-binary", `{"name":"O'Malley $HOME ` + "`id`" + ` \n"}`, "https://h/v1/pets"},
	},
	{
		name: "a password that the run made up",
		ex: spec.Request{Method: "POST", URL: "https://h/users", Header: http.Header{"Content-Type": {"application/json"}},
			Body: spec.Bytes(`{"name":"O'Malley $HOME","password":"${HALLMARK_CREDENTIAL_K_1:0:2}"}`)},
		args: []string{"-H", "Content-Type: application/json", "--data-binary", `{"name":"O'Malley $HOME","password":"k'"}`, "https://h/users"},
		bash: true,
	},
	{
		name: "no credential, no body, another method",
		ex:   spec.Request{Method: "DELETE", URL: "https://h/v1/pets/1"},
		want: `curl -sS -X DELETE 'https://h/v1/pets/1'`,
		args: []string{"-X", "DELETE", "https://h/v1/pets/1"},
	},
	{
		name: "a POST without a body",
		ex:   spec.Request{Method: "POST", URL: "https://h/v1/pets", Header: http.Header{"Content-Type": {"application/json"}}},
		args: []string{"-X", "POST", "-H", "Content-Type: application/json", "https://h/v1/pets"},
	},
	{
		name: "a POST with an empty body",
		ex:   spec.Request{Method: "POST", URL: "https://h/v1/pets", Header: http.Header{"Content-Type": {"application/json"}}, Body: spec.Bytes{}},
		args: []string{"-H", "Content-Type: application/json", "--data-binary", "", "https://h/v1/pets"},
	},
	{
		name: "a body without a Content-Type",
		ex:   spec.Request{Method: "POST", URL: "https://h/v1/pets", Body: spec.Bytes("{}")},
		args: []string{"-H", "Content-Type:", "--data-binary", "{}", "https://h/v1/pets"},
	},
	{
		name: "a GET with a body",
		ex:   spec.Request{Method: "GET", URL: "https://h/v1/pets", Header: http.Header{"Content-Type": {"text/plain"}}, Body: spec.Bytes("x")},
		args: []string{"-X", "GET", "-H", "Content-Type: text/plain", "--data-binary", "x", "https://h/v1/pets"},
	},
	{
		name: "a HEAD",
		ex:   spec.Request{Method: "HEAD", URL: "https://h/v1/pets"},
		args: []string{"--head", "https://h/v1/pets"},
	},
	{
		name: "a body that looks like a file's name",
		ex:   spec.Request{Method: "POST", URL: "https://h/", Header: http.Header{"Content-Type": {"a/b"}}, Body: spec.Bytes("@/etc/passwd")},
		args: []string{"-H", "Content-Type: a/b", "--data-raw", "@/etc/passwd", "https://h/"},
	},
	{
		name: "an empty header, a repeated one, packed answers",
		ex:   spec.Request{Method: "GET", URL: "https://h/", Header: http.Header{"Authorization": {""}, "X-A": {"1", "2"}, "Accept-Encoding": {"gzip"}}},
		want: `curl -sS -H 'Authorization;' --compressed -H 'X-A: 1' -H 'X-A: 2' 'https://h/'`,
		args: []string{"-H", "Authorization;", "--compressed", "-H", "X-A: 1", "-H", "X-A: 2", "https://h/"},
	},
	{
		name: "an address that curl would expand, and one that it would tidy up",
		ex:   spec.Request{Method: "GET", URL: "https://h/v1/pets/../{a}?x[]=1"},
		args: []string{"-g", "--path-as-is", "https://h/v1/pets/../{a}?x[]=1"},
	},
	{
		name: "the key in the query",
		ex:   spec.Request{Method: "GET", URL: "https://h/v1/pets?a='b'&api_key=$HALLMARK_API_KEY"},
		want: `curl -sS "https://h/v1/pets?a='b'&api_key=$HALLMARK_API_KEY"`,
		args: []string{"https://h/v1/pets?a='b'&api_key=s3cr3t!"},
	},
	{
		name: "the key without its last character",
		ex:   spec.Request{Method: "GET", URL: "https://h/", Header: http.Header{"Authorization": {"Bearer ${HALLMARK_API_KEY%?}"}}},
		want: `curl -sS -H "Authorization: Bearer ${HALLMARK_API_KEY%?}" 'https://h/'`,
		args: []string{"-H", "Authorization: Bearer s3cr3t", "https://h/"},
	},
	{
		name: "the key with something added, also by a name that would run on",
		ex:   spec.Request{Method: "GET", URL: "https://h/", Header: http.Header{"A": {"${HALLMARK_API_KEY}x"}, "B": {"${HALLMARK_API_KEY}${HALLMARK_API_KEY}"}, "C": {"$HALLMARK_API_KEYx"}, "D": {"$HALLMARK_API_KEY-x"}}},
		args: []string{"-H", "A: s3cr3t!x", "-H", "B: s3cr3t!s3cr3t!", "-H", "C: s3cr3t!x", "-H", "D: s3cr3t!-x", "https://h/"},
	},
	{
		name: "parts of the key, its case swapped, and backwards", bash: true,
		ex:   spec.Request{Method: "GET", URL: "https://h/", Header: http.Header{"A": {"${HALLMARK_API_KEY:0:3}q${HALLMARK_API_KEY:4}"}, "B": {"${HALLMARK_API_KEY~~}"}, "C": {"Bearer $(rev <<<$HALLMARK_API_KEY)"}}},
		args: []string{"-H", "A: s3cq3t!", "-H", "B: S3CR3T!", "-H", "C: Bearer !t3rc3s", "https://h/"},
	},
	{
		name: "the key as user and password of Basic",
		ex: spec.Request{Method: "GET", URL: "https://h/", Header: http.Header{
			"A": {`Basic $(printf %s: "$HALLMARK_API_KEY" | base64 -w0)`}, "B": {`Basic $(printf :%s "$HALLMARK_API_KEY" | base64 -w0)`},
		}},
		args: []string{"-H", "A: Basic czNjcjN0ITo=", "-H", "B: Basic OnMzY3IzdCE=", "https://h/"},
	},
	{
		name: "secrets of security schemes",
		ex: spec.Request{Method: "GET", URL: "https://h/?key=$HALLMARK_CREDENTIAL_K_1", Header: http.Header{
			"A": {"Bearer ${HALLMARK_CREDENTIAL_K_1}x"}, "B": {`Basic $(printf %s "$HALLMARK_CREDENTIAL_LOGIN" | base64 -w0)`},
			"C": {`Basic $(printf %s "${HALLMARK_CREDENTIAL_LOGIN%%:*}:$(printf %s "${HALLMARK_CREDENTIAL_LOGIN#*:}" | tr a-zA-Z A-Za-z)" | base64 -w0)`},
			"D": {"$HALLMARK_CREDENTIAL_K_1x"}, "Cookie": {"a=b; sid=$HALLMARK_CREDENTIAL_K_1"},
		}},
		args: []string{
			"-H", "A: Bearer k'1x", "-H", "B: Basic YW5uOlB3", "-H", "C: Basic YW5uOnBX", "-H", "Cookie: a=b; sid=k'1", "-H", "D: k'1x",
			"https://h/?key=k'1",
		},
	},
	{
		name: "commands that are none of ours",
		ex: spec.Request{Method: "GET", URL: "https://h/", Header: http.Header{
			"A": {`$(printf %s "$HALLMARK_CREDENTIAL_LOGIN$(touch x)" | base64 -w0)`}, "B": {`$(printf %s "$HALLMARK_CREDENTIAL_LOGIN" | touch x)`},
			"C": {"${HALLMARK_CREDENTIAL_LOGIN:-`touch x`}"}, "D": {"$(touch x) $HALLMARK_CREDENTIAL_LOGIN"},
		}},
		args: []string{
			"-H", `A: $(printf %s "ann:Pw$(touch x)" | base64 -w0)`, "-H", `B: $(printf %s "ann:Pw" | touch x)`,
			"-H", "C: ${HALLMARK_CREDENTIAL_LOGIN:-`touch x`}", "-H", "D: $(touch x) ann:Pw", "https://h/",
		},
	},
	{
		name: "what is special to the shell beside the key",
		ex:   spec.Request{Method: "GET", URL: "https://h/", Header: http.Header{"Authorization": {"Be\"a`re\\r' !! $(touch x) ${HOME} $HALLMARK_API_KEY"}}},
		args: []string{"-H", "Authorization: Be\"a`re\\r' !! $(touch x) ${HOME} s3cr3t!", "https://h/"},
	},
	{
		name: "expressions that would run something are no keys",
		ex:   spec.Request{Method: "GET", URL: "https://h/", Header: http.Header{"A": {"${HALLMARK_API_KEY:-$(touch x)}"}, "B": {"${HALLMARK_API_KEY:-`touch x`}"}, "C": {"${HALLMARK_API_KEY"}, "D": {"${HALLMARK_API_KEYS}"}}},
		args: []string{"-H", "A: ${HALLMARK_API_KEY:-$(touch x)}", "-H", "B: ${HALLMARK_API_KEY:-`touch x`}", "-H", "C: ${HALLMARK_API_KEY", "-H", "D: ${HALLMARK_API_KEYS}", "https://h/"},
	},
	{
		name: "control characters and such that do not show", bash: true,
		ex:   spec.Request{Method: "POST", URL: "https://h/", Header: http.Header{"Content-Type": {"a/b"}, "X": {"a\x1b[2J $HALLMARK_API_KEY\x07"}}, Body: spec.Bytes("a\x01'\\\r\n\t\x7f\u202e\u200d\xff\xfeé😀1")},
		want: `curl -sS -H 'Content-Type: a/b' -H "X: a"$'\x1b'"[2J $HALLMARK_API_KEY"$'\x07' --data-binary $'a\x01\'\\\r\n\t\x7f\xe2\x80\xae\xe2\x80\x8d\xff\xfeé😀1' 'https://h/'`,
		args: []string{"-H", "Content-Type: a/b", "-H", "X: a\x1b[2J s3cr3t!\x07", "--data-binary", "a\x01'\\\r\n\t\x7f\u202e\u200d\xff\xfeé😀1", "https://h/"},
	},
	{
		name: "a NUL, which no argument can hold",
		ex:   spec.Request{Method: "POST", URL: "https://h/", Header: http.Header{"Content-Type": {"a/b"}}, Body: spec.Bytes("a\x00'7%s\\n\xff\né")},
		want: `printf 'a\000'\''7%%s\\n\377\012é' | curl -sS -H 'Content-Type: a/b' --data-binary @- 'https://h/'`,
		args: []string{"-H", "Content-Type: a/b", "--data-binary", "@-", "https://h/"}, stdin: "a\x00'7%s\\n\xff\né",
	},
	{
		name: "the key in another variable", way: Connection{KeyVariable: "STAGING_KEY"},
		ex:   spec.Request{Method: "GET", URL: "https://h/?key=$HALLMARK_API_KEY", Header: http.Header{"A": {"Bearer ${HALLMARK_API_KEY%?}"}, "B": {"Basic $(printf %s: \"$HALLMARK_API_KEY\" | base64 -w0)"}}},
		want: `curl -sS -H "A: Bearer ${STAGING_KEY%?}" -H "B: Basic $(printf %s: "$STAGING_KEY" | base64 -w0)" "https://h/?key=$STAGING_KEY"`,
		args: []string{"-H", "A: Bearer another", "-H", "B: Basic YW5vdGhlcjE6", "https://h/?key=another1"},
	},
	{
		name: "the key in a file", way: Connection{KeyFile: "a key"},
		ex:   spec.Request{Method: "GET", URL: "https://h/", Header: http.Header{"A": {"Bearer $HALLMARK_API_KEYx"}}},
		want: `key=$(cat 'a key'); curl -sS -H "A: Bearer ${key}x" 'https://h/'`,
		args: []string{"-H", "A: Bearer of-a-filex", "https://h/"},
	},
	{
		name: "no key where it is in a file", way: Connection{KeyFile: "key.txt"},
		ex:   spec.Request{Method: "GET", URL: "https://h/"},
		want: `curl -sS 'https://h/'`,
		args: []string{"https://h/"},
	},
	{
		name: "what is no name of a variable", way: Connection{KeyVariable: "A;touch x"},
		ex:   spec.Request{Method: "GET", URL: "https://h/", Header: http.Header{"A": {"Bearer $HALLMARK_API_KEY"}}},
		args: []string{"-H", "A: Bearer s3cr3t!", "https://h/"},
	},
	{
		name: "an unusual method",
		ex:   spec.Request{Method: "FOO'BAR", URL: "https://h/"},
		args: []string{"-X", "FOO'BAR", "https://h/"},
	},
}

// The lines are run by real shells, with a curl that only records its arguments.
func TestCurl(t *testing.T) {
	dir := t.TempDir()
	fake := "#!/bin/sh\nfor a in \"$@\"; do printf '%s\\0' \"$a\"; done >\"$OUT\"\ncase \"$*\" in *@-*) cat >\"$OUT.stdin\";; esac\n"
	if err := os.WriteFile(filepath.Join(dir, "curl"), []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, shell := range []string{"sh", "bash"} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("no %s here", shell)
			continue
		}
		for _, c := range curlCases {
			if c.bash && shell == "sh" {
				continue
			}
			t.Run(shell+"/"+c.name, func(t *testing.T) {
				line := Target{Connection: c.way}.Curl(spec.Exchange{Request: c.ex})
				if c.want != "" && line != c.want {
					t.Errorf("got  %s\nwant %s", line, c.want)
				}
				if strings.ContainsAny(line, "\n\r\x1b") {
					t.Errorf("the line holds control characters: %q", line)
				}
				work := t.TempDir()
				out := filepath.Join(work, "args")
				if err := os.WriteFile(filepath.Join(work, "a key"), []byte("of-a-file\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command(shell, "-c", line)
				cmd.Dir = work
				cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "OUT="+out, "HALLMARK_API_KEY=s3cr3t!", "HALLMARK_CREDENTIAL_K_1=k'1", "HALLMARK_CREDENTIAL_LOGIN=ann:Pw", "STAGING_KEY=another1", "LC_ALL=C.UTF-8")
				if text, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", line, err, text)
				}
				got, err := os.ReadFile(out)
				if err != nil {
					t.Fatal(err)
				}
				args := strings.Split(strings.TrimSuffix(string(got), "\x00"), "\x00")
				if want := append([]string{"-sS"}, c.args...); strings.Join(args, "\x00") != strings.Join(want, "\x00") {
					t.Errorf("%s\ngot  %q\nwant %q", line, args, want)
				}
				if c.stdin != "" {
					if in, err := os.ReadFile(out + ".stdin"); err != nil || string(in) != c.stdin {
						t.Errorf("sent %q, %v; want %q", in, err, c.stdin)
					}
				}
				if _, err := os.Stat(filepath.Join(work, "x")); err == nil {
					t.Error("the line has run a command")
				}
			})
		}
	}
}

// Whatever a request contains, a shell must pass it on unchanged.
func FuzzCurl(f *testing.F) {
	f.Add("Bearer x", "body", "/v1/pets")
	f.Add("a'b\"c\\d`e$f!g", "\x01\xff'", "?a=b&c")
	bash, err := exec.LookPath("bash")
	if err != nil {
		f.Skip("no bash here")
	}
	f.Fuzz(func(t *testing.T, header, body, path string) {
		if strings.Contains(header+path, "\x00") || len(header) == 0 || holdsKey(header+path) {
			t.Skip()
		}
		for _, s := range []string{header, path} {
			got, err := exec.Command(bash, "-c", "printf %s "+Connection{}.curlValue(s)).Output()
			if err != nil || string(got) != s {
				t.Errorf("%q became %q (%v) by %s", s, got, err, Connection{}.curlValue(s))
			}
		}
		got, err := exec.Command(bash, "-c", "printf "+printfQuote("x"+body)).Output()
		if err != nil || string(got) != "x"+body {
			t.Errorf("%q became %q (%v) by %s", body, got, err, printfQuote(body))
		}
		got, err = exec.Command(bash, "-c", "printf %s "+keyQuote(header, keyVariable)).Output()
		if err != nil || string(got) != header {
			t.Errorf("%q became %q (%v) by %s", header, got, err, keyQuote(header, keyVariable))
		}
	})
}

func TestKeyExpression(t *testing.T) {
	for _, expr := range []string{
		`$(printf %s "${HALLMARK_CREDENTIAL_K%?}" | jq -sRr @uri)`, `$(printf %s "$(rev <<<$HALLMARK_API_KEY)" | jq -sRr @uri)`, "$HALLMARK_CREDENTIAL_K_2",
	} {
		if got, rest, ok := keyExpression(expr + "&a=b"); !ok || got != expr || rest != "&a=b" {
			t.Errorf("%s: %q, %q, %v", expr, got, rest, ok)
		}
	}
	for _, text := range []string{`$(printf %s "$HOME" | base64 -w0)`, `$(printf %s "$HALLMARK_CREDENTIAL_K" | sh)`, "$HOME", "$HALLMARK_CREDENTIAL_", "x"} {
		if expr, _, ok := keyExpression(text); ok {
			t.Errorf("%s: %s is taken for a key", text, expr)
		}
	}
}
