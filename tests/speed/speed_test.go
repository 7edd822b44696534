//go:build unix

package speed

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec/openapi"
)

func TestContractsHaveTheirOperations(t *testing.T) {
	for _, n := range []int{5, 50} {
		text, err := contract(n)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := openapi.Load(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(doc.Operations()); got != n {
			t.Errorf("%d operations, expected %d", got, n)
		}
	}
	if _, err := contract(7); err == nil {
		t.Error("a part of a resource is made")
	}
}

func TestResponsesComeLater(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", 100_000)+r.URL.Path)
	}))
	defer service.Close()
	const latency = 30 * time.Millisecond
	base, stop := delayed(t, service.URL+"/v1", latency)
	defer stop()
	for range 2 { // also over a connection that is there
		began := time.Now()
		resp, err := service.Client().Get(base + "/pets")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || len(body) != 100_000+len("/v1/pets") {
			t.Fatalf("%d bytes came, %v", len(body), err)
		}
		if took := time.Since(began); took < latency {
			t.Errorf("the response came after %v", took)
		}
	}
}

func TestReplaysSendWhatWasNoted(t *testing.T) {
	got := make(chan string, 10)
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- r.Method + " " + r.RequestURI + " " + r.Header.Get("X-A") + " " + string(body)
	}))
	defer service.Close()
	var noted tape
	base, stop := noted.before(t, service.URL+"/v1")
	defer stop()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/a%2Fb?c=d", strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-A", "1")
	resp, err := service.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	replay(t, service.URL, noted.requests, 2)
	const want = "POST /v1/a%2Fb?c=d 1 body"
	if first, again := <-got, <-got; first != want || again != want {
		t.Errorf("%q came, then %q; expected %q", first, again, want)
	}
}

func TestTablesAreKeptBetweenTheirMarks(t *testing.T) {
	page, err := between("a\n"+begin+"old\n"+end+"b\n", "| new |\n")
	if want := "a\n" + begin + "\n| new |\n\n" + end + "b\n"; err != nil || page != want {
		t.Errorf("%q, %v, expected %q", page, err, want)
	}
	if _, err := between("no marks", ""); err == nil {
		t.Error("a page without marks is written")
	}
}

func TestOtherProgramsAreTold(t *testing.T) {
	before, ok := loadOf("cpu  100 0 50 800 50 0 0 0 0 0")
	after, ok2 := loadOf("cpu  500 0 150 1200 150 0 0 0 0 0")
	if !ok || !ok2 {
		t.Fatal("the line of Linux is not read")
	}
	after.own = 3 * time.Second // of 5 seconds of 10
	if got := where(before, after); !strings.HasSuffix(got, "), of which other programs took 20 % meanwhile.") {
		t.Error(got)
	}
	if _, ok := loadOf("cpu0 1 2"); ok {
		t.Error("another line is read")
	}
}
