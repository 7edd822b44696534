package wire

import (
	"maps"
	"strings"
	"testing"
)

func TestTemplate(t *testing.T) {
	tests := []struct {
		path  string
		texts map[string]string
		want  string // or the error, after "! "
	}{
		{"/", nil, "/"},
		{"/a/{x}.{y}", map[string]string{"x": "1", "y": "json"}, "/a/1.json"},
		{"/{a}:{b}", map[string]string{"a": "1", "b": "2"}, "/1:2"},
		{"/{a}{b}", map[string]string{"a": "1", "b": "23"}, "/123"},
		{"/v1/{x}:cancel", map[string]string{"x": "a%2Fb"}, "/v1/a%2Fb:cancel"},
		{"/a b/ü/%41/%/{x}/", map[string]string{"x": "1"}, "/a%20b/%C3%BC/%41/%25/1/"},
		{"/a{x}", map[string]string{"x": ";x=1;x=2"}, "/a;x=1;x=2"},
		{"/{x}", map[string]string{"x": ""}, "! the path parameter x is empty"},
		{"/{x}", nil, "! there is no value for the path parameter x"},
		{"/{x}", map[string]string{"x": ".."}, `! clients and servers remove a path segment that is ".."`},
		{"/a.{x}", map[string]string{"x": "."}, "/a.."},
		{"/.{x}/b", map[string]string{"x": "."}, `! clients and servers remove a path segment that is ".."`},
		{"a/{x}", nil, `! character 1 of "a/{x}": the path does not begin with "/"`},
		{"/{x", nil, `! character 2 of "/{x": a "{" has no "}"`},
		{"/{x/{y}", nil, `! character 2 of "/{x/{y}": a "{" has no "}"`},
		{"/x}", nil, `! character 3 of "/x}": a "}" has no "{"`},
		{"/{}", nil, `! character 2 of "/{}": a parameter has no name`},
		{"/a#b", nil, `! character 3 of "/a#b": the path holds a fragment`},
	}
	for _, test := range tests {
		template, err := ParseTemplate(test.path)
		var got string
		if err == nil {
			got, err = template.Fill(test.texts)
		}
		if why, ok := strings.CutPrefix(test.want, "! "); ok {
			if err == nil || !strings.HasPrefix(err.Error(), why) {
				t.Errorf("%s: %q, %v, want the error %q", test.path, got, err, why)
			}
			continue
		}
		if err != nil || got != test.want {
			t.Errorf("%s: %q, %v, want %q", test.path, got, err, test.want)
		}
		texts, ok := template.Match(got)
		if !ok || !maps.Equal(texts, test.texts) {
			t.Errorf("%s: %q is taken apart into %v", test.path, got, texts)
		}
	}
}

func TestTemplateDoesNotMatch(t *testing.T) {
	for path, others := range map[string][]string{
		"/a/{x}":     {"/a", "/a/", "/b/1", "/a/1/2", "/a/1/", ""},
		"/a/{x}/b":   {"/a/1", "/a//b", "/a/1/b/", "/a/1/c"},
		"/{x}.{y}":   {"/a", "/a.", "/.a/b"},
		"/{x}/{x}":   {"/a/b"},
		"/{x}:do":    {"/:do", "/a:done"},
		"/a/{x}{y}b": {"/a/b", "/a/1b", "/a/"},
	} {
		template, err := ParseTemplate(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range others {
			if texts, ok := template.Match(other); ok {
				t.Errorf("%s matches %q: %v", path, other, texts)
			}
		}
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("/a/{x}.{y}", "/a/1.2")
	f.Add("/{x", "/")
	f.Add("/{x}{y}", "/é")
	f.Fuzz(func(t *testing.T, path, other string) {
		template, err := ParseTemplate(path)
		if err != nil {
			return
		}
		if texts, ok := template.Match(other); ok {
			if filled, err := template.Fill(texts); err == nil && filled != other {
				t.Fatalf("%q matches %q, but is filled to %q", path, other, filled)
			}
		}
	})
}
