package wholerun_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/tests/shop"
)

const readOnce = `{openapi: 3.0.3, info: {title: Notes, version: "1"}, security: [{staff: []}], paths: {
  /notes: {post: {operationId: leave, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string, example: Ada}}}}}},
    responses: {"201": {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, "400": {description: Wrong}, "401": {description: Who are you}}}},
  '/notes/{noteId}': {get: {operationId: take, parameters: [{name: noteId, in: path, required: true, schema: {type: integer, minimum: 1}}],
    responses: {"200": {description: "A note is read once, and is gone then.", content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, "401": {description: Who are you}, "404": {description: There is no such note}, "423": {description: It is locked}}}}},
  components: {securitySchemes: {staff: {type: apiKey, in: header, name: X-Staff}}, schemas: {Note: {type: object, required: [id, text], properties: {id: {type: integer}, text: {type: string}}}}}}`

// A resource that is gone by now, since it is shown once or another client removed it, may be looked for before the credential
// is checked: its 404 says nothing of the credential. A service that never says 401 is broken.
func TestCredentialsForWhatIsGone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name              string
		once, open, hides bool
		// status is that of what is gone or hidden.
		status int
		want   []string
	}{
		{"each is shown once", true, false, false, 404, []string{"take.read.steady"}},
		{"each is shown once, and then locked", true, false, false, 423, nil},
		{"each stays", false, false, false, 404, nil},
		{"each is hidden from strangers", false, false, true, 404, []string{"take.credential.missing", "take.credential.wrong"}},
		{"each is locked for strangers", false, false, true, 423, []string{"take.credential.missing", "take.credential.wrong"}},
		{"each is shown to anybody", false, true, false, 404, []string{"take.credential.missing", "take.credential.wrong"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			last, all := 0, map[int]string{}
			gone := func(n int) int {
				if n > 0 && n <= last {
					return c.status
				}
				return 404
			}
			rec, catalogue := trial{contract: []byte(readOnce), service: service(func(r *http.Request, body []byte) (int, string, string) {
				mu.Lock()
				defer mu.Unlock()
				known := r.Header.Get("X-Staff") == shop.Key
				if id, reads := strings.CutPrefix(r.URL.Path, "/notes/"); reads {
					n, _ := strconv.Atoi(id)
					text, there := all[n]
					switch {
					case r.Method != http.MethodGet:
						return 405, "", ""
					case !there, !known && c.hides:
						return gone(n), "", ""
					case !known && !c.open:
						return 401, "", ""
					}
					if c.once {
						delete(all, n)
					}
					return 200, "application/json", `{"id": ` + id + `, "text": ` + text + `}`
				}
				var sent struct{ Text *string }
				switch {
				case r.URL.Path != "/notes":
					return 404, "", ""
				case r.Method != http.MethodPost:
					return 405, "", ""
				case !known:
					return 401, "", ""
				case !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") || json.Unmarshal(body, &sent) != nil || sent.Text == nil:
					return 400, "", ""
				}
				last++
				text, _ := json.Marshal(*sent.Text)
				all[last] = string(text)
				return 201, "application/json", `{"id": ` + strconv.Itoa(last) + `, "text": ` + string(text) + `}`
			})}.judge(t)
			found := failing(rec, catalogue)
			if rules := slices.Sorted(maps.Keys(found)); !slices.Equal(rules, c.want) {
				t.Errorf("%v are violated, want %v", rules, c.want)
			}
		})
	}
}

const shelved = `{openapi: 3.0.3, info: {title: Shelves, version: "1"}, paths: {
  /shelves: {post: {operationId: addShelf, responses: {"201": {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Shelf'}}}}}}},
  '/shelves/{shelfId}': {get: {operationId: getShelf, parameters: [{name: shelfId, in: path, required: true, schema: {type: integer, minimum: 1}}],
    responses: {"200": {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Shelf'}}}}, "404": {description: There is none of this number}, "410": {description: It was taken down}}}},
  '/shelves/{shelfId}/books': {post: {operationId: addBook, parameters: [{name: shelfId, in: path, required: true, schema: {type: integer, minimum: 1}}],
    responses: {"201": {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}, "404": {description: There is no such shelf}}}},
  '/shelves/{shelfId}/books/{bookId}': {get: {operationId: getBook, parameters: [{name: shelfId, in: path, required: true, schema: {type: integer, minimum: 1}},
    {name: bookId, in: path, required: true, schema: {type: integer, minimum: 1}}],
    responses: {"200": {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}, "404": {description: There is no such book}}}}},
  components: {schemas: {Book: {type: object, required: [id], properties: {id: {type: integer}}}, Shelf: {type: object, required: [id], properties: {id: {type: integer}}}}}}`

// A shelf may be taken down while a book is looked for that was never there. What is said of the shelf then says nothing of the book.
func TestUnknownInWhatIsGone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		// down is how many shelves are taken down as soon as an unknown book is looked for there.
		down int
		want []string
	}{
		{"one shelf is taken down", 1, nil},
		{"no shelf is taken down", 0, nil},
		{"an unknown book is taken for a shelf that was taken down", -1, []string{"getBook.not-found"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			down, last, shelves, books := c.down, 0, map[string]bool{}, map[string]bool{}
			made := func(path string, all map[string]bool) (int, string, string) {
				last++
				all[path+"/"+strconv.Itoa(last)] = true
				return 201, "application/json", `{"id": ` + strconv.Itoa(last) + `}`
			}
			rec, catalogue := trial{contract: []byte(shelved), service: service(func(r *http.Request, _ []byte) (int, string, string) {
				mu.Lock()
				defer mu.Unlock()
				parts := strings.Split(r.URL.Path, "/")
				shelf := strings.Join(parts[:min(3, len(parts))], "/")
				there, known := shelves[shelf]
				switch {
				case r.URL.Path == "/shelves" && r.Method == http.MethodPost:
					return made(r.URL.Path, shelves)
				case r.URL.Path == "/shelves", len(parts) == 4 && r.Method != http.MethodPost, len(parts) == 5 && r.Method != http.MethodGet:
					return 405, "", ""
				case known && !there:
					return 410, "", ""
				case !known:
					return 404, "", ""
				case len(parts) == 3 && r.Method != http.MethodGet:
					return 405, "", ""
				case len(parts) == 3:
					return 200, "application/json", `{"id": ` + parts[2] + `}`
				case len(parts) == 4:
					return made(r.URL.Path, books)
				case books[r.URL.Path]:
					return 200, "application/json", `{"id": ` + parts[4] + `}`
				case down > 0 && len(parts[4]) > 9: // no number that the service gives
					down--
					shelves[shelf] = false
					return 410, "", ""
				case down < 0:
					return 410, "", ""
				}
				return 404, "", ""
			})}.judge(t)
			found := failing(rec, catalogue)
			if rules := slices.Sorted(maps.Keys(found)); !slices.Equal(rules, c.want) {
				t.Errorf("%v are violated, want %v", rules, c.want)
			}
			if down > 0 {
				t.Error("no shelf was taken down")
			}
		})
	}
}
