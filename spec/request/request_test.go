package request_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
)

// operation is one with parameters in all places, and a body of two media types.
func operation() *spec.Operation {
	str := &spec.Schema{Types: []string{"string"}, Type: "string"}
	list := &spec.Schema{Types: []string{"array"}, Type: "array", Items: &spec.Edge{Schema: str}}
	return &spec.Operation{
		ID: "op", Method: "POST", Path: "/a/{x}.{y}/b",
		Parameters: []spec.Parameter{
			{Name: "x", In: "path", Required: true, Style: "simple", Edge: spec.Edge{Schema: str}},
			{Name: "y", In: "path", Required: true, Style: "simple", Edge: spec.Edge{Schema: str}},
			{Name: "q", In: "query", Style: "form", Edge: spec.Edge{Schema: list}},
			{Name: "X-H", In: "header", Style: "simple", Edge: spec.Edge{Schema: str}},
			{Name: "c", In: "cookie", Style: "form", Edge: spec.Edge{Schema: str}},
		},
		Body: &spec.RequestBody{Content: []spec.Media{{Type: "application/json"}, {Type: "application/x-www-form-urlencoded"}}},
	}
}

func at(in, name string) request.Place { return request.Place{In: in, Name: name} }

func TestWrite(t *testing.T) {
	r := request.New(operation()).With(at("path", "x"), "1/2").With(at("path", "y"), "ž").With(at("query", "q"), []any{"a b", "c"}).
		With(at("header", "X-H"), "h").With(at("cookie", "c"), "v").WithBody("application/json", map[string]any{"n": json.Number("9007199254740993")})
	w, err := r.Write("-")
	if err != nil {
		t.Fatal(err)
	}
	query, _ := url.QueryUnescape(w.Query)
	if w.Method != "POST" || w.Path != "/a/1%2F2.%C5%BE/b" || query != "q=a b,c" || w.Header.Get("X-H") != "h" || w.Cookie != "c=v" ||
		string(w.Body) != `{"n":9007199254740993}` || w.MediaType != "application/json" {
		t.Errorf("written is %+v, body %s", w, w.Body)
	}
	plain, err := r.Without(at("query", "q")).WithoutBody().Write("-")
	if err != nil || plain.Query != "" || plain.Body != nil || plain.MediaType != "" {
		t.Errorf("without query and body: %+v, %v", plain, err)
	}
	if again, err := r.Write("-"); err != nil || again.Query != w.Query || again.Body == nil {
		t.Errorf("the request was changed by another one that was made of it: %+v, %v", again, err)
	}
	raw, err := r.WithRaw([]byte("{")).Write("-")
	if err != nil || string(raw.Body) != "{" || raw.MediaType != "application/json" {
		t.Errorf("raw: %+v, %v", raw, err)
	}
	form, err := r.WithBody("application/x-www-form-urlencoded", map[string]any{"a": "b c"}).Write("-")
	if err != nil || string(form.Body) != "a=b+c" && string(form.Body) != "a=b%20c" {
		t.Errorf("form: %s, %v", form.Body, err)
	}
	if _, err := r.With(at("header", "X-H"), "line\nbreak").Write("-"); err == nil {
		t.Error("a header holds a line break")
	}
}

// What no URL may contain is escaped in the fixed text of a path; what is escaped there already stays as it is.
func TestWriteAPathThatIsNoURL(t *testing.T) {
	op := operation()
	op.Path = "/\x1b[31m\u202e/a%2Fb/100%/%zz/{x}/\x7f%"
	w, err := request.New(op).With(at("path", "x"), "1").Write("-")
	if want := "/%1B[31m\u202e/a%2Fb/100%25/%25zz/1/%7F%25"; err != nil || w.Path != want {
		t.Errorf("the path is %q, %v; want %q", w.Path, err, want)
	}
	if _, err := url.Parse("http://service.test" + w.Path); err != nil {
		t.Error(err)
	}
}

func TestChangingABody(t *testing.T) {
	r := request.New(operation()).WithBody("application/json", map[string]any{"a": []any{json.Number("1"), map[string]any{"b": "c"}}})
	body := func(r request.Request, err error) string {
		if err != nil {
			return err.Error()
		}
		w, err := r.Write("-")
		if err != nil {
			return err.Error()
		}
		return string(w.Body)
	}
	for _, test := range []struct {
		got, want string
	}{
		{body(r.WithBodyAt("/a/1/b", true)), `{"a":[1,{"b":true}]}`},
		{body(r.WithBodyAt("/a/2", nil)), `{"a":[1,{"b":"c"},null]}`},
		{body(r.WithBodyAt("/x", "y")), `{"a":[1,{"b":"c"}],"x":"y"}`},
		{body(r.WithoutBodyAt("/a/0")), `{"a":[{"b":"c"}]}`},
		{body(r.WithoutBodyAt("/a/1/b")), `{"a":[1,{}]}`},
		{body(r.WithBodyAt("/none/b", 1)), "the body of the request of op has no place /none/b: there is no member none"},
		{body(r.WithoutBody().WithBodyAt("/a", 1)), "the request of op has no body, so /a cannot be changed"},
		{body(r, nil), `{"a":[1,{"b":"c"}]}`},
	} {
		if test.got != test.want {
			t.Errorf("%s, want %s", test.got, test.want)
		}
	}
}

func TestEqual(t *testing.T) {
	r := request.New(operation()).With(at("path", "x"), "1").With(at("path", "y"), "2")
	if !r.Equal(r.With(at("path", "x"), "1")) || r.Equal(r.With(at("path", "x"), "3")) || r.Equal(r.WithBody("application/json", nil)) {
		t.Error("requests are not compared by what they send")
	}
}
