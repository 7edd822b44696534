package wholerun_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/openapi"
)

const named = `openapi: 3.1.0
info: {title: Names, version: 1.0.0}
paths:
  /roles:
    post:
      operationId: addRole
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 1}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Role'}}}}, '400': {description: Wrong}}
  /roles/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {operationId: readRole, responses: {'200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Role'}}}}, '404': {description: None}}}
components:
  schemas:
    Role: {type: object, required: [name], properties: {name: {type: string}}}
`

// A service whose JSON reader keeps half of a surrogate pair, as that of Python does, has a resource that no address can name.
func TestAnIdentifierThatIsNotUnicodeAccusesNobody(t *testing.T) {
	t.Parallel()
	contract, err := openapi.Load([]byte(named))
	if err != nil {
		t.Fatal(err)
	}
	member := regexp.MustCompile(`"name"\s*:\s*("(?:[^"\\]|\\.)+")`)
	var mu sync.Mutex
	names := map[string]bool{}
	halves := 0
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		answer := func(status int, name string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"name":%s}`, name)
		}
		if r.Method == http.MethodPost {
			sent, _ := io.ReadAll(r.Body)
			found := member.FindSubmatch(sent)
			if found == nil {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			name := string(found[1])
			if strings.Contains(name, `\ud83d"`) {
				halves++
			} else if plain, err := strconv.Unquote(name); err == nil {
				name = strconv.Quote(plain)
			}
			names[name] = true
			answer(http.StatusCreated, name)
			return
		}
		name := strconv.Quote(strings.TrimPrefix(r.URL.Path, "/roles/"))
		if !names[name] {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		answer(http.StatusOK, name)
	})
	rec, catalogue := trial{read: contract, service: inMemory{service}, created: 100}.judge(t)
	if f, is := failing(rec, catalogue)["addRole.created.readable"]; is {
		t.Errorf("accused: %s, actual %s", f.Where, f.Actual)
	}
	if halves == 0 {
		t.Error("no name ended in half of a surrogate pair")
	}
}
