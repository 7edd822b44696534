package shop

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// whole reads a whole number within bounds.
func whole(text string, low, high int64) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n >= low && n <= high
}

var (
	uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	code = regexp.MustCompile(`^[A-Z]{2}[0-9]{3}$`)
)

// parameters checks the parameters of a search one by one, those that are there.
func (s *service) parameters() map[string]func(string) bool {
	return map[string]func(string) bool{
		"q": func(t string) bool {
			n := utf8.RuneCountInString(t)
			return n > 0 && n <= 8
		},
		"sizes": s.sizes,
		"colours": func(t string) bool {
			all := strings.Fields(t)
			return len(all) >= 2 && !slices.ContainsFunc(all, func(one string) bool { return one != "red" && one != "blue" && !s.is("colour-unchecked") }) || s.is("colours-too-few-accepted")
		},
		"where": s.where,
		"since": func(t string) bool {
			_, err := time.Parse(time.DateOnly, t)
			return err == nil || s.is("date-unchecked")
		},
		"at": func(t string) bool {
			_, err := time.Parse(time.RFC3339Nano, strings.ToUpper(t))
			return err == nil || s.is("date-time-unchecked")
		},
		"trace": func(t string) bool { return uuid.MatchString(t) || s.is("uuid-unchecked") },
		"address": func(t string) bool {
			a, err := netip.ParseAddr(t)
			return err == nil && a.Is4() || s.is("ipv4-unchecked")
		},
		"code": func(t string) bool { return code.MatchString(t) || s.is("pattern-unchecked") },
		"step": func(t string) bool {
			n, err := strconv.ParseFloat(t, 64)
			return err == nil && (n > 0 || s.is("step-zero-accepted") && n == 0) && (math.Mod(n, 0.25) == 0 || s.is("multiple-unchecked"))
		},
		"deep": func(t string) bool { return t == "true" || t == "false" || s.is("boolean-unchecked") },
		"offset": func(t string) bool {
			return whole(t, math.MinInt64, math.MaxInt64) || s.is("int64-unchecked") && t == "9223372036854775808" || s.is("int64-cut-off") && t == "18446744073709551617"
		},
	}
}

func (s *service) sizes(t string) bool {
	all := strings.Split(t, "|")
	for i, one := range all {
		if !whole(one, math.MinInt64, math.MaxInt64) || slices.Contains(all[:i], one) && !s.is("sizes-repeated-accepted") {
			return false
		}
	}
	return true
}

func (s *service) where(t string) bool {
	var v map[string]any
	if json.Unmarshal([]byte(t), &v) != nil || v == nil {
		return false
	}
	_, is := v["near"].(bool)
	return is || s.is("where-unchecked")
}

func (s *service) search(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	wrong := ""
	if !q.Has("q") && !s.is("q-missing-accepted") {
		wrong = "q"
	}
	checks := s.parameters()
	from := false
	for name, values := range q {
		if member, deep := strings.CutPrefix(name, "filter["); deep {
			from = from || member == "from]"
			switch {
			case s.is("filter-unchecked"):
			case member == "from]" && whole(values[0], 0, math.MaxInt64), member == "to]" && whole(values[0], math.MinInt64, 9):
			default:
				wrong = name
			}
			continue
		}
		if check, known := checks[name]; known && !check(values[0]) {
			wrong = name
		}
	}
	if strings.Contains(r.URL.RawQuery, "filter") && !from && !s.is("filter-unchecked") {
		wrong = "filter"
	}
	if page := r.Header.Get("X-Page"); len(r.Header.Values("X-Page")) > 0 && !whole(page, 1, math.MaxInt32) && !s.is("page-header-unchecked") {
		wrong = "X-Page"
	}
	if c, err := r.Cookie("theme"); err == nil && c.Value != "dark" && c.Value != "light" && !s.is("cookie-unchecked") {
		wrong = "theme"
	}
	if s.is("dark-refused") && wrong == "" && strings.Contains(r.Header.Get("Cookie"), "light") {
		wrong = "theme"
	}
	if wrong != "" {
		status := 400
		if s.is("refuses-404") {
			status = 404
		}
		s.refuse(w, status, wrong)
		return
	}
	s.answer(w, 200, s.tree())
}

func (s *service) logIn(w http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	form, err := url.ParseQuery(string(data))
	user, level := form.Get("user"), form.Get("level")
	n := utf8.RuneCountInString(user)
	switch {
	case err != nil, !form.Has("user") && !s.is("form-user-missing-accepted"), form.Has("user") && n < 2 && !s.is("form-short-accepted"), n > 10,
		form.Has("level") && !whole(level, 1, 3) && !s.is("form-level-unchecked"), level == "3" && s.is("form-level-refused"),
		form.Has("remember") && !slices.Contains([]string{"true", "false"}, form.Get("remember")) && !s.is("form-boolean-unchecked"):
		s.refuse(w, 422, "form")
		return
	}
	groups := "staff,guest"
	if s.is("groups-unknown") {
		groups = "staff,admin"
	}
	w.Header().Set("X-Groups", groups)
	w.WriteHeader(204)
}

