package hostile

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
)

// Echo is a service that returns what was sent, with the secret in a different form and place in each response, and occasionally a response
// that is not valid HTTP.
func Echo(next http.Handler, secret func(*http.Request) string) http.Handler {
	var n atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := httptest.NewRecorder()
		next.ServeHTTP(kept, r)
		sent := secret(r)
		if sent == "" {
			pass(w, kept.Code, kept.Header(), kept.Body.Bytes())
			return
		}
		i := int(n.Add(1))
		forms := FormsInOrder(sent)
		form := forms[i%len(forms)]
		status, body := kept.Code, echoed(i, kept.Code, kept.Body.Bytes(), sent, form)
		header := kept.Header()
		header.Del("Content-Length")
		header.Set("X-Echo", strings.Map(withoutControls, form))
		header.Set("X-"+hex.EncodeToString([]byte(sent)), "1")
		header.Add("Set-Cookie", "session="+url.QueryEscape(sent)+"; Path=/")
		header.Set("WWW-Authenticate", `Bearer error="`+url.QueryEscape(sent)+`"`)
		switch {
		case i%13 == 0:
			status = http.StatusFound
			header.Set("Location", "/login?key="+url.QueryEscape(sent))
		case i%17 == 0:
			header.Set("Content-Type", "text/"+url.QueryEscape(sent))
		case i%101 == 50 && r.Method == http.MethodGet:
			rudely(w, form, sent, i)
			return
		}
		pass(w, status, header, body)
	})
}

func pass(w http.ResponseWriter, status int, header http.Header, body []byte) {
	maps.Copy(w.Header(), header)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// echoed returns a body with the secret, if it is the turn of one.
func echoed(i, status int, body []byte, sent, form string) []byte {
	var fields map[string]any
	isObject := json.Unmarshal(body, &fields) == nil
	switch {
	case status >= 400 && i%2 == 0: // the raw form, which may not be JSON here
		return fmt.Appendf(nil, `{"code":"%s","message":"no such key: %s","status":%d,"%s":1}`, form, form, status, form)
	case status >= 400:
		text, _ := json.Marshal(map[string]any{"code": sent, "message": "no such key: " + form, "status": status, form: form})
		return text
	case i%7 == 0:
		return fmt.Appendf(nil, `[{"id": 1, "name": "%s"`, form)
	case i%11 == 0: // not UTF-8, so records store it in base64
		return append([]byte("\xff\xfe "), form...)
	case i%19 == 0: // across the places where records cut
		return fmt.Appendf(nil, `"%s%s%s%s"`, strings.Repeat("a", 4096-2-len(sent)/2), sent, strings.Repeat("b", 256<<10-4096-len(sent)), sent)
	case isObject && i%5 == 0:
		fields["status"], fields["name"] = form, sent
		text, _ := json.Marshal(fields)
		return text
	}
	return body
}

// rudely sends what is not HTTP: transports quote it.
func rudely(w http.ResponseWriter, form, sent string, i int) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	form = strings.Map(withoutControls, form)
	texts := []string{
		"HTTP/1.1 20" + form + " OK\r\n\r\n", form + "\r\n\r\n", "HTTP/1.1 200 OK\r\n" + form + "\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: " + sent + "\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + sent + "\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + form + "\r\n",
	}
	_, _ = conn.Write([]byte(texts[i/101%len(texts)]))
}
