package petstore_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// broken is a store of which every method does what fail does.
type broken struct{ fail func() error }

func (b broken) Create(context.Context, petstore.NewPet) (petstore.Pet, error) {
	return petstore.Pet{}, b.fail()
}
func (b broken) Get(context.Context, int64) (petstore.Pet, error) { return petstore.Pet{}, b.fail() }
func (b broken) List(context.Context, petstore.Filter, int) ([]petstore.Pet, error) {
	return nil, b.fail()
}

func TestStoreFails(t *testing.T) {
	cases := map[string]func() error{
		"with an error": func() error { return errors.New("the disk is gone") },
		"with a panic":  func() error { panic("the disk is gone") },
	}
	for name, fail := range cases {
		t.Run(name, func(t *testing.T) {
			var log buffer
			s := serve(t, func(o *petstore.Options) {
				o.Store = broken{fail}
				o.Log = slog.New(slog.NewJSONHandler(&log, nil))
			})
			for _, got := range []answer{
				s.call(http.MethodGet, "/pets", ""),
				s.call(http.MethodPost, "/pets", `{"name":"Rex","categoryId":1}`),
				s.call(http.MethodGet, "/pets/1", ""),
			} {
				got.wantError(t, http.StatusInternalServerError)
				if strings.Contains(got.body, "disk") {
					t.Errorf("the client is told what is for the log: %s", got.body)
				}
			}
			if n := strings.Count(log.String(), "the disk is gone"); n != 3 {
				t.Errorf("the log tells %d times of 3 what went wrong: %s", n, log.String())
			}
			if n := strings.Count(log.String(), `"status":500`); n != 3 {
				t.Errorf("the log has %d requests of 3 with their status: %s", n, log.String())
			}
		})
	}
}

// odd returns an animal that no response can carry.
type odd struct{ petstore.Store }

func (odd) Get(context.Context, int64) (petstore.Pet, error) {
	return petstore.Pet{ID: 1, NewPet: petstore.NewPet{Name: "\xff"}}, nil
}

func (odd) List(context.Context, petstore.Filter, int) ([]petstore.Pet, error) {
	return []petstore.Pet{{ID: 1, NewPet: petstore.NewPet{Name: "\xff"}}}, nil
}

func TestStoreReturnsNoUnicode(t *testing.T) {
	s := serve(t, func(o *petstore.Options) { o.Store = odd{} })
	s.call(http.MethodGet, "/pets/1", "").wantError(t, http.StatusInternalServerError)
	s.call(http.MethodGet, "/pets", "").wantError(t, http.StatusInternalServerError)
}

// A handler that wants the connection cut gets its wish.
func TestAbortPasses(t *testing.T) {
	s := serve(t, func(o *petstore.Options) { o.Store = broken{func() error { panic(http.ErrAbortHandler) }} })
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/pets",
		strings.NewReader(`{"name":"Rex","categoryId":1}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := s.http.Do(request)
	if err == nil {
		response.Body.Close()
		t.Fatalf("answered %d", response.StatusCode)
	}
	if !errors.Is(err, io.EOF) {
		t.Errorf("not cut off: %v", err)
	}
}

func TestLogHoldsNoSecrets(t *testing.T) {
	var log buffer
	s := serve(t, func(o *petstore.Options) {
		o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	s.call(http.MethodGet, "/pets?key="+key+"&status="+key, "")
	s.call(http.MethodGet, "/pets/"+key, "")
	s.call(http.MethodGet, "/"+key, "")
	s.call(http.MethodGet, "/pets", "", "Authorization", "Bearer x"+key)
	s.call(http.MethodGet, "/pets", "", "Authorization", "Basic "+key)
	s.call(http.MethodGet, "/pets", "", "User-Agent", key, "Referer", key, "X-Forwarded-For", key)
	s.call(http.MethodPost, "/pets", `{"name":"`+key+`","categoryId":1}`)
	s.call(http.MethodPost, "/pets", key)
	s.call("X"+strings.ReplaceAll(key, ".", ""), "/pets", "")

	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 9 {
		t.Errorf("%d lines for 9 requests: %s", len(lines), log.String())
	}
	if strings.Contains(log.String(), "1234567890") || strings.Contains(log.String(), "Bearer") {
		t.Errorf("the log holds a key: %s", log.String())
	}
	for _, want := range []string{"method=GET", "route=/v1/pets/:petId", "status=201", "status=401", "method=other"} {
		if !bytes.Contains([]byte(log.String()), []byte(want)) {
			t.Errorf("the log lacks %s: %s", want, log.String())
		}
	}
}

// halfway is a connection that breaks down after the head of the response.
type halfway struct{ http.ResponseWriter }

func (halfway) Write([]byte) (int, error) { panic("the connection broke down") }

// Once a part of a response is out, no Error body may follow it: the connection is cut.
func TestPanicHalfway(t *testing.T) {
	service, err := petstore.New(petstore.Options{Keys: []string{key}})
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/pets", nil)
	request.Header.Set("Authorization", "Bearer "+key)
	defer func() {
		if err, _ := recover().(error); !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("the handler ended with %v", err)
		}
	}()
	service.Handler().ServeHTTP(halfway{httptest.NewRecorder()}, request)
}