func (s *service) addPhoto(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseMultipartForm(1 << 20); err != nil && !s.is("multipart-unread") { //nolint:gosec // a service of tests, asked by tests alone
		s.refuse(w, 400, "no multipart body")
		return
	}
	var title, rank string
	image := false
	if r.MultipartForm != nil {
		if t := r.MultipartForm.Value["title"]; len(t) > 0 {
			title = t[0]
		}
		if t := r.MultipartForm.Value["rank"]; len(t) > 0 {
			rank = t[0]
		}
		_, text := r.MultipartForm.Value["image"]
		image = text || len(r.MultipartForm.File["image"]) > 0
	}
	_, titled := map[bool]int{true: 1}[r.MultipartForm != nil && len(r.MultipartForm.Value["title"]) > 0]
	switch {
	case s.is("multipart-unread"):
	case !image && !s.is("file-missing-accepted"), !titled && !s.is("part-missing-accepted"), utf8.RuneCountInString(title) > 10 && !s.is("part-long-accepted"),
		rank != "" && !whole(rank, 1, math.MaxInt64):
		s.refuse(w, 400, "photo")
		return
	}
	if !s.is("photo-nowhere") {
		w.Header().Set("Location", map[bool]string{true: "/elsewhere/1", false: "/photos/1"}[s.is("photo-elsewhere")])
	}
	w.Header().Set("Content-Type", "application/x-www-form-urlencoded")
	w.WriteHeader(201)
	_, _ = io.WriteString(w, map[bool]string{true: "id=one&title=x", false: "id=1&title=x"}[s.is("form-id-text")])
}

func (s *service) addNote(w http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	if n := utf8.RuneCount(data); n < 1 && !s.is("note-empty-accepted") || n > 12 && !s.is("note-long-accepted") || n == 12 && s.is("note-longest-refused") {
		s.refuse(w, 400, "note")
		return
	}
	w.Header().Set("Content-Type", "text/markdown")
	if !s.is("note-empty") {
		_, _ = w.Write(append([]byte("* "), data...))
	}
}

func (s *service) addBlob(w http.ResponseWriter, r *http.Request) {
	n, _ := io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/vnd.shop+json")
	w.WriteHeader(207)
	_, _ = fmt.Fprintf(w, `{"size":%s}`, map[bool]string{true: `"much"`, false: strconv.FormatInt(n, 10)}[s.is("blob-size-text")])
}

func (s *service) tryLayout(w http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if len(data) == 0 {
		s.answer(w, 200, map[string]any{"mode": "slow"})
		return
	}
	var v map[string]any
	err := json.Unmarshal(data, &v)
	switch {
	case media == "application/merge-patch+json" && s.is("merge-patch-refused"):
		s.refuse(w, 415, "media type")
	case !strings.HasSuffix(media, "json") && s.is("media-type-crashes"):
		s.refuse(w, 500, "media type")
	case err != nil || v == nil:
		s.refuse(w, 400, "body")
	default:
		if err := s.layout(v); err != nil {
			s.refuse(w, 400, err.Error())
			return
		}
		s.answer(w, 200, map[string]any{"mode": "slow"})
	}
}

func (s *service) layout(v map[string]any) error {
	if len(v) == 0 && !s.is("no-members-accepted") || len(v) > 5 && !s.is("many-members-accepted") {
		return errors.New("count")
	}
	for name, one := range v {
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != "" && !s.is("names-unchecked") || name == "" && !s.is("names-unchecked") {
			return errors.New("name")
		}
		switch name {
		case "width", "height":
			if n, is := one.(float64); !is || n != math.Trunc(n) || n < 1 || n > 100 {
				return errors.New(name)
			}
		case "mode":
			if one != "slow" && one != "fast" {
				return errors.New(name)
			}
		case "shape":
			if err := s.shape(one); err != nil {
				return err
			}
		}
	}
	_, wide := v["width"]
	if _, high := v["height"]; wide && !high && !s.is("dependency-unchecked") {
		return errors.New("height")
	}
	return nil
}

func (s *service) shape(one any) error {
	v, is := one.(map[string]any)
	kind, _ := v["kind"].(string)
	name := map[string]string{"circle": "radius", "square": "side"}[kind]
	if !is || name == "" && !s.is("discriminator-unchecked") {
		return errors.New("shape")
	}
	if name == "" {
		return nil
	}
	if s.is("square-refused") && name == "side" {
		return errors.New("side")
	}
	if n, is := v[name].(float64); !is || n != math.Trunc(n) || n <= 0 && !s.is("nested-unchecked") {
		return errors.New(name)
	}
	return nil
}

// encode is base64.
func encode(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
