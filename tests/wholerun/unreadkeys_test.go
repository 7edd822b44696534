package wholerun_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// stickers is the contract of resources that are created and listed, and that no operation reads.
const stickers = `openapi: 3.1.0
info: {title: Labels, version: "1"}
security: [{key: []}]
paths:
  /labels:
    post:
      operationId: addLabel
      parameters: [{name: Idempotency-Key, in: header, schema: {type: string, minLength: 8, maxLength: 64}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string, minLength: 1, maxLength: 80}}}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Label'}}}}
        '400': {description: It is none}
        '409': {description: The key is that of another request}
    get:
      operationId: listLabels
      responses:
        '200': {description: The labels, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Label'}}}}}
  /labels/{labelId}:
    parameters: [{name: labelId, in: path, required: true, schema: {type: integer}}]
    delete:
      operationId: removeLabel
      responses:
        '204': {description: Removed}
        '404': {description: There is none}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Label: {type: object, required: [id, text], properties: {id: {type: integer}, text: {type: string}}}
`

// sticking serves labels in a variant.
func sticking(variant string) http.Handler {
	type label struct {
		ID   int    `json:"id"`
		Text string `json:"text"`
	}
	last, all, known := 0, []label{}, map[string]label{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /labels", func(w http.ResponseWriter, r *http.Request) {
		text, ok := sentText(w, r, "text")
		if !ok {
			return
		}
		key := r.Header.Get("Idempotency-Key")
		if key != "" && (len(key) < 8 || len(key) > 64) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if key != "" && variant == "one-for-all" {
			key = "all"
		}
		before, again := known[key]
		switch {
		case again && (variant == "used-up" || variant != "one-for-all" && variant != "ignored" && before.Text != text):
			w.WriteHeader(http.StatusConflict)
			return
		case again && variant != "ignored":
			show(w, http.StatusCreated, before)
			return
		}
		last++
		one := label{last, text}
		if all = append(all, one); key != "" {
			known[key] = one
		}
		show(w, http.StatusCreated, one)
	})
	mux.HandleFunc("GET /labels", func(w http.ResponseWriter, _ *http.Request) { show(w, http.StatusOK, all) })
	mux.HandleFunc("DELETE /labels/{id}", func(w http.ResponseWriter, r *http.Request) {
		for i, one := range all {
			if fmt.Sprint(one.ID) == r.PathValue("id") {
				all = append(all[:i:i], all[i+1:]...)
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
	})
	return behindKey(mux)
}

// The idempotency key of what no operation reads is judged like any other.
func TestKeysOfWhatIsOnlyListed(t *testing.T) {
	t.Parallel()
	for variant, rule := range map[string]string{"": "", "used-up": "", "ignored": "addLabel.created.same-key", "one-for-all": "addLabel.created.other-key"} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := trial{contract: []byte(stickers), service: inMemory{sticking(variant)}}.judge(t)
			found := failing(rec, catalogue)
			if _, is := found[rule]; is != (rule != "") {
				t.Errorf("%q is not found broken", rule)
			}
			if delete(found, rule); len(found) > 0 && variant != "one-for-all" { // which shows one label for several
				t.Errorf("accused: %v", found)
			}
			if rule == "" && variant == "" && !strings.Contains(fmt.Sprint(rec.Exercised), "addLabel.created.same-key") {
				t.Error("the key is not judged")
			}
		})
	}
}
