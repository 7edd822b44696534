package traffic_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/traffic"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// notes is a document of an interface whose resources have entity tags.
const notes = `
openapi: 3.1.0
info: {title: Notes, version: "1"}
servers: [{url: "https://api.example.com"}, {url: "https://other.example.com"}]
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NewNote"}}}}
      responses:
        "201":
          description: added
          headers: {ETag: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Note"}, example: {id: 4f3b1c2a-9d8e-4a7b-8c6d-5e4f3a2b1c0d, title: a, text: b}}}
        "400": {description: refused}
  /notes/{noteId}:
    parameters: [{name: noteId, in: path, required: true, schema: {type: string, format: uuid}}]
    get:
      operationId: getNote
      responses:
        "200":
          description: a note
          headers: {ETag: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}
        "404": {description: none}
    patch:
      operationId: changeNote
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NewNote"}}}}
      responses:
        "200":
          description: changed
          content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}
        "404": {description: none}
    delete:
      operationId: removeNote
      responses: {"204": {description: removed}, "404": {description: none}}
components:
  schemas:
    NewNote: {type: object, properties: {title: {type: string}, text: {type: string}, pages: {type: integer}}}
    Note:
      type: object
      required: [id]
      properties: {id: {type: string, format: uuid, readOnly: true}, title: {type: string}, text: {type: string}, pages: {type: integer}, reads: {type: integer, readOnly: true}}
`

// Two identifiers that are drawn at random, one that is not, and the one of the document's example.
const (
	oneID      = "0b8f3a52-7c1d-4e6f-9a2b-3c4d5e6f7a8b"
	otherID    = "1c9f4b63-8d2e-4f70-8b3c-4d5e6f7a8b9c"
	derivedID  = "2d0f5c74-9e3f-5081-9c4d-5e6f7a8b9c0d"
	exampleID  = "4f3b1c2a-9d8e-4a7b-8c6d-5e4f3a2b1c0d"
	notesURL   = "https://api.example.com/notes"
	oneNoteURL = notesURL + "/" + oneID
)

// note is an exchange about a note.
type note struct {
	method, url string
	status      int
	// sent and shown are the bodies; tag is the ETag.
	sent, shown, tag string
	header           map[string]string
	// age is how long a cache had the response.
	age string
	// at is when it began, in seconds.
	at float64
}

// notesJudge returns a judge of exchanges about notes.
func notesJudge(t testing.TB) *traffic.Judge {
	t.Helper()
	c, err := openapi.Load([]byte(notes))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, bundled.Seed, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return traffic.New(traffic.Basis{Contract: c, Catalogue: catalogue, Promises: p}, traffic.Options{Place: traffic.Documented(c), Most: traffic.LongestBody})
}

// judgedNotes returns the record of exchanges.
func judgedNotes(t testing.TB, all []note) *record.Record {
	t.Helper()
	j := notesJudge(t)
	for _, n := range all {
		x := &traffic.Exchange{Started: time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC).Add(time.Duration(n.at * float64(time.Second)))}
		x.SetURL(n.url)
		x.Request.Method, x.Request.Header, x.Request.Body = n.method, http.Header{"Authorization": {"Bearer one"}}, []byte(n.sent)
		x.Response.Status, x.Response.Header, x.Response.Body = n.status, http.Header{}, []byte(n.shown)
		for header, value := range n.header {
			x.Request.Header.Set(header, value)
		}
		for header, value := range map[string]string{"Content-Type": "application/json", "Etag": n.tag} {
			if value != "" && n.shown != "" {
				x.Response.Header.Set(header, value)
			}
		}
		if n.age != "" {
			x.Response.Header.Set("Age", n.age)
		}
		if n.status == http.StatusCreated {
			x.Response.Header.Set("Location", "/notes")
		}
		if n.sent != "" {
			x.Request.Header.Set("Content-Type", "application/json")
		}
		j.Add(x)
	}
	rec := new(record.Record)
	j.Fill(rec, "the test")
	return rec
}

// creation returns a creation that sends a title and a text, and gets them back with an identifier.
func creation(id, title, text, tag string) note {
	body := fmt.Sprintf(`"title":%q,"text":%q`, title, text)
	return note{method: "POST", url: notesURL, status: 201, sent: "{" + body + "}", shown: `{"id":"` + id + `",` + body + "}", tag: tag}
}

