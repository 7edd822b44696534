package service

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// changed returns a response as a variant changes it: a fault where it names the operation, a freedom where it names none.
func (s *Service) changed(a *asked, out reply) reply {
	if effect, is := strings.CutPrefix(s.variant, a.operation.name+"."); is {
		return broken(a, effect, out)
	}
	switch s.variant {
	case "members-added":
		if o, is := out.body.(map[string]any); is {
			o = maps.Clone(o)
			o["x-shop"], o["_links"] = "harbour", map[string]any{"self": "/"}
			out.body = o
		}
	case "charset-named":
		if strings.HasPrefix(out.kind, "application/") {
			out.kind += "; charset=utf-8"
		}
	case "media-in-capitals":
		out.kind = strings.ToUpper(out.kind)
	case "whole-numbers-with-a-point":
		if out.text == nil && out.body != nil {
			out.text = bytes.ReplaceAll(encoded(out.body, ""), []byte(`"pages":90,`), []byte(`"pages":90.0,`))
			out.text = bytes.ReplaceAll(out.text, []byte(`"stars":5,`), []byte(`"stars":5.0,`))
		}
	case "problems-plain":
		if o, is := out.body.(map[string]any); is && out.kind == problemType {
			out.body = map[string]any{"title": o["title"], "status": o["status"]}
		}
	case "gateway":
		for name, value := range map[string]string{"Via": "1.1 edge", "Server": "edge/3", "X-Request-Id": strconv.Itoa(s.served), "Strict-Transport-Security": "max-age=63072000", "Vary": "Accept, Origin"} {
			out.header.Set(name, value)
		}
	case "slow":
		time.Sleep(4 * time.Millisecond)
	}
	return out
}

// broken returns a response with a fault.
func broken(a *asked, effect string, out reply) reply {
	success, object := out.status/100 == 2, map[string]any(nil)
	if o, is := out.body.(map[string]any); is {
		object = maps.Clone(o)
	}
	name, member, _ := strings.Cut(effect, ":")
	switch {
	case success && (name == "crashes" || name == "crashes-at-accents" && accents(a)):
		return a.refused(http.StatusInternalServerError, "something broke")
	case success && name == "succeeds-oddly":
		out.status = http.StatusMultiStatus
	case success && name == "html":
		out.kind = "text/html"
	case success && name == "untyped":
		out.kind = ""
	case success && name == "cut" && out.body != nil:
		text := bytes.TrimSpace(encoded(out.body, ""))
		out.text = text[:len(text)-1]
	case success && name == "empty":
		out.body, out.text = nil, []byte{}
		out.header.Set("Content-Type", out.kind)
	case success && name == "wrapped":
		out.body = []any{map[string]any{"data": out.body}}
	case success && name == "drops" && object != nil:
		delete(object, member)
		out.body = object
	case success && name == "nulls" && object != nil:
		object[member] = nil
		out.body = object
	case success && name == "texts" && object != nil:
		object[member] = fmt.Sprint(object[member], " pieces")
		out.body = object
	case success && name == "first-drops":
		out.body = firstChanged(out.body, func(o map[string]any) { delete(o, member) })
	case success && name == "first-texts":
		out.body = firstChanged(out.body, func(o map[string]any) { o[member] = fmt.Sprint(o[member], " pieces") })
	case success && name == "header-missing":
		out.header.Del(member)
	case success && name == "header-odd":
		out.header.Set(member, "odd")
	case success && name == "no-location":
		out.header.Del("Location")
	case success && name == "repeats" && out.body != nil:
		out.text = bytes.Replace(encoded(out.body, ""), []byte("{"), []byte(`{"`+member+`":"other",`), 1)
	case success && name == "most-is-418" && a.URL.Query().Get(member) == "50":
		return a.refused(http.StatusTeapot, "that is a lot")
	case success && name == "refuses-one" && a.URL.Query().Get("limit") == "1", success && name == "refuses-cookie" && a.Header.Get("Cookie") != "":
		return a.refused(http.StatusBadRequest, "not that one")
	case out.status == http.StatusUnauthorized && name == "no-challenge":
		out.header.Del("WWW-Authenticate")
	case out.status == http.StatusUnauthorized && name == "401-as":
		status, _ := strconv.Atoi(member)
		out.status, out.body = status, map[string]any{"title": "No", "status": status}
	case out.status == http.StatusNotFound && name == "404-as":
		status, _ := strconv.Atoi(member)
		out.status, out.body = status, map[string]any{"title": "No", "status": status}
	case (out.status == 400 || out.status == 422) && name == "refuses-as":
		status, _ := strconv.Atoi(member)
		out.status, out.body = status, map[string]any{"title": "No", "status": status}
	case out.status >= 400 && name == "problem-of-another-status" && object != nil:
		object["status"] = 499
		out.body = object
	case out.status >= 400 && name == "problem-untitled" && object != nil:
		delete(object, "title")
		out.body = object
	case out.status >= 400 && name == "places-unnamed" && object != nil:
		delete(object, "errors")
		out.body = object
	case out.status >= 400 && name == "places-of-the-body" && object != nil && object["errors"] != nil:
		object["errors"] = []any{map[string]any{"at": "body"}}
		out.body = object
	case out.status >= 400 && name == "problem-as-text":
		out.kind, out.text = "text/plain", []byte("no")
	case a.Method == http.MethodHead && name == "head-crashes":
		return a.refused(http.StatusInternalServerError, "something broke")
	}
	return out
}

// accents reports whether the body of a request holds more than ASCII.
func accents(a *asked) bool {
	return bytes.ContainsFunc(a.text, func(r rune) bool { return r > unicode.MaxASCII })
}

// firstChanged returns a list, or an object that holds one, whose first item is changed.
func firstChanged(body any, change func(map[string]any)) any {
	first := func(all []any) []any {
		if len(all) > 0 {
			if o, is := all[0].(map[string]any); is {
				o = maps.Clone(o)
				change(o)
				return append([]any{o}, all[1:]...)
			}
		}
		return all
	}
	switch b := body.(type) {
	case []any:
		return first(b)
	case map[string]any:
		b = maps.Clone(b)
		for name, value := range b {
			if all, is := value.([]any); is {
				b[name] = first(all)
			}
		}
		return b
	}
	return body
}

// gateway answers what does not reach an operation, in the way of a variant; false where it has none.
func (s *Service) gateway(w http.ResponseWriter, r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	refuse := func(status int) bool {
		a := &asked{Request: r, shop: s}
		a.refused(status, "not here").write(w, "")
		return true
	}
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	onlyWritten := r.URL.Path == "/newsletter" || r.URL.Path == "/reports"
	switch {
	case r.Method == http.MethodHead && s.is("head-405"):
		w.Header().Set("Allow", "GET")
		return refuse(http.StatusMethodNotAllowed)
	case reads && onlyWritten && s.is("404-for-methods"):
		return refuse(http.StatusNotFound)
	case reads && r.URL.Path == "/newsletter" && s.is("subscribe.page-for-all"):
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<p>Subscribe!</p>"))
		return true
	case reads && r.URL.Path == "/reports" && s.is("startReport.no-allow"):
		return refuse(http.StatusMethodNotAllowed)
	case s.is("busy-now-and-then"):
		if s.served++; s.served%97 == 0 {
			w.Header().Set("Retry-After", "0")
			return refuse(http.StatusTooManyRequests)
		}
	}
	return false
}
