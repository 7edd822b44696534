package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const exclusiveThings = `openapi: 3.0.3
info: {title: Bookings, version: '1'}
components:
  schemas:
    Room: {type: object, required: [title], properties: {title: {type: string, maxLength: 60}, id: {type: integer, readOnly: true}}}
    Booking:
      type: object
      required: [from, to, roomId]
      properties: {id: {type: integer, readOnly: true}, roomId: {type: integer}, from: {type: string, format: date}, to: {type: string, format: date}, guests: {type: integer, minimum: 1, maximum: 4}}
    Seat:
      type: object
      required: [row, seat]
      properties: {id: {type: integer, readOnly: true}, row: {type: integer, minimum: 1, maximum: 30}, seat: {type: integer, minimum: 1, maximum: 40}}
    Pair: {type: object, required: [roomId], properties: {id: {type: integer, readOnly: true}, roomId: {type: integer}, note: {type: string, maxLength: 60}}}
    Lock: {type: object, required: [note], properties: {id: {type: integer, readOnly: true}, note: {type: string, maxLength: 60}}}
paths:
`

// exclusivePaths are the paths of a collection.
const exclusivePaths = `  PATH:
PARENT    post:
      operationId: addNAME
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NAME'}}}}
      responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/NAME'}}}}, '400': {description: bad}, '404': {description: none}, '409': {description: taken}}
  PATH/{id}:
    parameters: [ABOVE{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: getNAME, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/NAME'}}}}, '404': {description: none}}}
    delete: {operationId: dropNAME, responses: {'204': {description: gone}, '404': {description: none}}}
`

func exclusiveContract(path, name string) string {
	parent, above := "", ""
	if strings.Contains(path, "{") {
		above = "{name: roomId, in: path, required: true, schema: {type: integer}}"
		parent, above = "    parameters: ["+above+"]\n", above+", "
	}
	return strings.NewReplacer("PATH", path, "NAME", name, "PARENT", parent, "ABOVE", above).Replace(exclusivePaths)
}

// exclusive is a service of things of which there may be only one of a kind.
type exclusive struct {
	mu    sync.Mutex
	next  int
	rooms map[string]map[string]any
	all   map[string]map[string]any
	// invalid reports whether a body breaks the schema; clash whether two may not exist at once, the path of the room included.
	invalid func(body map[string]any) bool
	clash   func(a, b map[string]any) bool
	status  int
}

func (x *exclusive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x.mu.Lock()
	defer x.mu.Unlock()
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	room := ""
	things := x.all
	switch {
	case parts[0] == "rooms" && len(parts) > 2:
		room, parts = parts[1], parts[2:]
		if x.rooms[room] == nil {
			respond(w, http.StatusNotFound, nil)
			return
		}
	case parts[0] == "rooms":
		things = x.rooms
	}
	if len(parts) == 2 {
		one, there := things[parts[1]]
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodDelete:
			w.Header().Set("Allow", "GET, DELETE")
			respond(w, http.StatusMethodNotAllowed, nil)
		case !there || one["in"] != nil && one["in"] != room:
			respond(w, http.StatusNotFound, nil)
		case r.Method == http.MethodDelete:
			delete(things, parts[1])
			respond(w, http.StatusNoContent, nil)
		default:
			respond(w, http.StatusOK, shownExclusive(one))
		}
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		respond(w, http.StatusMethodNotAllowed, nil)
		return
	}
	decoder := json.NewDecoder(io.LimitReader(r.Body, 1<<20))
	decoder.UseNumber()
	var body map[string]any
	if decoder.Decode(&body) != nil || body == nil {
		respond(w, http.StatusBadRequest, nil)
		return
	}
	delete(body, "id")
	if parts[0] == "rooms" {
		if !shortText(body["title"]) {
			respond(w, http.StatusBadRequest, nil)
			return
		}
	} else {
		if x.invalid(body) {
			respond(w, http.StatusBadRequest, nil)
			return
		}
		if number, is := body["roomId"].(json.Number); is && x.rooms[number.String()] == nil {
			respond(w, http.StatusNotFound, nil)
			return
		}
		if room != "" {
			body["in"] = room
		}
		for _, other := range x.all {
			if x.clash(body, other) {
				respond(w, x.status, nil)
				return
			}
		}
	}
	x.next++
	key := strconv.Itoa(x.next)
	body["id"] = json.Number(key)
	things[key] = body
	respond(w, http.StatusCreated, shownExclusive(body))
}

func shownExclusive(one map[string]any) map[string]any {
	shown := map[string]any{}
	for name, value := range one {
		if name != "in" {
			shown[name] = value
		}
	}
	return shown
}

func wholeWithin(value any, least, most int64) bool {
	number, is := value.(json.Number)
	n, err := number.Int64()
	return is && err == nil && n >= least && n <= most
}

func dateOf(value any) (time.Time, bool) {
	text, _ := value.(string)
	at, err := time.Parse(time.DateOnly, text)
	return at, err == nil
}

