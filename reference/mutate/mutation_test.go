package mutate_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/mutate"
)

// TestMutationOfAnyService puts mutations in front of an arbitrary service.
func TestMutationOfAnyService(t *testing.T) {
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"asked":`+string(body)+`}`)
	})
	for name, c := range map[string]struct {
		mutation mutate.Mutation
		refusal  func(status int) any
		path     string
		status   int
		body     string
	}{
		"a member less":         {mutate.Mutation{Status: 200, Do: mutate.ActDrop, At: []string{"asked", "a"}}, nil, "/things/7", 200, `{"asked":{}}`},
		"another path":          {mutate.Mutation{Status: 200, Do: mutate.ActNoBody}, nil, "/things", 200, `{"asked":{"a":1}}`},
		"another status":        {mutate.Mutation{Status: 200, Do: mutate.ActStatus, To: 202}, nil, "/things/7", 202, `{"asked":{"a":1}}`},
		"a mended request":      {mutate.Mutation{Do: mutate.ActMendMissing, At: []string{"b"}, Value: "2"}, nil, "/things/7", 200, `{"asked":{"a":1,"b":2}}`},
		"refused":               {mutate.Mutation{Do: mutate.ActRefuseMember, At: []string{"a"}, Value: "1", To: 422}, nil, "/things/7", 422, `{}`},
		"refused by own bodies": {mutate.Mutation{Do: mutate.ActRefuseMember, At: []string{"a"}, Value: "1", To: 422}, func(status int) any { return status }, "/things/7", 422, `422`},
	} {
		t.Run(name, func(t *testing.T) {
			c.mutation.Method, c.mutation.Path = "PUT", "/things/{id}"
			m, err := c.mutation.Middleware()
			if err != nil {
				t.Fatal(err)
			}
			h := &mutate.Handler{Next: service, Base: "/base", Key: "key", Middleware: []mutate.Middleware{m}, Refusal: c.refusal}
			r := httptest.NewRequest("PUT", "/base"+c.path, strings.NewReader(`{"a":1}`))
			r.Header.Set("Authorization", "Bearer key")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.status || w.Body.String() != c.body {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

func TestMutationsThatMakeNoSense(t *testing.T) {
	for name, m := range map[string]mutate.Mutation{
		"unknown act":         {Status: 200, Do: "nonesuch"},
		"unknown request act": {Do: "nonesuch"},
		"no place":            {Status: 200, Do: mutate.ActDrop},
		"no place to mend":    {Do: mutate.ActMendEnum},
		"no JSON":             {Status: 200, Do: mutate.ActBody, Value: "{"},
	} {
		if _, err := m.Middleware(); err == nil {
			t.Errorf("%s is applied", name)
		}
	}
}