// read returns a read of the first note.
func read(at float64, title, text, tag string) note {
	return note{method: "GET", url: oneNoteURL, status: 200, shown: fmt.Sprintf(`{"id":%q,"title":%q,"text":%q}`, oneID, title, text), tag: tag, at: at}
}

func TestSeveralExchanges(t *testing.T) {
	with := func(n note, change func(*note)) note { change(&n); return n }
	first, second := creation(oneID, "tea", "green", `"1"`), creation(oneID, "rain", "heavy", `"2"`)
	patched := note{method: "PATCH", url: oneNoteURL, status: 200, sent: `{"title":"rain"}`, shown: `{"id":"` + oneID + `","title":"rain","text":"green"}`, at: 5}
	removed := note{method: "DELETE", url: oneNoteURL, status: 204}
	at := func(n note, second float64) note { n.at = second; return n }
	numbered := func(second float64, title, tag string) note {
		return note{method: "GET", url: notesURL + "/7", status: 200, shown: fmt.Sprintf(`{"id":%q,"title":%q}`, oneID, title), tag: tag, at: second}
	}
	tenant := func(name string) func(*note) {
		return func(n *note) { n.header = map[string]string{"X-Tenant": name} }
	}
	for name, c := range map[string]struct {
		all    []note
		broken []string
	}{
		"one identifier twice": {[]note{first, second}, []string{"addNote.created.distinct"}},
		"two identifiers":      {[]note{first, creation(otherID, "rain", "heavy", `"2"`)}, nil},
		"one that is derived":  {[]note{creation(derivedID, "tea", "green", ""), creation(derivedID, "rain", "heavy", "")}, nil},
		"that of the example":  {[]note{creation(exampleID, "tea", "green", ""), creation(exampleID, "rain", "heavy", "")}, nil},
		"the same is sent":     {[]note{first, first}, nil},
		"a value is the same":  {[]note{first, creation(oneID, "tea", "black", `"2"`)}, nil},
		"nothing is sent":      {[]note{first, with(second, func(n *note) { n.sent = "{}" })}, nil},
		"it is repeated": {[]note{
			with(first, func(n *note) { n.header = map[string]string{"Idempotency-Key": "k1"} }), with(second, func(n *note) { n.header = map[string]string{"Idempotency-Key": "k1"} }),
		}, nil},
		"the client chooses it":    {[]note{first, with(second, func(n *note) { n.sent = strings.Replace(n.sent, "{", `{"id":"`+oneID+`",`, 1) })}, nil},
		"it was there":             {[]note{first, with(second, func(n *note) { n.status = 200 })}, []string{"addNote.success"}},
		"it is deleted in between": {[]note{first, removed, second}, nil},
		"two clients":              {[]note{first, with(second, func(n *note) { n.header = map[string]string{"Authorization": "Bearer two"} })}, []string{"addNote.created.distinct"}},
		"two hosts":                {[]note{first, with(second, func(n *note) { n.url = "https://other.example.com/notes" })}, nil},

		"it adds to an open one": {[]note{first, with(second, func(n *note) { n.shown = first.shown })}, nil},
		"it shows both":          {[]note{first, with(second, func(n *note) { n.shown = strings.Replace(n.shown, "}", `,"all":[{"title":"tea","text":"green"}]}`, 1) })}, nil},
		"it shows neither": {[]note{
			with(first, func(n *note) { n.shown = `{"id":"` + oneID + `"}` }), with(second, func(n *note) { n.shown = `{"id":"` + oneID + `"}` }),
		}, nil},
		"it is not found in between": {[]note{first, with(read(1, "", "", ""), func(n *note) { n.status, n.shown = 404, "" }), second}, nil},
		"it is changed in between":   {[]note{first, patched, second}, []string{"addNote.created.distinct"}},

		"read as sent":                  {[]note{first, read(3, "tea", "green", `"1"`)}, nil},
		"read otherwise":                {[]note{first, read(3, "tea", "green", `"1"`), read(6, "tea", "black", `"1"`)}, []string{"addNote.created.kept"}},
		"read otherwise, another ETag":  {[]note{first, read(3, "tea", "green", `"1"`), read(6, "tea", "black", `"2"`)}, nil},
		"read otherwise, a weak ETag":   {[]note{creation(oneID, "tea", "green", `W/"1"`), read(3, "tea", "green", `W/"1"`), read(6, "tea", "black", `W/"1"`)}, nil},
		"read otherwise, without ETags": {[]note{creation(oneID, "tea", "green", ""), read(3, "tea", "green", ""), read(6, "tea", "black", "")}, nil},
		"read in another case":          {[]note{first, read(3, "TEA", "green", `"1"`), read(6, "Tea", "green", `"1"`)}, nil},
		"created otherwise": {[]note{
			with(first, func(n *note) { n.shown = strings.Replace(n.shown, "green", "Green tea", 1) }), read(3, "tea", "Green tea", `"1"`),
		}, nil},
		"read by another client": {[]note{
			first, read(3, "tea", "green", `"1"`), with(read(6, "tea", "black", `"1"`), func(n *note) { n.header = map[string]string{"Accept-Language": "de"} }),
		}, nil},
		"read with another credential": {[]note{
			first, read(3, "tea", "green", `"1"`), with(read(6, "tea", "black", `"1"`), func(n *note) { n.header = map[string]string{"Authorization": "Bearer two"} }),
		}, nil},
		"read in part":                        {[]note{first, read(3, "tea", "green", `"1"`), with(read(6, "tea", "black", `"1"`), func(n *note) { n.url += "?fields=text" })}, nil},
		"changed in between":                  {[]note{first, read(3, "tea", "green", `"1"`), patched, read(6, "rain", "green", `"1"`)}, nil},
		"read otherwise early":                {[]note{at(first, 0.1), read(0.6, "rain", "green", `"1"`), read(9, "tea", "green", `"1"`), read(12, "rain", "green", `"1"`)}, nil},
		"read otherwise later, changed early": {[]note{at(first, 0.1), read(60, "rain", "green", `"1"`)}, nil},
		"changed in the same second": {[]note{
			at(first, 0.1), with(at(patched, 0.3), func(n *note) { n.status, n.shown = 303, "" }), read(0.6, "rain", "green", `"1"`),
		}, nil},
		"seen again by a cache": {[]note{first, with(read(3, "tea", "green", `"1"`), func(n *note) { n.age = "3" }), read(6, "tea", "black", `"1"`)}, nil},

		"one ETag for two states":            {[]note{read(0, "tea", "green", `"1"`), read(5, "tea", "green", `"1"`), read(9, "rain", "green", `"1"`)}, []string{"getNote.read.steady"}},
		"one ETag for a second":              {[]note{read(0, "tea", "green", `"1"`), read(1, "tea", "green", `"1"`), read(9, "rain", "green", `"1"`)}, nil},
		"another ETag":                       {[]note{read(0, "tea", "green", `"1"`), read(5, "tea", "green", `"1"`), read(9, "rain", "green", `"2"`)}, nil},
		"an ETag that stays":                 {[]note{read(0, "tea", "green", `"1"`), read(3, "tea", "green", `"1"`), patched, read(9, "rain", "green", `"1"`)}, []string{"changeNote.etag.changes"}},
		"an ETag that was there once":        {[]note{read(0, "tea", "green", `"1"`), patched, read(9, "rain", "green", `"1"`)}, nil},
		"an ETag that stays for a second":    {[]note{read(4, "tea", "green", `"1"`), patched, read(9, "rain", "green", `"1"`)}, nil},
		"what a service counts":              {[]note{read(0, "tea", "green", `"1"`), read(5, "tea", "green", `"1"`), with(read(9, "tea", "green", `"1"`), func(n *note) { n.shown = strings.Replace(n.shown, "}", `,"reads":7}`, 1) })}, nil},
		"one ETag, deleted and still shown":  {[]note{read(0, "tea", "green", `"1"`), removed, read(9, "tea", "green", `"1"`)}, nil},
		"deleted, and created by its client": {[]note{first, removed, read(9, "tea", "green", `"1"`)}, nil},
		"an ETag that counts, of what may be another one": {[]note{
			numbered(0, "tea", `"1"`), numbered(5, "tea", `"1"`), numbered(9, "rain", `"1"`),
		}, nil},
		"an ETag that does not count": {[]note{
			numbered(0, "tea", `"3f9a-c2"`), numbered(5, "tea", `"3f9a-c2"`), numbered(9, "rain", `"3f9a-c2"`),
		}, []string{"getNote.read.steady"}},
		"two tenants": {[]note{
			with(read(0, "tea", "green", `"1"`), tenant("one")), with(read(5, "tea", "green", `"1"`), tenant("one")), with(read(9, "rain", "green", `"1"`), tenant("two")),
		}, nil},
		"one tenant": {[]note{
			with(read(0, "tea", "green", `"1"`), tenant("one")), with(read(5, "tea", "green", `"1"`), tenant("one")), with(read(9, "rain", "green", `"1"`), tenant("one")),
		}, []string{"getNote.read.steady"}},
	} {
		t.Run(name, func(t *testing.T) {
			rec := judgedNotes(t, c.all)
			if got := broken(rec); !slices.Equal(got, c.broken) {
				t.Fatalf("broken are %q, want %q", got, c.broken)
			}
			for _, s := range rec.Scenarios {
				for _, f := range s.Findings {
					for _, seq := range f.Exchanges {
						if !slices.Contains(s.Exchanges, seq) || !slices.ContainsFunc(rec.Exchanges, func(ex spec.Exchange) bool { return ex.Seq == seq }) {
							t.Errorf("%s is shown by exchange %d, which the record does not hold", f.Rule, seq)
						}
					}
				}
			}
			if text, err := json.Marshal(rec); err != nil || strings.Contains(string(text), "Bearer one") {
				t.Errorf("the record holds a credential: %v", err)
			}
		})
	}
}

