package wholerun_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/reference/mutate"
)

// articles is the contract of articles that actions change.
const articles = `openapi: 3.1.0
info: {title: Articles, version: "1"}
security: [{key: []}]
paths:
  /articles:
    post:
      operationId: addArticle
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string, minLength: 1, maxLength: 80}}}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Article'}}}}
        '400': {description: It is none}
  /articles/{articleId}:
    parameters: [{name: articleId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readArticle
      responses:
        '200': {description: The article, content: {application/json: {schema: {$ref: '#/components/schemas/Article'}}}}
        '404': {description: There is none}
  /articles/{articleId}/publish:
    parameters: [{name: articleId, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: publishArticle
      responses:
        '200': {description: Published, content: {application/json: {schema: {$ref: '#/components/schemas/Article'}}}}
        '404': {description: There is none}
  /articles/{articleId}/preview:
    parameters: [{name: articleId, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: previewArticle
      responses:
        '200': {description: As it would be, content: {application/json: {schema: {$ref: '#/components/schemas/Article'}}}}
        '404': {description: There is none}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Article: {type: object, required: [id, title, status], properties: {id: {type: integer}, title: {type: string}, status: {type: string}, listed: {type: boolean}, views: {type: integer}, previewUrl: {type: string}}}
`

// publishing serves articles in a variant.
func publishing(variant string) http.Handler {
	all := []map[string]any{}
	late := map[int]time.Time{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /articles", func(w http.ResponseWriter, r *http.Request) {
		title, ok := sentText(w, r, "title")
		if !ok {
			return
		}
		all = append(all, map[string]any{"id": len(all) + 1, "title": title, "status": "new", "listed": false, "views": 0, "previewUrl": "/p/0"})
		show(w, http.StatusCreated, all[len(all)-1])
	})
	mux.HandleFunc("GET /articles/{id}", func(w http.ResponseWriter, r *http.Request) {
		if n, ok := byNumber(w, r, len(all)); ok {
			shown := maps.Clone(all[n])
			if time.Since(late[n]) < 40*time.Millisecond {
				shown["status"], shown["listed"] = "new", false
			}
			show(w, http.StatusOK, shown)
		}
	})
	mux.HandleFunc("POST /articles/{id}/publish", func(w http.ResponseWriter, r *http.Request) {
		n, ok := byNumber(w, r, len(all))
		if !ok {
			return
		}
		shown := maps.Clone(all[n])
		shown["status"], shown["listed"] = "published", true
		switch variant {
		case "ineffective":
		case "half":
			all[n]["listed"] = true
		case "in-progress":
			shown["status"], shown["listed"] = "publishing", false
		case "shows-what-was":
			show(w, http.StatusOK, all[n])
			all[n] = shown
			return
		case "shows-for-now": // what only the response has
			shown["previewUrl"], shown["views"] = "/p/7", 1
			all[n]["status"], all[n]["listed"] = "published", true
		case "late":
			late[n] = time.Now()
			fallthrough
		default:
			all[n] = shown
		}
		show(w, http.StatusOK, shown)
	})
	mux.HandleFunc("POST /articles/{id}/preview", func(w http.ResponseWriter, r *http.Request) {
		if n, ok := byNumber(w, r, len(all)); ok {
			shown := maps.Clone(all[n])
			shown["status"] = "published"
			show(w, http.StatusOK, shown)
		}
	})
	return behindKey(mux)
}

// What an action on a resource answers is read afterwards, unless it only tries something, is under way, or shows what is for now.
func TestWhatActionsShow(t *testing.T) {
	t.Parallel()
	for variant, broken := range map[string]bool{
		"": false, "ineffective": true, "half": true, "in-progress": false, "shows-what-was": false, "shows-for-now": false, "late": false,
	} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := trial{contract: []byte(articles), service: inMemory{publishing(variant)}}.judge(t)
			found := failing(rec, catalogue)
			if _, is := found["publishArticle.acted.shown"]; is != broken {
				t.Errorf("acted.shown is found broken: %t", is)
			}
			if delete(found, "publishArticle.acted.shown"); len(found) > 0 {
				t.Errorf("accused: %v", found)
			}
			if variant == "" && !strings.Contains(fmt.Sprint(rec.Exercised), "publishArticle.acted.shown") {
				t.Error("the action is not judged")
			}
		})
	}
}

// An action that is answered as if it had an effect is found by what follows from the contract.
func TestActionsWithoutEffect(t *testing.T) {
	t.Parallel()
	d, err := trial{contract: []byte(articles)}.derived()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, f := range fault.Of(d.contract, d.promises, d.catalogue) {
		if f.Operator != "ineffective" {
			continue
		}
		tried++
		change, err := f.Mutation.Middleware()
		if err != nil {
			t.Fatal(err)
		}
		front := &mutate.Handler{Next: publishing(""), Middleware: []mutate.Middleware{change}, Operation: func(method, path string) string {
			op, ok := d.contract.Match(method, path)
			if !ok {
				return ""
			}
			return op.ID
		}}
		rec, catalogue := trial{contract: []byte(articles), service: inMemory{front}}.judge(t)
		if found := failing(rec, catalogue); len(found) != 1 || found[f.Rules[0]].Rule == "" {
			t.Errorf("%s: found are %v", f.Name, found)
		}
	}
	if tried != 1 {
		t.Errorf("%d faults are derived, want 1: a preview changes nothing", tried)
	}
}