// shortText reports whether a member is a text that is not too long.
func shortText(value any) bool {
	text, is := value.(string)
	return is && len([]rune(text)) <= 60
}

// exclusives are the services, by the names of what they hold.
var exclusives = map[string]struct {
	path           string
	invalid, clash func(a, b map[string]any) bool
	again          string // what must differ
}{
	"Booking": {"/bookings", func(a, _ map[string]any) bool {
		from, first := dateOf(a["from"])
		to, last := dateOf(a["to"])
		_, guests := a["guests"]
		return !first || !last || to.Before(from) || !wholeWithin(a["roomId"], -1<<62, 1<<62) || guests && !wholeWithin(a["guests"], 1, 4)
	}, func(a, b map[string]any) bool {
		from, _ := dateOf(a["from"])
		to, _ := dateOf(a["to"])
		begins, _ := dateOf(b["from"])
		ends, _ := dateOf(b["to"])
		return a["roomId"] == b["roomId"] && !from.After(ends) && !begins.After(to)
	}, "other dates"},
	"Seat": {
		"/seats", func(a, _ map[string]any) bool { return !wholeWithin(a["row"], 1, 30) || !wholeWithin(a["seat"], 1, 40) },
		func(a, b map[string]any) bool { return a["row"] == b["row"] && a["seat"] == b["seat"] }, "other numbers",
	},
	"Pair": {
		"/pairs", func(a, _ map[string]any) bool {
			_, note := a["note"]
			return !wholeWithin(a["roomId"], -1<<62, 1<<62) || note && !shortText(a["note"])
		},
		func(a, b map[string]any) bool { return a["roomId"] == b["roomId"] }, "references to other resources",
	},
	"Lock": {
		"/rooms/{roomId}/locks", func(a, _ map[string]any) bool { return !shortText(a["note"]) }, func(a, b map[string]any) bool { return a["in"] == b["in"] },
		"another parent",
	},
}

// Of a thing of which there may be only one of a kind, a second is created with other dates, numbers, references or parents, so that all of its
// operations are judged.
func TestExclusiveThingsAreCreatedAgain(t *testing.T) {
	t.Parallel()
	for name, one := range exclusives {
		for _, status := range []int{http.StatusConflict, http.StatusBadRequest} {
			t.Run(fmt.Sprint(name, " ", status), func(t *testing.T) {
				t.Parallel()
				service := &exclusive{
					rooms: map[string]map[string]any{}, all: map[string]map[string]any{}, status: status, clash: one.clash,
					invalid: func(body map[string]any) bool { return one.invalid(body, nil) },
				}
				contract := exclusiveThings + exclusiveContract("/rooms", "Room") + exclusiveContract(one.path, name)
				rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}, confirm: 1}.judge(t)
				want := []string{"add" + name, "addRoom", "drop" + name, "dropRoom", "get" + name, "getRoom"}
				if slices.Sort(want); !slices.Equal(reached(rec), want) {
					t.Errorf("reached are %q, want %q", reached(rec), want)
				}
				accuse(t, failing(rec, catalogue))
				if len(rec.Bodies) != 1 || rec.Bodies[0].Sentence() != "add"+name+" succeeds once more only with "+one.again {
					t.Errorf("learned is %v", rec.Bodies)
				}
				for _, rule := range []string{"add%.success", "add%.created.readable", "add%.created.distinct", "drop%.success", "drop%.deleted.gone", "get%.success", "add%.refused.property"} {
					if rule = strings.Replace(rule, "%", name, 1); rec.Exercised[rule] == 0 {
						t.Errorf("%s was not exercised", rule)
					}
				}
				for _, skipped := range rec.Scenarios {
					if strings.Contains(skipped.Reason, "never succeeded") {
						t.Errorf("%s: %s", skipped.Name, skipped.Reason)
					}
				}
				if len(service.all)+len(service.rooms) > 0 {
					t.Errorf("%v and %v are left", service.all, service.rooms)
				}
			})
		}
	}
}

// A wrong member that is accepted is found although a second booking with the same values is refused in any case.
func TestAFaultOfExclusiveThingsIsFound(t *testing.T) {
	t.Parallel()
	one := exclusives["Booking"]
	service := &exclusive{
		rooms: map[string]map[string]any{}, all: map[string]map[string]any{}, status: http.StatusConflict, clash: one.clash,
		invalid: func(body map[string]any) bool {
			body = maps.Clone(body)
			if _, number := body["guests"].(json.Number); number {
				delete(body, "guests")
			}
			return one.invalid(body, nil)
		},
	}
	contract := exclusiveThings + exclusiveContract("/rooms", "Room") + exclusiveContract(one.path, "Booking")
	rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}, confirm: 1}.judge(t)
	if found := failing(rec, catalogue); found["addBooking.refused.property"].Rule == "" {
		t.Errorf("found are %v", found)
	}
}
