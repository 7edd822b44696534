//go:build unix

package acceptance

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/tests/hostile"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

const (
	secretKey     = "K3y/of+Pets=4711<&>zq"
	secretGateway = "gateway-S3cret:0815/xy"
	secretInside  = "variable~S3cret-2718"
)

// echoService is the reference service, which shows everybody what they sent: the credential, and the secret headers.
func echoService(t *testing.T) (base string) {
	t.Helper()
	service, err := petstore.New(petstore.Options{Keys: []string{secretKey}})
	if err != nil {
		t.Fatal(err)
	}
	next := hostile.Echo(service.Handler(), func(r *http.Request) string {
		_, credential, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		return credential
	})
	for _, name := range []string{"X-Gateway", "X-Route"} {
		next = hostile.Echo(next, func(r *http.Request) string { return r.Header.Get(name) })
	}
	server := httptest.NewServer(next)
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// Nothing that the binary writes, wherever it writes it, tells a secret to anybody, whatever the service does with it.
func TestNoArtefactTellsASecret(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: make test FULL=1 looks through every artefact of three kinds")
	}
	skip.UnderRace(t)
	base := echoService(t)
	s := newShell(t, secretKey)
	s.env = []string{"ROUTE_TOKEN=" + secretInside, "GATEWAY_TOKEN=" + secretGateway}
	write(t, s.folder, "hallmark.yaml", `targets:
  echo:
    base-url: `+base+`
    api-key: {env: HALLMARK_API_KEY}
    headers:
      X-Gateway: {env: GATEWAY_TOKEN}
      X-Route: {value: "pets ${ROUTE_TOKEN}", secret: true}
`)
	heard := &strings.Builder{}
	do := func(args ...string) {
		t.Helper()
		e := s.run(args...)
		heard.WriteString("$ hallmark " + strings.Join(args, " ") + "\n" + e.stdout + e.stderr)
		if e.code == 70 || e.stdout+e.stderr == "" && args[0] != "report" {
			t.Errorf("hallmark %s: exit code %d: %s", strings.Join(args, " "), e.code, e.stderr)
		}
		wantNoSecret(t, "what hallmark "+strings.Join(args, " ")+" says", e.stdout+e.stderr)
	}
	journal, record := filepath.Join(s.folder, "a.journal"), filepath.Join(s.folder, "run.json")
	do("config", "--show", "--target", "echo")
	do("config", "--show", "--target", "echo", "--format", "json")
	do("doctor", "--target", "echo")
	do("run", "--target", "echo", "--plan")
	do(append([]string{"run", "--target", "echo", "--verbose", "--journal", journal}, s.everyReport("run")...)...)
	do("run", "--target", "echo", "--quiet", "--rule", "auth.key.required", "--journal", "none")
	do("run", "--target", "echo", "--read-only", "--rule", "list", "--report", "json:-", "--journal", "none", "--rerun", record)
	do(append([]string{"report", journal}, s.everyReport("journal")...)...)
	do(append([]string{"report", record}, s.everyReport("record")...)...)
	const kinds = 3 // of records that every format was made of
	do("report", record)
	do("report", record, "--verbose")
	do("deviations", record)
	do("merge", record)
	for _, format := range []string{"table", "csv", "json", "ids"} {
		do("ledger", journal, "--format", format)
	}
	// What goes wrong before anything is asked, and where nobody answers.
	do("run", "--base-url", strings.Replace(base, "http://", "http://me:"+secretInside+"@", 1))
	do("run", "--base-url", base, "--secret-header", "X-Gateway "+secretGateway)
	do("run", "--base-url", base, "--patience", "100ms", "--proxy", "http://me:"+secretInside+"@"+nobody(t))
	do("run", "--base-url", "http://"+nobody(t)+"/v1", "--patience", "100ms", "--secret-header", "X-Gateway: ${GATEWAY_TOKEN}")
	do("doctor", "--base-url", "http://"+nobody(t)+"/v1", "--secret-header", "X-Gateway: ${GATEWAY_TOKEN}")

	all := s.artefacts()
	if len(all) < kinds*len(session.Formats())+2 {
		t.Errorf("only %d artefacts are there", len(all))
	}
	for name, text := range all {
		if name != "hallmark.yaml" && !isPacked(text) {
			wantNoSecret(t, name, text)
		}
	}
	if !strings.Contains(all["run.json"], "HALLMARK_API_KEY") || strings.Count(all["run.json"], "X-Echo") < 100 {
		t.Error("the service echoed nothing")
	}
	if !strings.Contains(all["run.html/exchanges-1.html"], "HALLMARK_API_KEY") {
		t.Error("the exchanges of the HTML report were not looked through")
	}
}

// wantNoSecret says when a text tells a secret, or all but a character of one.
func wantNoSecret(t *testing.T, what, text string) {
	t.Helper()
	if around, found := hostile.Told(text, secretKey, secretKey[1:], secretKey[:len(secretKey)-1], secretGateway, secretInside); found {
		t.Errorf("%s tells a secret: …%q…", what, around)
	}
}

// nobody is an address at which nobody listens.
func nobody(t *testing.T) string {
	t.Helper()
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	return socket.Addr().String()
}

func write(t *testing.T, folder, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
