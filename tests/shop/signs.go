package shop

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed signs.yaml
var signsContract []byte

// SignsContract returns the text of the contract of the signs.
func SignsContract() []byte { return signsContract }

// signs is a service whose changes have to name the state that they mean.
type signs struct {
	variant string
	mu      sync.Mutex
	last    int
	served  int
	all     map[int]*sign
	plates  map[string]map[string]any
}

// sign is one sign, and its lamp.
type sign struct {
	fields  map[string]any
	version int
	lamp    any
	lit     time.Time
}

// NewSigns returns the service with a fault or a freedom; empty for neither.
func NewSigns(variant string) http.Handler {
	s := &signs{variant: variant, last: 10, all: map[int]*sign{}, plates: map[string]map[string]any{}}
	mux := http.NewServeMux()
	for pattern, serve := range map[string]func(*http.Request, http.Header, *sign) (int, any){
		"POST /signs": s.add, "GET /signs/{id}": s.read, "PUT /signs/{id}": s.change, "PATCH /signs/{id}": s.change, "DELETE /signs/{id}": s.remove,
		"GET /plates/{name}": s.readPlate, "PUT /plates/{name}": s.putPlate, "GET /signs/{id}/lamp": s.readLamp, "PUT /signs/{id}/lamp": s.switchLamp,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			status, body := s.serve(r, w.Header(), serve)
			kind := "application/json"
			if status >= 400 {
				w.Header().Set("WWW-Authenticate", "Key")
				kind, body = "application/problem+json", map[string]any{"title": http.StatusText(status), "status": status}
			}
			if body != nil {
				w.Header().Set("Content-Type", kind)
			}
			w.WriteHeader(status)
			if body != nil {
				_ = json.NewEncoder(w).Encode(body)
			}
		})
	}
	return mux
}

func (s *signs) is(variants ...string) bool { return slices.Contains(variants, s.variant) }

// serve lets in, and finds the sign that a request is about.
func (s *signs) serve(r *http.Request, header http.Header, serve func(*http.Request, http.Header, *sign) (int, any)) (int, any) {
	s.served++
	if r.Header.Get("X-Key") != Key {
		return http.StatusUnauthorized, nil
	}
	n, _ := strconv.Atoi(r.PathValue("id"))
	one := s.all[n]
	switch {
	case r.PathValue("id") == "", one != nil:
		return serve(r, header, one)
	case s.is("states-first") && r.Header.Get("If-Match") != "":
		return http.StatusPreconditionFailed, nil
	}
	return http.StatusNotFound, nil
}

// tag is the entity tag of a sign.
func (s *signs) tag(n int, one *sign) string {
	tag := fmt.Sprintf(`"%d.%d"`, n, one.version)
	switch {
	case s.is("weak", "weak-strictly"):
		return "W/" + tag
	case s.is("weak-by-the-minute"):
		return fmt.Sprintf(`W/"%d.%d"`, n, time.Now().Unix()/60)
	case s.is("unquoted"):
		return strings.Trim(tag, `"`)
	}
	return tag
}

// shown returns a sign as responses show it, with its entity tag in the header.
func (s *signs) shown(header http.Header, n int, one *sign) map[string]any {
	out := maps.Clone(one.fields)
	out["id"] = n
	switch {
	case s.is("tag-in-body"):
		out["etag"] = s.tag(n, one)
	case !s.is("tags-seldom") || s.served%2 == 0:
		header.Set("ETag", s.tag(n, one))
	}
	return out
}

// meant refuses a request that does not mean the state that there is; 0 for one that does.
func (s *signs) meant(r *http.Request, n int, one *sign) int {
	named := r.Header.Get("If-Match")
	switch {
	case named == "" && s.is("unconditional-taken"), named == "*", s.is("stale-taken") && named != "":
		return 0
	case named == "" && s.is("missing-400"):
		return http.StatusBadRequest
	case named == "":
		return http.StatusPreconditionRequired
	case named != s.tag(n, one) || s.is("weak-strictly", "any-tag-refused"):
		if s.is("stale-409") {
			return http.StatusConflict
		}
		return http.StatusPreconditionFailed
	}
	return 0
}

func number(r *http.Request) int {
	n, _ := strconv.Atoi(r.PathValue("id"))
	return n
}

func (s *signs) add(r *http.Request, header http.Header, _ *sign) (int, any) {
	fields, ok := object(r)
	if title, _ := fields["title"].(string); !ok || title == "" || !coloured(fields) {
		return http.StatusBadRequest, nil
	}
	s.last++
	s.all[s.last] = &sign{fields: fields, version: 1, lamp: false, lit: time.Now()}
	header.Set("Location", "/signs/"+strconv.Itoa(s.last))
	return http.StatusCreated, s.shown(header, s.last, s.all[s.last])
}

// coloured reports whether the members of a sign are of their types.
func coloured(fields map[string]any) bool {
	for name, v := range fields {
		text, is := v.(string)
		if (name == "title" || name == "note" || name == "colour") && !is || name == "colour" && !slices.Contains([]string{"red", "green", "blue"}, text) || name == "title" && text == "" {
			return false
		}
	}
	return true
}

