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

// Faulty breaks a service in four ways: lists ignore their limit, an animal's name is shouted when it is read alone, what is
// not found says so under 410, and errors have no message.
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

// Evil are texts that harm whoever shows them raw: HTML, a terminal's escape sequences, marks that turn the direction of
// writing, the ends of what they may stand in, and secrets that look like a key's mask.
const Evil = `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">` +
	"\x1b]0;owned\x07\x1b[2J\u202eevil\u2066" + `]]></failure>&amp;'"` + "```\n::error::owned\n| a | b |\n" + `{{.}}</textarea></pre><!--`

// malicious is a service that answers whatever is wrong with a hostile message and another status, and puts hostile text into
// headers as far as HTTP allows it.
func malicious(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		body := answer.Body.Bytes()
		if answer.Code >= 400 {
			var evil bytes.Buffer
			enc := json.NewEncoder(&evil)
			enc.SetEscapeHTML(false) // or it would be harmless
			_ = enc.Encode(Evil)     // a string always can be
			body = []byte(`{"code":` + strconv.Quote("<b>"+strconv.Itoa(answer.Code)) + `,"message":` + evil.String() + `}`)
		}
		if answer.Code == http.StatusNotFound {
			answer.Code = http.StatusTeapot
		}
		answer.Header().Set("X-Evil", `<script>document.title='owned'</script>"'`)
		send(w, answer, body)
	})
}

// send passes a response on with another body.
func send(w http.ResponseWriter, answer *httptest.ResponseRecorder, body []byte) {
	maps.Copy(w.Header(), answer.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(answer.Code)
	_, _ = w.Write(body) // who asked may have gone
}