// Recordings show several exchanges, too, unless they do not say whose they are.
func TestSeveralExchangesOfRecordings(t *testing.T) {
	line := func(method, url string, status int, sent, shown, credential string, second int) string {
		text, err := json.Marshal(map[string]any{
			"started":  fmt.Sprintf("2026-11-27T10:00:%02dZ", second),
			"request":  map[string]any{"method": method, "url": url, "body": sent, "header": map[string]any{"Accept": []string{"*/*"}, "Authorization": []string{credential}}},
			"response": map[string]any{"status": status, "body": shown, "header": map[string]any{"Content-Type": []string{"application/json"}, "ETag": []string{`"1"`}, "Location": []string{"/notes"}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	tea, rain := `{"id":"`+oneID+`","title":"tea"}`, `{"id":"`+oneID+`","title":"rain"}`
	for credential, want := range map[string][]string{
		"Bearer k-3vX9": {"addNote.created.distinct", "getNote.read.steady"},
		"(secret)":      {"addNote.created.distinct"},
	} {
		recording := line("POST", notesURL, 201, `{"title":"tea"}`, tea, credential, 0) + line("GET", oneNoteURL, 200, "", tea, credential, 1) +
			line("GET", oneNoteURL, 200, "", tea, credential, 5) + line("GET", oneNoteURL+"?x=", 200, "", rain, credential, 7) +
			line("POST", notesURL, 201, `{"title":"rain"}`, rain, credential, 8) + line("GET", oneNoteURL, 200, "", rain, credential, 9)
		j := notesJudge(t)
		if err := traffic.Read(strings.NewReader(recording), traffic.Recording{Exchange: j.Add, Other: j.Skip}); err != nil {
			t.Fatal(err)
		}
		rec := new(record.Record)
		j.Fill(rec, "the test")
		if got := broken(rec); !slices.Equal(got, want) {
			t.Errorf("%s: broken are %q, want %q", credential, got, want)
		}
	}
}

// After a request that may have deleted a resource and created it again, ETags that were seen before prove nothing.
func TestRequestsInBetween(t *testing.T) {
	for _, c := range []struct {
		method, url string
		status      int
		proves      bool
	}{
		{"DELETE", oneNoteURL, 204, false},
		{"DELETE", oneNoteURL, 500, false},
		{"DELETE", oneNoteURL, 404, false},
		{"GET", oneNoteURL, 404, false},
		{"DELETE", oneNoteURL, 403, true},
		{"DELETE", notesURL, 204, false},
		{"POST", notesURL, 202, false},
		{"POST", oneNoteURL + "/restore", 200, false},
		{"POST", "https://api.example.com/trash/" + oneID, 204, false},
		{"DELETE", notesURL + "/" + otherID, 204, true},
		{"POST", "https://api.example.com/notes-of-others", 200, true},
		{"PATCH", oneNoteURL, 202, false},
		{"PATCH", oneNoteURL, 303, false},
		{"PATCH", oneNoteURL, 400, true},
		{"PUT", oneNoteURL, 200, false},
	} {
		between := note{method: c.method, url: c.url, status: c.status, at: 6}
		got := broken(judgedNotes(t, []note{read(0, "tea", "green", `"1"`), read(5, "tea", "green", `"1"`), between, read(9, "rain", "green", `"1"`)}))
		if slices.Contains(got, "getNote.read.steady") != c.proves {
			t.Errorf("%s %s → %d in between: broken are %q", c.method, c.url, c.status, got)
		}
	}
}

// Recordings may name the host in headers only: it may choose the tenant.
func TestHostsOfRecordings(t *testing.T) {
	for _, name := range []string{"Host", ":authority", "X-Forwarded-Host", "Origin", "Referer"} {
		for _, other := range []string{"one.example.com", "two.example.com"} {
			j := notesJudge(t)
			var recording strings.Builder
			for _, n := range []struct {
				second      int
				title, host string
			}{{0, "tea", "one.example.com"}, {5, "tea", "one.example.com"}, {9, "rain", other}} {
				fmt.Fprintf(&recording, `{"started":"2026-11-27T10:00:%02dZ","request":{"method":"GET","url":"/notes/%s","header":{"Authorization":["Bearer k-3vX9"],%q:[%q]}},`+
					`"response":{"status":200,"header":{"Content-Type":["application/json"],"ETag":["\"1\""]},"body":"{\"id\":\"%[2]s\",\"title\":\"%[5]s\"}"}}`+"\n",
					n.second, oneID, name, n.host, n.title)
			}
			if err := traffic.Read(strings.NewReader(recording.String()), traffic.Recording{Exchange: j.Add, Other: j.Skip}); err != nil {
				t.Fatal(err)
			}
			rec := new(record.Record)
			j.Fill(rec, "the test")
			var want []string
			if other == "one.example.com" {
				want = []string{"getNote.read.steady"}
			}
			if got := broken(rec); !slices.Equal(got, want) {
				t.Errorf("%s, %s: broken are %q, want %q", name, other, got, want)
			}
		}
	}
}

// What is remembered is bounded, and what is no longer compared is counted.
func TestRememberedExchangesAreBounded(t *testing.T) {
	all := []note{creation(oneID, "tea", "green", "")}
	for i := range 1000 {
		all = append(all, creation(fmt.Sprintf("1c9f4b63-8d2e-4f70-8b3c-%012x", i), fmt.Sprint("a", i), fmt.Sprint("b", i), ""))
	}
	rec := judgedNotes(t, append(all, creation(oneID, "rain", "heavy", "")))
	if got := broken(rec); len(got) > 0 || rec.Traffic.Forgotten != 2 {
		t.Errorf("broken are %q, and %d are forgotten, want none and 2", got, rec.Traffic.Forgotten)
	}
}

// A body takes as much as it does without its content coding.
func TestRememberedBodiesAreCountedPlain(t *testing.T) {
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	if _, err := fmt.Fprintf(to, `{"id":%q,"title":%q}`, oneID, strings.Repeat("tea", 30_000)); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	j := notesJudge(t)
	x := &traffic.Exchange{}
	x.SetURL(oneNoteURL)
	x.Request.Method, x.Request.Header = http.MethodGet, http.Header{"Authorization": {"Bearer one"}}
	x.Response.Status, x.Response.Body = http.StatusOK, packed.Bytes()
	x.Response.Header = http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}, "Etag": {`"1"`}}
	j.Add(x)
	rec := new(record.Record)
	j.Fill(rec, "the test")
	if rec.Traffic.Judged != 1 || rec.Traffic.Forgotten != 1 || packed.Len() > 4<<10 {
		t.Errorf("%d exchanges are judged and %d forgotten, want 1 and 1; the body has %d bytes", rec.Traffic.Judged, rec.Traffic.Forgotten, packed.Len())
	}
}
