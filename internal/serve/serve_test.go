package serve_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/serve"
)

// patience is how long a test waits for what has to happen.
const patience = time.Minute

// running is a service that was started.
type running struct {
	url    string
	stdout *bytes.Buffer // to be read after the end only
	stop   func()
}

// start runs the reference service until its stop is called.
func start(t *testing.T, key string, o serve.Options) *running {
	t.Helper()
	o.Reference = bundled.Petstore().Reference
	o.Addr, o.URLFile = "127.0.0.1:0", filepath.Join(t.TempDir(), "url")
	if o.BasePath == "" {
		o.BasePath = "/v1"
	}
	return run(t, o.URLFile, func(ctx context.Context, out io.Writer) error { return serve.Run(ctx, env(key, out), o) })
}

// run runs a service that writes its address to a file until its stop is called.
func run(t *testing.T, file string, serves func(context.Context, io.Writer) error) *running {
	t.Helper()
	r := &running{stdout: new(bytes.Buffer)}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serves(ctx, r.stdout) }()
	over := false
	r.stop = func() {
		t.Helper()
		if over {
			return
		}
		over = true
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the service ended with %v", err)
		}
	}
	t.Cleanup(r.stop)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for late := time.After(patience); r.url == ""; {
		select {
		case err := <-ended:
			t.Fatalf("the service ended at once: %v", err)
		case <-late:
			t.Fatalf("no address was written within %v", patience)
		case <-tick.C:
			text, _ := os.ReadFile(file)
			r.url = strings.TrimSpace(string(text))
		}
	}
	return r
}

func env(key string, stdout io.Writer) *cli.Env {
	return &cli.Env{
		Lookup: func(name string) (string, bool) {
			if name != "HALLMARK_API_KEY" {
				return "", false
			}
			return key, key != ""
		},
		Stdout: stdout, Stderr: io.Discard,
	}
}

// ask returns the status and the body of a response.
func (r *running) ask(t *testing.T, method, path, key, body string) (status int, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: patience}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(all)
}

func TestKeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte("first-key\r\n\nsecond-key"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		variable, file string
		good, bad      []string
	}{
		"of the environment":    {"general-key", "", []string{"general-key"}, []string{"first-key", ""}},
		"of a file, one a line": {"general-key", file, []string{"first-key", "second-key"}, []string{"general-key", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, c.variable, serve.Options{KeyFile: c.file})
			for _, key := range c.good {
				if status, _ := r.ask(t, http.MethodGet, "/pets", key, ""); status != http.StatusOK {
					t.Errorf("%s is answered with %d", key, status)
				}
			}
			for _, key := range c.bad {
				if status, _ := r.ask(t, http.MethodGet, "/pets", key, ""); status != http.StatusUnauthorized {
					t.Errorf("%q is answered with %d", key, status)
				}
			}
			r.stop()
			for _, key := range c.good {
				if strings.Contains(r.stdout.String(), key) {
					t.Errorf("the key is shown:\n%s", r.stdout)
				}
			}
			if !strings.Contains(r.stdout.String(), "hallmark run --base-url "+r.url+"\n") {
				t.Errorf("how to judge it is not said:\n%s", r.stdout)
			}
		})
	}
}

// A key that nobody gave is made, and shown: there is no other way to learn it.
func TestKeyIsMade(t *testing.T) {
	r := start(t, "", serve.Options{})
	r.stop()
	made := regexp.MustCompile(`(?m)^  export HALLMARK_API_KEY=(\S+)$`).FindStringSubmatch(r.stdout.String())
	again := start(t, "", serve.Options{})
	if made == nil {
		t.Fatalf("no key is shown:\n%s", r.stdout)
	}
	if status, _ := again.ask(t, http.MethodGet, "/pets", made[1], ""); status != http.StatusUnauthorized {
		t.Errorf("the key of another service is answered with %d", status)
	}
}

func TestAnimalsSurvive(t *testing.T) {
	o := serve.Options{Data: filepath.Join(t.TempDir(), "pets.db"), BasePath: "/shop/v1", Preload: 3}
	r := start(t, "a-key", o)
	if !strings.HasSuffix(r.url, "/shop/v1") {
		t.Errorf("the address is %s", r.url)
	}
	status, body := r.ask(t, http.MethodPost, "/pets", "a-key", `{"name":"Mia","categoryId":1}`)
	if status != http.StatusCreated {
		t.Fatalf("%d %s", status, body)
	}
	r.stop()
	o.Preload = 0
	r = start(t, "a-key", o)
	_, all := r.ask(t, http.MethodGet, "/pets?limit=100", "a-key", "")
	if n := strings.Count(all, `"id"`); n != 4 || !strings.Contains(all, `"Mia"`) {
		t.Errorf("%d animals are left of 4: %s", n, all)
	}
}

// Nobody who waits for the file of the address may find that of an earlier service.
func TestNoOldAddress(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "url")
	if err := os.WriteFile(file, []byte("http://127.0.0.1:1/v1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	err = serve.Run(t.Context(), env("a-key", io.Discard), serve.Options{Reference: bundled.Petstore().Reference, Addr: taken.Addr().String(), BasePath: "/v1", URLFile: file})
	if err == nil || !strings.Contains(err.Error(), "--addr "+taken.Addr().String()+": nothing can listen there") {
		t.Errorf("the error is %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

func TestRefused(t *testing.T) {
	folder := t.TempDir()
	blank, bad := filepath.Join(folder, "blank"), filepath.Join(folder, "bad")
	for file, text := range map[string]string{blank: "\n\n", bad: "my secret key\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		change func(*serve.Options)
		want   string
	}{
		"no address":                 {func(o *serve.Options) { o.Addr = "nowhere" }, `--addr: "nowhere" is not an address to listen on`},
		"no such port":               {func(o *serve.Options) { o.Addr = "127.0.0.1:99999" }, "--addr 127.0.0.1:99999: "},
		"no such file of keys":       {func(o *serve.Options) { o.KeyFile = filepath.Join(folder, "none") }, "the file cannot be read"},
		"no key":                     {func(o *serve.Options) { o.KeyFile = blank }, "the file holds no API key"},
		"no header can carry it":     {func(o *serve.Options) { o.KeyFile = bad }, "key"},
		"another path":               {func(o *serve.Options) { o.BasePath = "/v2" }, "/v2"},
		"data in a folder":           {func(o *serve.Options) { o.Data = folder }, "--data " + folder},
		"data of something else":     {func(o *serve.Options) { o.Data = bad }, "--data " + bad},
		"an address in a folder":     {func(o *serve.Options) { o.URLFile = folder }, "--url-file " + folder + ": this is not a regular file"},
		"a folder that is not there": {func(o *serve.Options) { o.URLFile = filepath.Join(folder, "no", "url") }, "the file cannot be written"},
	} {
		t.Run(name, func(t *testing.T) {
			o := serve.Options{Reference: bundled.Petstore().Reference, Addr: "127.0.0.1:0", BasePath: "/v1"}
			c.change(&o)
			err := serve.Run(t.Context(), env("", io.Discard), o)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is %v; want %q in it", err, c.want)
			}
		})
	}
}
