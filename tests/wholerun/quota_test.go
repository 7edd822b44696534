package wholerun_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seats is a contract of a service that holds few resources at a time.
const seats = `openapi: 3.0.3
info: {title: Seats, version: 1.0.0}
paths:
  /seats:
    get:
      operationId: listSeats
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Seat'}}}}}}
    post:
      operationId: addSeat
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/New'}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Seat'}}}}
        '400': {description: Wrong}
        '%d': {description: There are enough}
  /seats/{seatId}:
    parameters: [{name: seatId, in: path, required: true, schema: {type: integer, minimum: 1}}]
    get:
      operationId: readSeat
      responses: {'200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Seat'}}}}, '404': {description: None}}
    delete:
      operationId: deleteSeat
      responses: {'204': {description: Gone}, '404': {description: None}}
components:
  schemas:
    New: {type: object, required: [label], additionalProperties: false, properties: {label: {type: string, minLength: 1, maxLength: 40}, size: {type: integer, minimum: 1, maximum: 9}}}
    Seat: {type: object, required: [id, label], properties: {id: {type: integer}, label: {type: string}, size: {type: integer}}}
`

// seatStore serves it.
type seatStore struct {
	mu   sync.Mutex
	all  map[int]map[string]any
	made int
	// most is how many it holds, full what it answers then, and reuses reports whether identifiers are given out again.
	most, full int
	reuses     bool
	// stays reports whether what is deleted is still there.
	stays bool
	// ends reports whether what was created ends by itself, after it was read as often as reads says. expires is the moment that it shows as its
	// end; none where it is empty.
	ends    bool
	reads   int
	expires string
	read    map[int]int
}

// next returns the identifier of another one.
func (s *seatStore) next() int {
	if s.reuses {
		for n := 1; ; n++ {
			if s.all[n] == nil {
				return n
			}
		}
	}
	s.made++
	return s.made
}

func (s *seatStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	reply := func(status int, body any) { respond(w, status, body) }
	match := regexp.MustCompile(`^/seats/([1-9][0-9]{0,8})$`).FindStringSubmatch(r.URL.Path)
	switch {
	case r.URL.Path == "/seats" && r.Method == http.MethodGet:
		all := []map[string]any{}
		for n := 1; n <= s.made+len(s.all); n++ {
			if one := s.all[n]; one != nil {
				all = append(all, one)
			}
		}
		reply(http.StatusOK, all)
	case r.URL.Path == "/seats" && r.Method == http.MethodPost:
		sent, ok := seatOf(r)
		switch {
		case !ok:
			w.WriteHeader(http.StatusBadRequest)
		case s.most > 0 && len(s.all) >= s.most:
			w.WriteHeader(s.full)
		default:
			id := s.next()
			sent["id"] = id
			if s.expires != "" {
				sent["expiresAt"] = s.expires
			}
			if !s.ends || s.reads > 0 {
				s.all[id] = sent
			}
			w.Header().Set("Location", fmt.Sprintf("/seats/%d", id))
			reply(http.StatusCreated, sent)
		}
	case match == nil:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodGet || r.Method == http.MethodDelete:
		n, _ := strconv.Atoi(match[1])
		switch {
		case s.all[n] == nil:
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodGet:
			reply(http.StatusOK, s.all[n])
			if !s.ends {
				return
			}
			if s.read[n]++; s.read[n] >= s.reads {
				delete(s.all, n)
			}
		default:
			if !s.stays {
				delete(s.all, n)
			}
			w.WriteHeader(http.StatusNoContent)
		}
	default:
		w.Header().Set("Allow", "GET, DELETE")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// seatOf reads a body; false where its schema does not allow it.
func seatOf(r *http.Request) (map[string]any, bool) {
	var raw map[string]json.RawMessage
	d := json.NewDecoder(r.Body)
	if d.Decode(&raw) != nil || d.More() || raw == nil {
		return nil, false
	}
	out := map[string]any{}
	for name, text := range raw {
		var label string
		var size float64
		switch {
		case name == "label" && text[0] == '"' && json.Unmarshal(text, &label) == nil && label != "" && len([]rune(label)) <= 40:
			out[name] = label
		case name == "size" && text[0] != 'n' && json.Unmarshal(text, &size) == nil && size == float64(int(size)) && size >= 1 && size <= 9:
			out[name] = int(size)
		default:
			return nil, false
		}
	}
	return out, out["label"] != nil
}

// A service that holds few resources is judged by all of its operations: the run removes what it needs no more.
func TestServicesThatHoldFew(t *testing.T) {
	t.Parallel()
	for _, status := range []int{403, 409, 422, 507} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			service := &seatStore{all: map[int]map[string]any{}, most: 12, full: status}
			rec, catalogue := trial{contract: fmt.Appendf(nil, seats, status), service: inMemory{service}, confirm: 1}.judge(t)
			accuse(t, failing(rec, catalogue))
			if diff := cmp.Diff([]string{"addSeat", "deleteSeat", "listSeats", "readSeat"}, reached(rec)); diff != "" {
				t.Error(diff)
			}
			if rec.Exercised["deleteSeat.deleted.gone"] == 0 || rec.Exercised["deleteSeat.success"] == 0 {
				t.Errorf("not exercised: %v", rec.Exercised)
			}
		})
	}
}

