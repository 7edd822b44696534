package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// evil is what harms a page that shows it raw: markup that runs, the ends of what it may stand in, and characters that
// turn the direction of writing or do not show.
const evil = `<script>document.title='owned'</script><img src=x onerror="document.title='owned'"></script><!--` +
	"\u202eevil\u2066 \u200b </pre></details></textarea>'\"&amp;"

// hostile stands before a service: every error carries an evil message under an evil code and header, and what is not
// found says so under 410.
func hostile(service string) (*httptest.Server, error) {
	to, err := url.Parse(service)
	if err != nil {
		return nil, err
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: to.Scheme, Host: to.Host}) },
		ModifyResponse: func(r *http.Response) error {
			if r.StatusCode < 400 {
				return nil
			}
			var body bytes.Buffer
			enc := json.NewEncoder(&body)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(map[string]any{"code": "<b>bold</b>", "message": evil, "status": r.StatusCode}); err != nil {
				return err
			}
			if r.StatusCode == http.StatusNotFound {
				r.StatusCode = http.StatusGone
			}
			_ = r.Body.Close()
			r.Body = io.NopCloser(&body)
			r.ContentLength = int64(body.Len())
			r.Header.Set("Content-Length", strconv.Itoa(body.Len()))
			r.Header.Set("X-Evil", `<img src=x onerror="document.title='owned'">`)
			return nil
		},
	}
	return httptest.NewServer(proxy), nil
}

// judge has a service judged by the program, and gives the page. Fault is the defect of the service; with hostile answers
// besides when wrap is set.
func judge(hallmark, dir, name, fault string, wrap bool) (page string, err error) {
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, []byte("a-key-for-this-test-only"), 0o600); err != nil {
		return "", err
	}
	address := filepath.Join(dir, name+".url")
	args := []string{"serve", "--addr", "127.0.0.1:0", "--api-key-file", key, "--url-file", address}
	if fault != "" {
		args = append(args, "--fault", fault)
	}
	var said bytes.Buffer
	serve := exec.Command(hallmark, args...)
	serve.Stdout, serve.Stderr = &said, &said
	if err := serve.Start(); err != nil {
		return "", fmt.Errorf("the reference service cannot be started: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = serve.Wait() // it is told to end
		close(ended)
	}()
	defer func() {
		_ = serve.Process.Signal(os.Interrupt)
		<-ended
	}()
	base, err := written(address, ended)
	if err != nil {
		return "", fmt.Errorf("%w; it said: %s", err, said.String())
	}
	if wrap {
		proxy, err := hostile(base)
		if err != nil {
			return "", err
		}
		defer proxy.Close()
		base = proxy.URL + "/v1"
	}
	page = filepath.Join(dir, name+".html")
	run := exec.Command(hallmark, "run", "--base-url", base, "--api-key-file", key, "--report", "html:"+page+",json:"+filepath.Join(dir, name+".json"))
	run.Dir = dir
	if out, err := run.CombinedOutput(); run.ProcessState == nil || run.ProcessState.ExitCode() > 1 {
		return "", fmt.Errorf("hallmark could not judge the service: %w\n%s", err, out)
	}
	return page, nil
}

// written waits for a file and reads it.
func written(path string, ended <-chan struct{}) (string, error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for {
		if text, err := os.ReadFile(path); err == nil && len(text) > 0 {
			return strings.TrimSpace(string(text)), nil
		}
		select {
		case <-tick.C:
		case <-ended:
			return "", fmt.Errorf("the reference service ended before it was ready")
		case <-late:
			return "", fmt.Errorf("the reference service was not ready within a minute")
		}
	}
}
