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

	"hallmark/tests/shop"
)

const readOnce = `{openapi: 3.0.3, info: {title: Notes, version: "1"}, security: [{staff: []}], paths: {
  /notes: {post: {operationId: leave, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string, example: Ada}}}}}},
    responses: {"201": {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, "400": {description: Wrong}, "401": {description: Who are you}}}},
  '/notes/{noteId}': {get: {operationId: take, parameters: [{name: noteId, in: path, required: true, schema: {type: integer, minimum: 1}}],
    responses: {"200": {description: "A note is read once, and is gone then.", content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, "401": {description: Who are you}, "404": {description: There is no such note}}}}},
  components: {securitySchemes: {staff: {type: apiKey, in: header, name: X-Staff}}, schemas: {Note: {type: object, required: [id, text], properties: {id: {type: integer}, text: {type: string}}}}}}`

// A resource that is gone by now, since it is shown once or another client removed it, may be looked for before the credential
// is checked: its 404 says nothing of the credential. A service that never says 401 is broken.
func TestCredentialsForWhatIsGone(t *testing.T) {
	for _, c := range []struct {
		name              string
		once, open, hides bool
		want              []string
	}{
		{"each is shown once", true, false, false, []string{"take.read.steady"}},
		{"each stays", false, false, false, nil},
		{"each is hidden from strangers", false, false, true, []string{"take.credential.missing", "take.credential.wrong"}},
		{"each is shown to anybody", false, true, false, []string{"take.credential.missing", "take.credential.wrong"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			last, all := 0, map[int]string{}
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
					case !there:
						return 404, "", ""
					case !known && c.hides:
						return 404, "", ""
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
