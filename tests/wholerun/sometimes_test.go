package wholerun_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/hallmark-kit/hallmark/tests/shop"
)

const lockedContract = `openapi: 3.1.0
info: {title: Locked notes, version: "1"}
security: [{key: []}]
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1}}]
      responses:
        "200": {description: Notes., content: {application/json: {schema: {type: array}}}}
        "401": {description: No key.}
components:
  securitySchemes:
    key: {type: http, scheme: bearer}
`

// locked is a service that requires a key: always, never, or from each wrong credential only the second time.
type locked struct {
	odd  string
	mu   sync.Mutex
	seen map[string]bool
}

func (l *locked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	credential := r.Header.Get("Authorization")
	right := credential == "Bearer "+shop.Key || l.odd == "never" || l.odd == "second" && !l.seen[credential]
	l.seen[credential] = true
	w.Header().Set("Content-Type", "application/json")
	if !right {
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	_ = json.NewEncoder(w).Encode([]int{})
}

// A rules file tells a wrong credential that is accepted at times from one that always is.
func TestCredentialsThatAreAcceptedAtTimes(t *testing.T) {
	const rules, feature = `
- {id: keys.required, section: Keys, level: must, says: A wrong key is refused., covers: ['*.credential.missing', '*.credential.wrong']}
- {id: keys.steady, section: Keys, level: must, says: A key is checked every time., covers: ['*.credential.missing sometimes', '*.credential.wrong sometimes']}
`, `Feature: Keys

  @rule:keys.required @covered:listNotes.credential.wrong
  Scenario: a random key
    Given a plain request to "listNotes" that succeeds
    But its credential is a random key
    When it is sent
    Then nobody is let in
`
	for odd, want := range map[string][]string{"": nil, "never": {"keys.required"}, "second": {"keys.steady"}} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := trial{
				contract: []byte(lockedContract), service: inMemory{&locked{odd: odd, seen: map[string]bool{}}}, rules: rules,
				features: fstest.MapFS{"keys.feature": {Data: []byte(feature)}},
			}.judge(t)
			if got := slices.Sorted(maps.Keys(failing(rec, catalogue))); !slices.Equal(got, want) {
				t.Errorf("broken are %q, want %q", got, want)
			}
		})
	}
}

// A written scenario with a wrong credential names the derived rule that explains what it finds.
func TestWrittenScenarioNamesWhatLetsIn(t *testing.T) {
	const rules, feature = `
- {id: keys.first, section: Keys, level: must, says: A key is checked first.}
`, `Feature: Keys

  @rule:keys.first
  Scenario: a wrong query without a key
    Given the credential is missing
    When listNotes is called with limit 0
    Then the response is 401
`
	for odd, want := range map[string]string{"": "", "never": "listNotes.credential.missing"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := trial{
				contract: []byte(lockedContract), service: inMemory{&locked{odd: odd, seen: map[string]bool{}}}, rules: rules,
				features: fstest.MapFS{"keys.feature": {Data: []byte(feature)}},
			}.judge(t)
			f, broken := failing(rec, catalogue)["keys.first"]
			if broken != (want != "") || f.After != want {
				t.Errorf("broken: %v, explained by %q, want %q", broken, f.After, want)
			}
		})
	}
}
