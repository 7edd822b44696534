package wholerun_test

import (
	"net/http"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

const doorsContract = `
openapi: 3.1.0
info: {title: Doors, version: '1'}
paths:
  /doors:
    get:
      operationId: listDoors
      security: [{session: []}, {badge: []}]
      responses:
        '200': {description: all, content: {application/json: {schema: {type: array, items: {type: string}}}}}
        '401': {description: unknown, headers: {WWW-Authenticate: {schema: {type: string}}}}
        '403': {description: not allowed}
components:
  securitySchemes:
    session: {type: apiKey, in: cookie, name: sid}
    badge: {type: apiKey, in: header, name: X-Badge}
`

// Each credential that the contract lists as an alternative lets in. One that is known and lacks rights breaks nothing.
func TestAlternativeCredentialsLetIn(t *testing.T) {
	t.Parallel()
	const session, badge = "doors-session-4dW-z18", "doors-badge-9fT-m35"
	for name, test := range map[string]struct {
		badges int // the status for the badge
		broken bool
	}{
		"both let in":          {http.StatusOK, false},
		"one has fewer rights": {http.StatusForbidden, false},
		"one does not let in":  {http.StatusUnauthorized, true},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				status := http.StatusUnauthorized
				if sid, err := r.Cookie("sid"); err == nil && sid.Value == session {
					status = http.StatusOK
				} else if r.Header.Get("X-Badge") == badge {
					status = test.badges
					asked++
				}
				switch status {
				case http.StatusOK:
					w.Header().Set("Content-Type", "application/json")
					_, _ = w.Write([]byte(`["front"]`))
				case http.StatusUnauthorized:
					w.Header().Set("WWW-Authenticate", "Session")
					fallthrough
				default:
					w.WriteHeader(status)
				}
			})
			rec, catalogue := trial{
				contract: []byte(doorsContract), service: inMemory{service}, confirm: 1,
				secrets: map[string]scheme.Secret{"session": {Text: session}, "badge": {Text: badge}},
			}.judge(t)
			rule := "listDoors." + string(promise.CredentialAccepted)
			found := failing(rec, catalogue)
			if _, broken := found[rule]; broken != test.broken || rec.Exercised[rule] == 0 || asked == 0 {
				t.Errorf("%s is broken: %v, want %v; exercised %d times, the badge was shown %d times", rule, broken, test.broken, rec.Exercised[rule], asked)
			}
			delete(found, rule)
			accuse(t, found)
		})
	}
}

const noticesContract = `
openapi: 3.1.0
info: {title: Notices, version: '1'}
security: [{badge: []}]
paths:
  /notices:
    get:
      operationId: listNotices
      security: []
      responses:
        '200': {description: all, content: {application/json: {schema: {type: array, items: {type: string}}}}}
  /menu:
    get:
      operationId: readMenu
      security: [{badge: []}, {}]
      responses:
        '200': {description: all, content: {application/json: {schema: {type: array, items: {type: string}}}}}
        default: {description: an error}
  /oauth/token:
    get:
      operationId: getToken
      security: []
      responses:
        '200': {description: all, content: {application/json: {schema: {type: array, items: {type: string}}}}}
        '400': {description: no}
  /hours:
    get:
      operationId: readHours
      security: []
      responses:
        '200': {description: all, content: {application/json: {schema: {type: array, items: {type: string}}}}}
        '401': {description: an unknown badge}
  /doors:
    get:
      operationId: listDoors
      responses:
        '200': {description: all, content: {application/json: {schema: {type: array, items: {type: string}}}}}
        '401': {description: unknown, headers: {WWW-Authenticate: {schema: {type: string}}}}
components:
  securitySchemes:
    badge: {type: http, scheme: bearer}
`

// Where the contract says that no credential is needed, a request with a wrong one is let in as one with none is, unless the document lists
// the refusal.
func TestWrongCredentialsAreIgnoredWhereNoneIsNeeded(t *testing.T) {
	t.Parallel()
	const badge = "notices-badge-9fT-m35"
	const ignored = "." + string(promise.CredentialIgnored)
	for name, test := range map[string]struct {
		refuses func(path, sent string) bool
		broken  []string
	}{
		"ignored":                  {func(path, sent string) bool { return path == "/hours" && sent != "" }, nil},
		"refused":                  {func(_, sent string) bool { return sent != "" }, []string{"listNotices" + ignored, "readMenu" + ignored}},
		"none is refused by an or": {func(path, sent string) bool { return path == "/menu" && sent == "" }, []string{"readMenu." + string(promise.CredentialAccepted)}},
	} {
		t.Run(name, func(t *testing.T) {
			service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent := r.Header.Get("Authorization")
				known := sent == "Bearer "+badge
				if !known && (r.URL.Path == "/doors" || test.refuses(r.URL.Path, sent)) {
					w.Header().Set("WWW-Authenticate", "Bearer")
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(`["front"]`))
			})
			rec, catalogue := trial{
				contract: []byte(noticesContract), service: inMemory{service}, confirm: 1, secrets: map[string]scheme.Secret{"badge": {Text: badge}},
			}.judge(t)
			found := failing(rec, catalogue)
			for _, rule := range test.broken {
				if _, broken := found[rule]; !broken {
					t.Errorf("%s is not broken", rule)
				}
				delete(found, rule)
			}
			if _, known := catalogue.Rule("getToken" + ignored); known {
				t.Error("who asks for a token may be told that its credential is wrong")
			}
			if _, known := catalogue.Rule("readHours" + ignored); known || rec.Exercised["listNotices"+ignored] == 0 {
				t.Errorf("a documented 401 is judged: %v; exercised %d times", known, rec.Exercised["listNotices"+ignored])
			}
			accuse(t, found)
		})
	}
}
