package wholerun_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/tests/shop"
)

// octets is the contract of files with opaque content.
const octets = `openapi: 3.1.0
info: {title: Files, version: "1"}
security: [{key: []}]
paths:
  /files:
    post:
      operationId: addFile
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 1, maxLength: 80}}}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/File'}}}}
        '400': {description: It is none}
  /files/{fileId}:
    parameters: [{name: fileId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readFile
      responses:
        '200': {description: The file, content: {application/json: {schema: {$ref: '#/components/schemas/File'}}}}
        '404': {description: There is none}
  /files/{fileId}/content:
    parameters: [{name: fileId, in: path, required: true, schema: {type: integer}}]
    put:
      operationId: putContent
      requestBody: {required: true, content: {application/octet-stream: {schema: {type: string, format: binary}}}}
      responses:
        '204': {description: Stored}
        '404': {description: There is none}
    get:
      operationId: getContent
      responses:
        '200': {description: The bytes, content: {application/octet-stream: {schema: {type: string, format: binary}}}}
        '404': {description: There is none}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    File: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}
`

// filing serves files in a variant.
func filing(variant string) http.Handler {
	var mu sync.Mutex
	type file struct {
		name    string
		content []byte
		stored  time.Time
	}
	var all []*file
	show := func(w http.ResponseWriter, status int, n int) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"id": n, "name": all[n-1].name})
	}
	one := func(w http.ResponseWriter, r *http.Request) int {
		n, err := strconv.Atoi(r.PathValue("id"))
		if err != nil || n < 1 || n > len(all) {
			w.WriteHeader(http.StatusNotFound)
			return 0
		}
		return n
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /files", func(w http.ResponseWriter, r *http.Request) {
		var o struct{ Name *string }
		if json.NewDecoder(r.Body).Decode(&o) != nil || o.Name == nil || *o.Name == "" || len([]rune(*o.Name)) > 80 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		all = append(all, &file{name: *o.Name})
		show(w, http.StatusCreated, len(all))
	})
	mux.HandleFunc("GET /files/{id}", func(w http.ResponseWriter, r *http.Request) {
		if n := one(w, r); n > 0 {
			show(w, http.StatusOK, n)
		}
	})
	mux.HandleFunc("PUT /files/{id}/content", func(w http.ResponseWriter, r *http.Request) {
		n := one(w, r)
		if n == 0 {
			return
		}
		content, _ := io.ReadAll(r.Body)
		switch variant {
		case "as-text":
			content = []byte(strings.ToValidUTF8(string(content), string(utf8.RuneError)))
		case "cut-at-zero":
			content, _, _ = bytes.Cut(content, []byte{0})
		case "never-stored":
			content = []byte("nothing yet")
		}
		all[n-1].content, all[n-1].stored = content, time.Now()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /files/{id}/content", func(w http.ResponseWriter, r *http.Request) {
		n := one(w, r)
		if n == 0 {
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		if variant != "late" || time.Since(all[n-1].stored) > 40*time.Millisecond {
			_, _ = w.Write(all[n-1].content)
		}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Header.Get("X-Key") != shop.Key {
			w.Header().Set("WWW-Authenticate", "Key")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// Opaque bytes are read as they were stored; an image may be stored in another form.
func TestBytesThatAreStored(t *testing.T) {
	t.Parallel()
	images := strings.ReplaceAll(octets, "application/octet-stream", "image/png")
	for _, c := range []struct {
		contract, variant string
		broken            bool
	}{{octets, "", false}, {octets, "late", false}, {octets, "as-text", true}, {octets, "cut-at-zero", true}, {octets, "never-stored", true}, {images, "never-stored", false}} {
		t.Run(c.variant, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := trial{contract: []byte(c.contract), service: inMemory{filing(c.variant)}}.judge(t)
			found := failing(rec, catalogue)
			if _, is := found["putContent.stored.bytes"]; is != c.broken {
				t.Errorf("stored.bytes is found broken: %t", is)
			}
			delete(found, "putContent.stored.bytes")
			if c.contract == images {
				delete(found, "getContent.media-type")
			}
			if len(found) > 0 {
				t.Errorf("accused: %v", found)
			}
			if c.variant == "" && rec.Exercised["putContent.stored.bytes"] == 0 {
				t.Error("the bytes are not judged")
			}
		})
	}
}
