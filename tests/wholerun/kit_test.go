package wholerun_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/tests/shop"
)

// oneAtATime serves requests one after another.
func oneAtATime(next http.Handler) http.Handler {
	var mu sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

// behindKey is oneAtATime for requests with [shop.Key], and rejects those without.
func behindKey(next http.Handler) http.Handler {
	return oneAtATime(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != shop.Key {
			w.Header().Set("WWW-Authenticate", "Key")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// show writes a value as JSON.
func show(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// byNumber returns the index of the resource that {id} in the path names, of n that are numbered from 1. If there is none, it responds 404.
func byNumber(w http.ResponseWriter, r *http.Request, n int) (index int, ok bool) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || id < 1 || id > n {
		w.WriteHeader(http.StatusNotFound)
		return 0, false
	}
	return id - 1, true
}

// sentText returns the member of a body with a name: a text of 1 to 80 characters. If there is none, it responds 400.
func sentText(w http.ResponseWriter, r *http.Request, name string) (text string, ok bool) {
	var o map[string]any
	err := json.NewDecoder(r.Body).Decode(&o)
	text, ok = o[name].(string)
	if err != nil || !ok || text == "" || utf8.RuneCountInString(text) > 80 {
		w.WriteHeader(http.StatusBadRequest)
		return "", false
	}
	return text, true
}
