package sample

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
)

// Faulty breaks a service in four ways: lists ignore their limit, an animal's name is in capitals when read individually, unknown ids get
// 410, and errors have no message.
func Faulty(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		alone := r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/pets/")
		if r.URL.Query().Has("limit") && validLimit(r.URL.Query().Get("limit")) {
			query := r.URL.Query()
			query.Set("limit", "100")
			r = r.Clone(r.Context())
			r.URL.RawQuery = query.Encode()
		}
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		body := answer.Body.Bytes()
		if alone && answer.Code == http.StatusOK {
			body = bytes.Replace(body, []byte("hallmark"), []byte("HALLMARK"), 1)
		}
		if answer.Code >= 400 {
			body = bytes.Replace(body, []byte(`"message"`), []byte(`"text"`), 1)
		}
		if answer.Code == http.StatusNotFound {
			answer.Code = http.StatusGone
		}
		send(w, answer, body)
	})
}

func validLimit(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 1 && n <= 100
}

// Evil is text that harms whoever displays it raw: HTML, terminal escape sequences, characters that change the writing direction, the ends
// of what may surround it, and secrets that look like a masked key.
const Evil = `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">` +
	"\x1b]0;owned\x07\x1b[2J\u202eevil\u2066" + `]]></failure>&amp;'"` + "```\n::error::owned\n| a | b |\n" + `{{.}}</textarea></pre><!--`

// malicious is a service that responds to invalid requests with a hostile message and another status, and puts hostile text into headers as
// far as HTTP allows.
func malicious(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		body := answer.Body.Bytes()
		if answer.Code >= 400 {
			var evil bytes.Buffer
			enc := json.NewEncoder(&evil)
			enc.SetEscapeHTML(false) // otherwise it would be harmless
			_ = enc.Encode(Evil)     // strings can always be encoded
			body = []byte(`{"code":` + strconv.Quote("<b>"+strconv.Itoa(answer.Code)) + `,"message":` + evil.String() + `}`)
		}
		if answer.Code == http.StatusNotFound {
			answer.Code = http.StatusTeapot
		}
		answer.Header().Set("X-Evil", `<script>document.title='owned'</script>"'`)
		send(w, answer, body)
	})
}

// send sends a response with another body.
func send(w http.ResponseWriter, answer *httptest.ResponseRecorder, body []byte) {
	maps.Copy(w.Header(), answer.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(answer.Code)
	_, _ = w.Write(body) // the client may be gone
}
