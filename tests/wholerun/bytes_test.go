package wholerun_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
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
	type file struct {
		name    string
		content []byte
		stored  time.Time
	}
	var all []*file
	shown := func(i int) map[string]any { return map[string]any{"id": i + 1, "name": all[i].name} }
	mux := http.NewServeMux()
	mux.HandleFunc("POST /files", func(w http.ResponseWriter, r *http.Request) {
		if name, ok := sentText(w, r, "name"); ok {
			all = append(all, &file{name: name})
			show(w, http.StatusCreated, shown(len(all)-1))
		}
	})
	mux.HandleFunc("GET /files/{id}", func(w http.ResponseWriter, r *http.Request) {
		if i, ok := byNumber(w, r, len(all)); ok {
			show(w, http.StatusOK, shown(i))
		}
	})
	mux.HandleFunc("PUT /files/{id}/content", func(w http.ResponseWriter, r *http.Request) {
		i, ok := byNumber(w, r, len(all))
		if !ok {
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
		all[i].content, all[i].stored = content, time.Now()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /files/{id}/content", func(w http.ResponseWriter, r *http.Request) {
		i, ok := byNumber(w, r, len(all))
		if !ok {
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		if variant != "late" || time.Since(all[i].stored) > 40*time.Millisecond {
			_, _ = w.Write(all[i].content)
		}
	})
	return behindKey(mux)
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