// An identifier that is given out again names another resource: that it is read again is not held against the service.
func TestIdentifiersThatAreGivenOutAgain(t *testing.T) {
	t.Parallel()
	for stays, want := range map[bool][]string{false: nil, true: {"deleteSeat.deleted.gone", "deleteSeat.deleted.unlisted"}} {
		t.Run(fmt.Sprint("what is deleted stays: ", stays), func(t *testing.T) {
			for seed := range int64(3) {
				service := &seatStore{all: map[int]map[string]any{}, reuses: true, stays: stays}
				rec, catalogue := trial{contract: fmt.Appendf(nil, seats, 409), service: inMemory{service}, confirm: 1, patience: 1, seed: seed + 1}.judge(t)
				var got []string
				for rule := range failing(rec, catalogue) {
					got = append(got, rule)
				}
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				if rec.Exercised["deleteSeat.deleted.gone"] == 0 {
					t.Error("it was not exercised whether what is deleted is gone")
				}
			}
		})
	}
}

// What ends by itself, as its document or its own expiresAt says, is not held against a service; what ends before that is.
func TestResourcesThatEndByThemselves(t *testing.T) {
	t.Parallel()
	const past, future = "2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z"
	for name, test := range map[string]struct {
		kept    string // what the document says of the creation
		expires string
		reads   int
		broken  bool
	}{
		"its end has passed":         {"A seat.", past, 1, false},
		"its end has not come":       {"A seat.", future, 1, true},
		"the document speaks of it":  {"A seat, which is kept for one look at it.", "", 1, false},
		"nothing speaks of it":       {"A seat.", "", 1, true},
		"it was never there":         {"A seat, which is kept for one look at it.", "", 0, true},
		"it shows a later end":       {"A seat, which is kept for one look at it.", future, 1, true},
		"its end passed, not looked": {"A seat.", past, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			contract := strings.Replace(fmt.Sprintf(seats, 409), "operationId: addSeat", "operationId: addSeat\n      description: "+test.kept, 1)
			contract = strings.Replace(contract, "properties: {id: {type: integer},", "properties: {expiresAt: {type: string, format: date-time}, id: {type: integer},", 1)
			service := &seatStore{all: map[int]map[string]any{}, read: map[int]int{}, ends: true, reads: test.reads, expires: test.expires}
			rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}, confirm: 1, patience: 1}.judge(t)
			found := failing(rec, catalogue)
			if !test.broken {
				accuse(t, found)
			} else if len(found) == 0 {
				t.Error("nobody noticed that it ends too early")
			}
		})
	}
}
