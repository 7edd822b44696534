package score

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/tests/shop"
)

// suiteVariable makes this program act as a test suite for the desk, instead of running its own tests.
const suiteVariable = "HALLMARK_TEST_SUITE"

func TestMain(m *testing.M) {
	if os.Getenv(suiteVariable) != "" {
		os.Exit(suiteOfOthers())
	}
	os.Exit(m.Run())
}

// suiteOfOthers opens a ticket and reads it: it looks at statuses, and at the title.
func suiteOfOthers() int {
	ask := func(method, path, body string, into any) int {
		r, err := http.NewRequest(method, os.Getenv(urlVariable)+path, strings.NewReader(body))
		if err != nil {
			return 0
		}
		r.Header.Set("X-Key", shop.Key)
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0
		}
		defer resp.Body.Close()
		_ = json.NewDecoder(resp.Body).Decode(into)
		return resp.StatusCode
	}
	var opened, read struct {
		ID    json.Number
		Title string
	}
	if ask("POST", "/tickets", `{"title":"a ticket"}`, &opened) != 201 || ask("GET", "/tickets/"+opened.ID.String(), "", &read) != 200 || read.Title != "a ticket" {
		return 1
	}
	return 0
}

// deskBasis returns the desk's contract with what is derived from it, and a service that keeps it.
func deskBasis(t *testing.T) (Basis, string) {
	t.Helper()
	c, err := openapi.Load(shop.DeskContract())
	if err != nil {
		t.Fatal(err)
	}
	b := Basis{Contract: c, Promises: promise.Of(c, 1, 0)}
	if b.Catalogue, b.Suite, err = steps.LoadPromises(b.Promises); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(shop.NewDesk(""))
	t.Cleanup(server.Close)
	return b, server.URL
}

// A suite finds what it checks, misses what it does not, and is not blamed for operations that it does not call.
func TestScoreOfASuite(t *testing.T) {
	b, address := deskBasis(t)
	t.Setenv(suiteVariable, "1")
	wanted := map[string]Fate{
		"openTicket.status.201-as-203": Killed, "readTicket.null.200-title": Killed, "readTicket.retyped.200-id": Survived, "openTicket.media-type.201-html": Survived,
		"openTicket.lenient.title-missing": NotExercised, "listTickets.ignores.limit": NotExercised,
	}
	faults := slices.DeleteFunc(b.Faults(), func(f fault.Fault) bool { return wanted[f.Name] == "" })
	m, err := (&Command{Basis: b, Args: []string{os.Args[0]}, BaseURLs: []string{address}, Workers: 2}).Measure(t.Context(), faults)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range m.Outcomes {
		if o.Fate != wanted[o.Name] || o.Unused != (o.Operation == "listTickets") {
			t.Errorf("%s: %s, not called %v (%s), want %s", o.Name, o.Fate, o.Unused, o.Reason, wanted[o.Name])
		}
	}
	if len(m.Outcomes) != len(wanted) || m.Figures.Killed != 2 || m.Figures.Shown != 4 || m.Unstable {
		t.Errorf("%+v", m.Figures)
	}
	var text, page bytes.Buffer
	advice := b.Advice("hallmark derive --rule ")
	if err := Text(&text, m, advice); err != nil {
		t.Fatal(err)
	}
	if err := HTML(&page, m, advice); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 of 4 (50.0 %)", "readTicket.retyped.200-id", "hallmark derive --rule readTicket.body", "Not called: listTickets."} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, &text)
		}
	}
	if !strings.Contains(page.String(), "hallmark derive --rule readTicket.body") || strings.Contains(page.String(), "ZgotmplZ") {
		t.Errorf("the page is not whole:\n%s", &page)
	}
}

// A suite that fails by itself, or sends other requests, is not measured.
func TestSuitesThatCannotBeMeasured(t *testing.T) {
	b, address := deskBasis(t)
	for args, want := range map[string]string{"false": "fails without any fault", "true": "sent nothing through the proxy", "hallmark-nonesuch": "cannot be run"} {
		_, err := (&Command{Basis: b, Args: []string{args}, BaseURLs: []string{address}}).Measure(t.Context(), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	c := Command{Basis: b, Args: []string{"true"}, Reset: "echo no; exit 3", BaseURLs: []string{address}}
	if _, err := c.Measure(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "--reset failed: no") {
		t.Errorf("--reset: %v", err)
	}
}

func TestChoosingFaults(t *testing.T) {
	b, _ := deskBasis(t)
	all := b.Faults()
	for _, n := range []int{1, 7, 40, 200} {
		chosen := Choose(all, n)
		if again := Choose(all, n); len(chosen) != n || fmt.Sprint(chosen) != fmt.Sprint(again) {
			t.Errorf("%d of %d: %d are chosen", n, len(all), len(chosen))
		}
	}
	if len(Choose(all, 0)) != len(all) || len(Choose(all, len(all)+1)) != len(all) {
		t.Error("not all are chosen")
	}
}