func (s *signs) read(r *http.Request, header http.Header, one *sign) (int, any) {
	body, known := s.shown(header, number(r), one), r.Header.Get("If-None-Match")
	if known != "" && !s.is("never-304") && (strings.TrimPrefix(known, "W/") == strings.TrimPrefix(s.tag(number(r), one), "W/") || s.is("always-304")) {
		return http.StatusNotModified, nil
	}
	return http.StatusOK, body
}

func (s *signs) change(r *http.Request, header http.Header, one *sign) (int, any) {
	fields, ok := object(r)
	status := s.meant(r, number(r), one)
	if status == 0 && (!ok || !coloured(fields) || r.Method == http.MethodPut && fields["title"] == nil) {
		status = http.StatusPreconditionFailed
	}
	whole := map[string]any{}
	if r.Method == http.MethodPatch {
		whole = maps.Clone(one.fields)
	}
	maps.Copy(whole, fields)
	if status == 0 || s.is("stale-stored") && status == http.StatusPreconditionFailed && ok {
		one.fields = whole
		if !s.is("tag-stays") {
			one.version++
		}
	}
	if status != 0 {
		return status, nil
	}
	return http.StatusOK, s.shown(header, number(r), one)
}

func (s *signs) remove(r *http.Request, _ http.Header, one *sign) (int, any) {
	status := s.meant(r, number(r), one)
	if status == 0 || s.is("stale-stored") && status == http.StatusPreconditionFailed {
		delete(s.all, number(r))
	}
	if status != 0 {
		return status, nil
	}
	return http.StatusNoContent, nil
}

func (s *signs) readLamp(_ *http.Request, header http.Header, one *sign) (int, any) {
	header.Set("Last-Modified", one.lit.UTC().Format(http.TimeFormat))
	return http.StatusOK, map[string]any{"on": one.lamp}
}

func (s *signs) switchLamp(r *http.Request, _ http.Header, one *sign) (int, any) {
	since, err := http.ParseTime(r.Header.Get("If-Unmodified-Since"))
	fields, ok := object(r)
	_, is := fields["on"].(bool)
	switch {
	case r.Header.Get("If-Unmodified-Since") == "":
		return http.StatusPreconditionRequired, nil
	case err != nil || one.lit.Truncate(time.Second).After(since) || !ok || !is:
		return http.StatusPreconditionFailed, nil
	}
	one.lamp, one.lit = fields["on"], time.Now()
	return http.StatusOK, map[string]any{"on": one.lamp}
}

func (s *signs) readPlate(r *http.Request, _ http.Header, _ *sign) (int, any) {
	if plate, there := s.plates[r.PathValue("name")]; there {
		return http.StatusOK, plate
	}
	return http.StatusNotFound, nil
}

func (s *signs) putPlate(r *http.Request, _ http.Header, _ *sign) (int, any) {
	fields, ok := object(r)
	name := r.PathValue("name")
	if !ok || fields["title"] == nil || !coloured(fields) || len(name) > 40 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return http.StatusBadRequest, nil
	}
	_, there := s.plates[name]
	refused := there && r.Header.Get("If-None-Match") == "*"
	if !refused || s.is("plates-replaced", "plates-stored") {
		s.plates[name] = fields
	}
	switch {
	case refused && s.is("plates-409"):
		return http.StatusConflict, nil
	case refused && !s.is("plates-replaced"):
		return http.StatusPreconditionFailed, nil
	case there:
		return http.StatusOK, fields
	}
	return http.StatusCreated, fields
}

// SignFaults returns the faults of the signs, each with a rule that it breaks; some break several.
func SignFaults() []Fault {
	return []Fault{
		{"unconditional-taken", "replaceSign.etag.required"},
		{"unconditional-taken", "removeSign.etag.required"},
		{"any-tag-refused", "replaceSign.etag.current"},
		{"any-tag-refused", "changeSign.etag.current"},
		{"any-tag-refused", "removeSign.etag.current"},
		{"stale-taken", "replaceSign.etag.stale"},
		{"stale-taken", "changeSign.etag.stale"},
		{"stale-taken", "removeSign.etag.stale"},
		{"stale-stored", "replaceSign.refused.unchanged"},
		{"stale-stored", "removeSign.refused.unchanged"},
		{"tag-stays", "replaceSign.etag.changes"},
		{"tag-stays", "changeSign.etag.changes"},
		{"never-304", "readSign.etag.not-modified"},
		{"always-304", "readSign.etag.modified"},
		{"plates-replaced", "putPlate.etag.existing"},
		{"plates-stored", "putPlate.refused.unchanged"},
	}
}

// SignMeanings returns the freedoms of the signs, each with the kinds of rules that it must not break.
func SignMeanings() []Freedom {
	all := []string{"etag.changes", "etag.not-modified", "etag.modified", "etag.stale", "etag.current"}
	return []Freedom{
		{"", append(all, "etag.required", "etag.existing", "etag.shown")},
		{"tags-seldom", append(all, "etag.shown")},
		{"plates-409", []string{"etag.existing", "refused.unchanged"}},
		{"weak", all},
		{"weak-strictly", all},
		{"weak-by-the-minute", all},
		{"tag-in-body", all},
		{"unquoted", all},
		{"states-first", []string{"deleted.again", "refused.unchanged"}},
		{"stale-409", []string{"etag.stale", "refused.unchanged"}},
		{"missing-400", []string{"etag.required"}},
	}
}
