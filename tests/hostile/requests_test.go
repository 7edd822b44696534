package hostile_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/examples/bookshop/service"
	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/reference/stub"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

const key = "hallmark-secret-0123456789"

// aborted reports whether what a handler panicked with is the way of net/http to end a connection.
func aborted(p any) bool {
	err, ok := p.(error)
	return ok && errors.Is(err, http.ErrAbortHandler)
}

// send has a service answer requests as nobody should send them, with a credential that it takes, and returns the first one at which it panics;
// empty for none. log is where the service writes its own panics.
func send(h http.Handler, log *bytes.Buffer, base, collection, item, body string, credentials ...string) (panicked string) {
	at := ""
	defer func() {
		if p := recover(); p != nil && !aborted(p) {
			panicked = fmt.Sprintf("%s: %v", at, p)
		}
		if i := strings.Index(log.String(), "panicked"); i >= 0 && panicked == "" {
			panicked = at + ": " + log.String()[i:]
		}
	}()
	ask := func(method, target, body, media string) {
		at = fmt.Sprintf("%s %.80s %.80q", method, target, body)
		r := httptest.NewRequest(http.MethodGet, "/", strings.NewReader(body))
		path, query, _ := strings.Cut(target, "?")
		r.Method, r.RequestURI, r.URL.Path, r.URL.RawQuery = method, target, path, query
		for _, c := range credentials {
			name, value, _ := strings.Cut(c, ": ")
			r.Header.Set(name, value)
		}
		r.Header["Content-Type"] = []string{media}
		r.Header.Set("If-Match", `W/"`)
		func() {
			defer func() {
				if p := recover(); p != nil && !aborted(p) {
					panic(p)
				}
			}()
			h.ServeHTTP(httptest.NewRecorder(), r)
		}()
		if strings.Contains(log.String(), "panicked") {
			panic(log.String())
		}
	}
	list, one := base+collection, base+collection+item
	for range 3 {
		ask("POST", list, body, "application/json")
	}
	ask("DELETE", base+collection+"/2", "", "")
	for _, value := range []string{"-1", "-9223372036854775808", "99999999999999999999", "0", "", "x", "1.5", "%", "%zz", "%00", "٣"} {
		for _, name := range []string{"limit", "offset", "page", "size", "categoryId", "cursor", "sort"} {
			ask("GET", list+"?"+name+"="+value, "", "")
		}
		ask("GET", list+"?limit="+value+"&limit="+value+"&offset="+value+"&page="+value, "", "")
		ask("GET", base+collection+"/"+value, "", "")
		ask("DELETE", base+collection+"/"+value, "", "")
	}
	for _, wrong := range []string{
		"", " ", "null", "7", `"x"`, "[]", "{}", "{", "{}{}", "\xff\xfe", strings.Repeat("[", 20_000), strings.Repeat(`{"name":`, 500) + "1" + strings.Repeat("}", 500),
		strings.Replace(body, ":", `:null,"name":`, 1), strings.Replace(body, `":`, `":1e999999999,"x":`, 1), strings.Replace(body, `":`, `":-0.0,"x":`, 1),
		strings.Replace(body, `":`, `":[[]],"x":`, 1), strings.Replace(body, `":"`, `":"\udc15`, 1), strings.Repeat("x", 100_000), body + body, `[` + body + `]`,
	} {
		ask("POST", list, wrong, "application/json")
		ask("PUT", one, wrong, "application/json")
		ask("PATCH", one, wrong, "application/merge-patch+json")
		ask("POST", list, wrong, "multipart/form-data; boundary=")
		ask("POST", list, wrong, "application/x-www-form-urlencoded;;")
		ask("GET", list, wrong, ";")
	}
	for _, target := range []string{"", "*", "/", "//", base, base + "/", list + "/", list + "/{id}", one + "/x/y/z", list + "/" + strings.Repeat("x", 9000), "http://x" + list, "?limit=-1"} {
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "CONNECT", "TRACE", "PURGE", "get", ""} {
			ask(method, target, "x", "application/json")
		}
	}
	return ""
}

// No request makes a service that others are proven by panic, with whatever fault or freedom.
func TestNoRequestMakesAServicePanic(t *testing.T) {
	sample := func(i int) bool { return !testing.Short() && !skip.RaceDetector || i%8 == 0 }
	animal := `{"name":"Rex","categoryId":1,"status":"available"}`
	all := map[string]variants.Variant{"": {}}
	for _, f := range variants.Faults() {
		all["fault "+f.Name] = f.Variant
	}
	for _, f := range variants.Freedoms() {
		all["freedom "+f.Name] = f.Variant
	}
	i := 0
	for name, v := range all {
		if i++; name != "" && !sample(i) || strings.Contains(name, "slow") {
			continue
		}
		var log bytes.Buffer
		d, err := variants.Build(petstore.Options{Keys: []string{key}, Log: slog.New(slog.NewTextHandler(&log, nil))}, v)
		if err != nil {
			t.Fatal(err)
		}
		if at := send(d.Handler, &log, d.BasePath, "/pets", "/1", animal, "Authorization: Bearer "+key); at != "" {
			t.Errorf("the Petstore, %s: %s", name, at)
		}
		d.Close()
	}
	for i, f := range append(service.Faults(), service.Fault{}) {
		if f.Name != "" && !sample(i) {
			continue
		}
		book := `{"title":"A book","isbn":"9780131103627","price":{"amount":1000,"currency":"EUR"},"author":"A. B."}`
		if at := send(service.New(f.Name), &bytes.Buffer{}, "", "/books", "/1001", book, "X-Staff-Key: "+service.StaffKey, "Authorization: Bearer "+service.CustomerToken); at != "" {
			t.Errorf("the bookshop, %s: %s", f.Name, at)
		}
	}
	for file, collection := range map[string]string{"../../examples/bookshop/openapi.yaml": "/books", "../../spec/petstore/openapi.yaml": "/pets"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		contract, err := openapi.Load(text)
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		s, err := stub.New(contract, stub.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		if at := send(s, &log, "", collection, "/1", animal, "Authorization: Bearer x", "X-Staff-Key: x", "X-Api-Key: x"); at != "" {
			t.Errorf("the stub of %s: %s", file, at)
		}
	}
}
