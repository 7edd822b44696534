package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSerializeBody(t *testing.T) {
	no := false
	tests := []struct {
		media, value string
		o            BodyOptions
		want         string // or the error, after "! "
	}{
		{"application/json", `{"b":1.0,"a":["<&>",null,true,9007199254740993]}`, BodyOptions{}, `{"a":["<&>",null,true,9007199254740993],"b":1.0}`},
		{"application/merge-patch+json", `{"a":null}`, BodyOptions{}, `{"a":null}`},
		{"application/json-patch+json", `[{"op":"remove","path":"/a"}]`, BodyOptions{}, `[{"op":"remove","path":"/a"}]`},
		{"application/json", `"\u0000\u2028"`, BodyOptions{}, `"\u0000\u2028"`},
		{"application/x-ndjson", `[{"a":1},2]`, BodyOptions{}, "{\"a\":1}\n2\n"},
		{"application/json-seq", `[1,{}]`, BodyOptions{}, "\x1e1\n\x1e{}\n"},
		{"text/plain", `"a\nb"`, BodyOptions{}, "a\nb"},
		{"text/plain", `1.50`, BodyOptions{}, "1.50"},
		{"text/plain", `{}`, BodyOptions{}, "! an array, an object or null cannot be written as plain text"},
		{"application/octet-stream", `"abc"`, BodyOptions{}, "abc"},
		{"image/png", `[1]`, BodyOptions{}, "! an array"},
		{"application/xml", `{}`, BodyOptions{}, "! without a schema the names"},
		{"application/yaml", `{"a":1}`, BodyOptions{}, `{"a":1}`},
		{"application/cbor", `{}`, BodyOptions{}, "! hallmark does not support values as application/cbor"},
		{"application/*", `{}`, BodyOptions{}, "! application/* is a range and cannot be sent"},
		{"json", `{}`, BodyOptions{}, `! "json" is not a media type: it has no slash`},
		{"application/x-www-form-urlencoded", `[]`, BodyOptions{}, "! a form can only carry an object"},
		// OpenAPI 3.1.1, section 4.8.15.1.1, "URL Encoded Form with JSON Values"
		{"application/x-www-form-urlencoded", `{"id":"f81d4fae-7dec-11d0-a765-00a0c91e6bf6","address":{"streetAddress":"123 Example Dr.","city":"Somewhere","state":"CA","zip":"99999+1234"}}`,
			BodyOptions{}, "address=%7B%22city%22%3A%22Somewhere%22%2C%22state%22%3A%22CA%22%2C%22streetAddress%22%3A%22123+Example+Dr.%22%2C%22zip%22%3A%2299999%2B1234%22%7D" +
				"&id=f81d4fae-7dec-11d0-a765-00a0c91e6bf6"},
		{"application/x-www-form-urlencoded", `{"a":["x y","z"],"b":true,"c":null,"d":[],"e":""}`, BodyOptions{}, "a=x+y&a=z&b=true&e="},
		{"application/x-www-form-urlencoded", `{"a":["x","y"]}`, BodyOptions{Encoding: map[string]Encoding{"a": {Explode: &no}}}, "a=x,y"},
		{"application/x-www-form-urlencoded", `{"a":["x","y"]}`, BodyOptions{Encoding: map[string]Encoding{"a": {Style: PipeDelimited}}}, "a=x%7Cy"},
		{"application/x-www-form-urlencoded", `{"a":["x","y"]}`, BodyOptions{Encoding: map[string]Encoding{"a": {ContentType: "application/json"}}}, "a=%5B%22x%22%2C%22y%22%5D"},
		{"application/x-www-form-urlencoded", `{"a":[{"b":1},{"b":2}]}`, BodyOptions{}, "a=%7B%22b%22%3A1%7D&a=%7B%22b%22%3A2%7D"},
		{"application/x-www-form-urlencoded", `{"a":{"b":{"c":1}}}`, BodyOptions{Encoding: map[string]Encoding{"a": {Style: DeepObject}}}, "a%5Bb%5D%5Bc%5D=1"},
		{"application/x-www-form-urlencoded", `{"a":{"b":1,"c":2}}`, BodyOptions{Encoding: map[string]Encoding{"a": {Style: Form}}}, "b=1&c=2"},
		{"application/x-www-form-urlencoded", `{"a":"b/c&d"}`, BodyOptions{Encoding: map[string]Encoding{"a": {AllowReserved: true}}}, "a=b/c%26d"},
		{"application/x-www-form-urlencoded", `{"a":{"b":{}}}`, BodyOptions{Encoding: map[string]Encoding{"a": {Style: Form}}}, "! a, member b: OpenAPI does not define"},
	}
	for _, test := range tests {
		body, err := SerializeBody(test.media, value(t, test.value), test.o)
		if why, ok := strings.CutPrefix(test.want, "! "); ok {
			if err == nil || !strings.HasPrefix(err.Error(), why) {
				t.Errorf("%s of %s: %q, %v, want the error %q", test.media, test.value, body.Data, err, why)
			}
			continue
		}
		if err != nil || string(body.Data) != test.want || body.Type != test.media {
			t.Errorf("%s of %s: %q as %q, %v, want %q", test.media, test.value, body.Data, body.Type, err, test.want)
		}
	}
	if body, err := SerializeBody("text/plain", "ü", BodyOptions{}); err != nil || body.Type != "text/plain; charset=utf-8" {
		t.Errorf("text that is not ASCII is sent as %q, %v", body.Type, err)
	}
	if body, err := SerializeBody("application/xml", File{Data: []byte("<a/>")}, BodyOptions{}); err != nil || string(body.Data) != "<a/>" {
		t.Errorf("a file is sent as %q, %v", body.Data, err)
	}
}

