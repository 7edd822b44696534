package score

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// widespread are defects that show in many operations, as those of real services do: each has one reason in their code.
var widespread = map[string]func(http.Handler) http.Handler{
	"errors are text/html": answering(func(status int, header http.Header, body []byte) (int, []byte) {
		if status >= http.StatusBadRequest {
			header.Set("Content-Type", "text/html")
			return status, []byte("<h1>error</h1>")
		}
		return status, body
	}),
	"errors are plain strings": answering(func(status int, header http.Header, body []byte) (int, []byte) {
		if status >= http.StatusBadRequest {
			header.Set("Content-Type", "application/json")
			return status, []byte(`"error"`)
		}
		return status, body
	}),
	"ids are of another type": answering(func(status int, _ http.Header, body []byte) (int, []byte) {
		return status, members(body, func(object map[string]any) {
			for name, value := range object {
				if _, list := value.([]any); name == "id" && !list {
					object[name] = map[string]any{"value": value}
				}
			}
		})
	}),
	"texts are in objects": answering(func(status int, _ http.Header, body []byte) (int, []byte) {
		return status, members(body, func(object map[string]any) {
			for _, name := range []string{"name", "title"} {
				if value, is := object[name].(string); is {
					object[name] = map[string]any{"text": value}
				}
			}
		})
	}),
	"wrong Content-Type everywhere": answering(func(status int, header http.Header, body []byte) (int, []byte) {
		if len(body) > 0 {
			header.Set("Content-Type", "text/plain")
		}
		return status, body
	}),
	"no ETag": answering(func(status int, header http.Header, body []byte) (int, []byte) {
		header.Del("ETag")
		return status, body
	}),
	"successes are wrapped": answering(func(status int, _ http.Header, body []byte) (int, []byte) {
		if status < 300 && len(body) > 0 {
			return status, append(append([]byte(`{"data":`), body...), '}')
		}
		return status, body
	}),
	"everybody is let in": func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Authorization")
			r.Header.Set("X-Staff-Key", key)
			r.Header.Set("X-Gotify-Key", key)
			r.Header.Set("Authorization", "Bearer "+key)
			next.ServeHTTP(w, r)
		})
	},
	"created is 200": answering(func(status int, _ http.Header, body []byte) (int, []byte) {
		if status == http.StatusCreated {
			return http.StatusOK, body
		}
		return status, body
	}),
	"bad requests are 500": answering(func(status int, _ http.Header, body []byte) (int, []byte) {
		if status == http.StatusBadRequest || status == http.StatusUnprocessableEntity {
			return http.StatusInternalServerError, body
		}
		return status, body
	}),
}

// answering changes the responses of a service.
func answering(change func(status int, header http.Header, body []byte) (int, []byte)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got := httptest.NewRecorder()
			next.ServeHTTP(got, r)
			status, body := change(got.Code, got.Header(), bytes.Clone(got.Body.Bytes()))
			got.Header().Del("Content-Length")
			maps.Copy(w.Header(), got.Header())
			w.WriteHeader(status)
			_, _ = w.Write(body) // the client has it or not
		})
	}
}

// members changes all objects in a body.
func members(body []byte, change func(map[string]any)) []byte {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var tree any
	if d.Decode(&tree) != nil {
		return body
	}
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				walk(value[name])
			}
			change(value)
		case []any:
			for _, item := range value {
				walk(item)
			}
		}
	}
	walk(tree)
	text, err := json.Marshal(tree)
	if err != nil {
		return body
	}
	return text
}

// TestWidespread measures as how many causes defects are reported that show in many operations.
func TestWidespread(t *testing.T) {
	if *causesOf == "" {
		t.Skip("-score.causes names documents")
	}
	for file := range strings.SplitSeq(*causesOf, ",") {
		d, _ := derivedFrom(t, file)
		service := d.Service
		for _, name := range slices.Sorted(maps.Keys(widespread)) {
			d.Service = func() (http.Handler, func(), error) {
				s, end, err := service()
				return widespread[name](s), end, err
			}
			logCauses(t, d, fmt.Sprintf("%s: %s", file, name))
		}
	}
}

func logCauses(t *testing.T, d *Derived, name string) {
	t.Helper()
	rec, err := d.record(t.Context())
	if err != nil {
		t.Error(err)
		return
	}
	must := 0
	causes := verdict.Draw(&rec, d.Config.Catalogue.Rules).Causes
	for _, c := range causes {
		if c.Level != spec.Should {
			must++
		}
	}
	t.Logf("%s: %d causes, %d of them must", name, len(causes), must)
	for _, c := range causes {
		t.Logf("    %s %s: %s; %s; at %s (%d scenarios, %d findings)", c.Level, c.Rule, c.Message, c.Lead.Where, c.Lead.Contract, len(c.Scenarios), c.Findings)
	}
}