func TestSerializeMultipart(t *testing.T) {
	v := map[string]any{
		"text": "a\r\nü", "count": json.Number("12"), "tags": []any{"x", "y"}, "address": map[string]any{"city": "Z"}, "gone": nil,
		"photo": File{Name: `a"b.png`, Type: "image/png", Data: []byte("\x89PNG\r\n\x00")}, "raw": "bytes", "list": []any{"p", "q"},
	}
	yes := false
	o := BodyOptions{
		Boundary: "b0undary",
		Hint:     &Hint{Properties: map[string]*Hint{"raw": {Types: []string{"string"}, Binary: true}}},
		Encoding: map[string]Encoding{
			"text": {Headers: map[string]string{"x-note": "n", "content-type": "ignored"}},
			"list": {Style: Form, Explode: &yes},
			"tags": {ContentType: "application/json"},
		},
	}
	body, err := SerializeBody("multipart/form-data", v, o)
	if err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(body.Type)
	if err != nil || params["boundary"] != "b0undary" {
		t.Fatalf("Content-Type %q: %v", body.Type, err)
	}
	type part struct{ Name, File, Type, Note, Data string }
	var got []part
	for reader := multipart.NewReader(bytes.NewReader(body.Data), "b0undary"); ; {
		p, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, part{p.FormName(), p.FileName(), p.Header.Get("Content-Type"), p.Header.Get("X-Note"), string(data)})
	}
	want := []part{
		{"address", "", "application/json", "", `{"city":"Z"}`},
		{"count", "", "", "", "12"},
		{"list", "", "", "", "p,q"},
		{"photo", "a%22b.png", "image/png", "", "\x89PNG\r\n\x00"},
		{"raw", "raw", "application/octet-stream", "", "bytes"},
		{"tags", "", "application/json", "", `["x","y"]`},
		{"text", "", "text/plain; charset=utf-8", "n", "a\r\nü"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	text := &Hint{Types: []string{"string"}}
	o.Hint.Properties["tags"] = &Hint{Types: []string{"array"}, Items: text}
	o.Hint.Properties["text"], o.Hint.Properties["list"] = text, text
	r, err := ParseBody(body.Type, body.Data, o)
	delete(v, "gone")
	v["list"] = "p,q"
	v["photo"] = "\x89PNG\r\n\x00"
	if err != nil || len(r.Values) == 0 || !equal(v, r.Values[0]) {
		t.Errorf("it is read as %v, %v", r.Values, err)
	}
	for boundary, why := range map[string]string{"": `"" is not a boundary`, "a b": `"a b" is not a boundary`, strings.Repeat("a", 71): `"aaa`} {
		o.Boundary = boundary
		if _, err := SerializeBody("multipart/form-data", v, o); err == nil || !strings.HasPrefix(err.Error(), why) {
			t.Errorf("boundary %q: %v", boundary, err)
		}
	}
	if _, err := SerializeBody("multipart/form-data", map[string]any{"a": "x--b y"}, BodyOptions{Boundary: "b"}); err == nil {
		t.Error("the content may hold the boundary")
	}
}

// A value that is no object has parts of its own, named only in forms.
func TestMultipartWithoutAnObject(t *testing.T) {
	for _, test := range []struct {
		media string
		value any
		hint  *Hint
		want  string
	}{
		{"multipart/form-data", File{Data: []byte("PNG")}, nil, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\nContent-Type: application/octet-stream\r\n\r\nPNG\r\n--b--\r\n"},
		{"multipart/form-data", "x", &Hint{Types: []string{"string"}, Binary: true}, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n--b--\r\n"},
		{"multipart/form-data", []any{"x", "y"}, nil, "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\ny\r\n--b--\r\n"},
		{"multipart/mixed", []any{"x", map[string]any{"a": "y"}}, nil, "--b\r\n\r\nx\r\n--b\r\nContent-Type: application/json\r\n\r\n{\"a\":\"y\"}\r\n--b--\r\n"},
	} {
		body, err := SerializeBody(test.media, test.value, BodyOptions{Boundary: "b", Hint: test.hint})
		if err != nil || string(body.Data) != test.want || body.Type != test.media+"; boundary=b" {
			t.Errorf("%s of %v is %q as %q, %v", test.media, test.value, body.Data, body.Type, err)
		}
	}
	if _, err := ParseBody("multipart/form-data; boundary=b", []byte("--b--\r\n"), BodyOptions{Hint: &Hint{Types: []string{"array"}}}); err == nil {
		t.Error("a list is read from parts")
	}
}

func TestParseBody(t *testing.T) {
	text := &Hint{Types: []string{"string"}}
	object := func(members map[string]*Hint) *Hint { return &Hint{Types: []string{"object"}, Properties: members} }
	tests := []struct {
		media, body string
		o           BodyOptions
		want        string // JSON, or the error after "! "
	}{
		{"application/json", `{"a":1}`, BodyOptions{}, `{"a":1}`},
		{"application/json", `{"a":`, BodyOptions{}, "! the JSON is invalid: it ends too early"},
		{"application/json", ``, BodyOptions{}, "! the JSON is invalid: it ends too early"},
		{"application/x-www-form-urlencoded", "a=1&b=x+y&c=1&c=2", BodyOptions{Hint: object(map[string]*Hint{"a": {Types: []string{"integer"}}, "b": text, "c": {Types: []string{"array"}, Items: text}})}, `{"a":1,"b":"x y","c":["1","2"]}`},
		{"application/x-www-form-urlencoded", "a=%7B%22b%22%3A1%7D", BodyOptions{Hint: object(map[string]*Hint{"a": {Types: []string{"object"}}})}, `{"a":{"b":1}}`},
		{"application/x-www-form-urlencoded", "a%5Bb%5D=x", BodyOptions{Hint: object(map[string]*Hint{"a": {Types: []string{"object"}, Additional: text}}), Encoding: map[string]Encoding{"a": {Style: DeepObject}}}, `{"a":{"b":"x"}}`},
		{"application/x-www-form-urlencoded", "b=x&c=y", BodyOptions{Hint: object(map[string]*Hint{"a": object(map[string]*Hint{"b": text, "c": text})}), Encoding: map[string]Encoding{"a": {Style: Form}}}, `{"a":{"b":"x","c":"y"}}`},
		{"application/x-www-form-urlencoded", "", BodyOptions{}, `{}`},
		{"application/x-www-form-urlencoded", "a=%", BodyOptions{}, "! a, byte 0: a percent sign"},
		{"text/plain", "12", BodyOptions{Hint: text}, `"12"`},
		{"text/plain", "12", BodyOptions{Hint: &Hint{Types: []string{"integer"}}}, `12`},
		{"text/plain; charset=iso-8859-1", "\xfc", BodyOptions{Hint: text}, `"ü"`},
		{"text/plain", "a\xfc", BodyOptions{}, "! byte 1: the text is not UTF-8"},
		{"text/plain; charset=utf-16", "", BodyOptions{}, `! hallmark does not support the charset "utf-16"`},
		{"application/octet-stream", "abc", BodyOptions{}, `"abc"`},
		{"application/x-ndjson", "1\n\n{\"a\":2}\r\n3", BodyOptions{}, `[1,{"a":2},3]`},
		{"application/x-ndjson", "1\n{\n", BodyOptions{}, "! item 1, line 2: the JSON is invalid"},
		{"application/json-seq", "\x1e1\n\x1e\x1e{}", BodyOptions{}, `[1,{}]`},
		{"application/json-seq", "\x1e1\n\x1e12", BodyOptions{}, "! item 1, line 2: the line feed after it is missing"},
		{"application/json-seq", "{}\n", BodyOptions{}, "! item 0, line 1: the record separator (0x1E) before it is missing"},
		{"text/plain", `{"a":1}`, BodyOptions{Hint: &Hint{Types: []string{"object"}}}, `{"a":1}`},
		{"text/csv", "a,b", BodyOptions{Hint: &Hint{Types: []string{"array"}}}, "! hallmark does not support values as text/csv"},
		{"application/vnd.x", `[1]`, BodyOptions{Hint: &Hint{Types: []string{"array"}}}, `[1]`},
		{"application/vnd.x", "\x00", BodyOptions{Hint: &Hint{Types: []string{"array", "object"}}}, "! hallmark does not support values as application/vnd.x"},
		{"application/xml", "<a/>", BodyOptions{}, "! hallmark does not support values as application/xml"},
		{"text/event-stream", "data: 1\n\n", BodyOptions{}, "! hallmark does not support values"},
		{"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b--", BodyOptions{Hint: object(map[string]*Hint{"a": text})}, `{"a":"x"}`},
		{"multipart/form-data; boundary=b", "--b--\r\n", BodyOptions{}, `{}`},
		{"multipart/form-data; boundary=b", "--b\r\n\r\nx\r\n--b--", BodyOptions{}, "! part 1: it has no name"},
		{"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx", BodyOptions{}, "! part 1: it ends too early"},
		{"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b\r\n", BodyOptions{}, "! part 2: "},
		{"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=a\r\nContent-Type: application/json\r\n\r\n{\r\n--b--", BodyOptions{}, "! part 1 (a): the JSON is invalid"},
		{"multipart/form-data; boundary=b", "", BodyOptions{}, "! part 1: the body does not end with its boundary"},
		{"multipart/form-data", "", BodyOptions{}, "! the Content-Type has no boundary"},
		{"multipart/mixed; boundary=b", "--b--", BodyOptions{}, "! hallmark does not support values as multipart/mixed"},
		{"nonsense", "", BodyOptions{}, `! "nonsense" is not a media type`},
	}
	for _, test := range tests {
		r, err := ParseBody(test.media, []byte(test.body), test.o)
		if why, ok := strings.CutPrefix(test.want, "! "); ok {
			if err == nil || !strings.HasPrefix(err.Error(), why) {
				t.Errorf("%s %q: %v, %v, want the error %q", test.media, test.body, r.Values, err, why)
			}
			continue
		}
		if err != nil || len(r.Values) != 1 || !equal(r.Values[0], value(t, test.want)) {
			t.Errorf("%s %q: %v, %v, want %s", test.media, test.body, r.Values, err, test.want)
		}
	}
}

// Null in XML is an empty element with xsi:nil. Who does not know that reads an empty text, which is no integer.
func TestNullInXMLMayBeReadAsAnEmptyText(t *testing.T) {
	for _, kind := range []string{"string", "integer"} {
		list := &Hint{XML: XML{Name: "list"}, Types: []string{"array"}, Items: &Hint{Types: []string{kind}}}
		s := SurvivesBody("application/xml", value(t, `[null]`), BodyOptions{Hint: list})
		if got, err := json.Marshal(s.Values); err != nil || string(got) != `[[null],[""]]` {
			t.Errorf("null in a list of type %s may be read as %s, %v", kind, got, err)
		}
	}
}

func TestSurvivesBody(t *testing.T) {
	integer := &Hint{Types: []string{"object"}, Properties: map[string]*Hint{"a": {Types: []string{"integer"}}, "list": {Types: []string{"array"}}}}
	const form, parts = "application/x-www-form-urlencoded", "multipart/form-data"
	for _, test := range []struct {
		media, value string
		want         Fate
		open         bool
	}{
		{"application/json", `{"a":"1"}`, Carried, false},
		{"application/json", `null`, Carried, false},
		{form, `{"a":1}`, Carried, false},
		{form, `{"a":"1"}`, Changed, false},
		{form, `{"a":"x"}`, Carried, false},
		{form, `{"a":null}`, Changed, true},
		{form, `{"b":{"c":1}}`, Ambiguous, true},
		{form, `[]`, Lost, false},
		{parts, `{"a":1}`, Carried, false},
		{parts, `{"a":"1"}`, Changed, false},
		{parts, `{"a":null}`, Changed, true},
		{parts, `{"list":{}}`, Ambiguous, false}, // it has a part of its own
		{"application/xml", `{}`, Lost, false},
	} {
		s := SurvivesBody(test.media, value(t, test.value), BodyOptions{Hint: integer, Boundary: "b"})
		if s.Fate != test.want && (!test.open || s.Fate == Carried) || (s.Open != "") != test.open {
			t.Errorf("%s of %s: fate %d, open %q, values %v (%v)", test.media, test.value, s.Fate, s.Open, s.Values, s.Err)
		}
	}
}

// TestStandardLibraryReadsForms has net/url and mime/multipart read forms of texts.
func TestStandardLibraryReadsForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := rapid.MapOf(rapid.StringMatching(`[a-zA-Z0-9 \[\]ü&=+;]{1,6}`), rapid.SliceOfN(textGen, 1, 3)).Draw(t, "form")
		v := map[string]any{}
		for name, texts := range members {
			items := make([]any, len(texts))
			for i := range texts {
				items[i] = texts[i]
			}
			v[name] = items
		}
		body, err := SerializeBody("application/x-www-form-urlencoded", v, BodyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := url.ParseQuery(string(body.Data))
		if diff := cmp.Diff(members, map[string][]string(got)); err != nil || diff != "" && len(members) > 0 {
			t.Fatalf("%q: %v %s", body.Data, err, diff)
		}
		body, err = SerializeBody("multipart/form-data", v, BodyOptions{Boundary: "a-boundary-that-nothing-holds"})
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := multipart.NewReader(bytes.NewReader(body.Data), "a-boundary-that-nothing-holds").ReadForm(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(members, parsed.Value); diff != "" && len(members) > 0 {
			t.Fatal(diff)
		}
	})
}

// FuzzBody passes arbitrary bodies to every kind of reader.
func FuzzBody(f *testing.F) {
	types := []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/plain", "application/x-ndjson", "application/json-seq", "multipart/mixed; boundary=b"}
	for i := range types {
		for _, body := range []string{"", "{}", "a=1&b[c]=2", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b--", "\x1e1\n", "1\n2"} {
			f.Add([]byte(body), uint8(i))
		}
	}
	integer := &Hint{Types: []string{"integer"}}
	hint := &Hint{Types: []string{"object"}, Properties: map[string]*Hint{"a": integer, "b": {Types: []string{"object"}}}, Additional: &Hint{Types: []string{"array"}, Items: integer}}
	o := BodyOptions{Hint: hint, Encoding: map[string]Encoding{"b": {Style: DeepObject}, "c": {ContentType: "application/json"}, "d": {Style: Form}}, Boundary: "b"}
	f.Fuzz(func(t *testing.T, body []byte, which uint8) {
		media := types[int(which)%len(types)]
		for _, how := range []manner{strict, lenient} {
			r, err := parseBody(media, body, o, how)
			if err != nil {
				if _, ok := ReasonOf(err); !ok {
					t.Fatalf("an error of another kind: %v", err)
				}
				continue
			}
			if len(r.Values) == 0 || len(r.Values) > maxReadings {
				t.Fatalf("%d readings", len(r.Values))
			}
			for _, v := range r.Values {
				_ = SurvivesBody(media, v, o)
			}
		}
		_, _ = ParseMultipart(media, body)
	})
}
