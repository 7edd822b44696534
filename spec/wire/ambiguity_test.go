package wire

import (
	"bytes"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"slices"
	"strings"
	"testing"
)

// TestEveryReading compares the possible meanings of a text with all ways in which versions of OpenAPI, and
// readers, split it.
func TestEveryReading(t *testing.T) {
	integer, text := &Hint{Types: []string{"integer"}}, &Hint{Types: []string{"string"}}
	integers := &Hint{Types: []string{"array"}, Items: integer}
	rows := &Hint{Types: []string{"array"}, Items: integers}
	spot := &Hint{Types: []string{"object"}, Properties: map[string]*Hint{"lat": integer}}
	for _, test := range []struct {
		p     Param
		text  string
		hint  *Hint
		want  string // the values that are read, as JSON
		whole bool   // whether these are all
	}{
		// Label: RFC 6570 divides by dots where it is exploded; the table of OpenAPI 3.0.3 always does.
		{Param{In: InPath, Style: Label}, ".1,2", integers, `[[1,2],["1,2"]]`, true},
		{Param{In: InPath, Style: Label}, ".1.2", integers, `[["1.2"],[1,2]]`, true},
		{Param{In: InPath, Style: Label, Explode: true}, ".0.5", integers, `[[0,5]]`, true},
		{Param{In: InPath, Style: Label, Explode: true}, ".lat=0.5", spot, `[{"5":"","lat":0}]`, true},
		{Param{In: InPath, Style: Label}, ".lat,1", spot, `[{"lat":1}]`, true},
		{Param{In: InPath, Style: Label}, ".lat.1", spot, `[{"lat":1}]`, true},
		// Matrix
		{Param{In: InPath, Style: Matrix, Explode: true}, ";x=1;x=2", integers, `[[1,2]]`, true},
		{Param{In: InPath, Style: Matrix}, ";x=1,2", integers, `[[1,2]]`, true},
		// What stands where an object belongs is one whose members have no value, for tolerant readers.
		{Param{In: InHeader, Explode: true}, "1", spot, `[{"1":""}]`, true},
		{Param{In: InHeader}, "lat,1", spot, `[{"lat":1}]`, true},
		{Param{In: InHeader}, "lat", spot, `[{"lat":""}]`, true},
		// The collection formats of Swagger 2, in all places
		{Param{In: InHeader, Style: PipeDelimited}, "1|2", integers, `[[1,2]]`, true},
		{Param{In: InHeader, Style: SpaceDelimited}, "3 4", integers, `[[3,4]]`, true},
		{Param{In: InHeader, Style: TabDelimited}, "3\t4", integers, `[[3,4]]`, true},
		{Param{In: InPath, Style: PipeDelimited}, "1%7C2", integers, `[[1,2]]`, true},
		{Param{In: InQuery, Style: TabDelimited}, "x=1%092", integers, `[[1,2]]`, true},
		// Lists in lists
		{Param{In: InQuery, Style: PipeDelimited, Nested: ","}, "x=1,2|3", rows, `[[[1,2],[3]]]`, true},
		{Param{In: InQuery, Style: PipeDelimited, Nested: ","}, "x=1", rows, `[[[1]]]`, true},
		{Param{In: InQuery, Style: PipeDelimited, Nested: ","}, "x=1||2", rows, `[[[1],[""],[2]],[[1],[],[2]]]`, true},
		{Param{In: InQuery, Style: Form, Explode: true, Nested: ","}, "x=1,2&x=3", rows, `[[[1,2],[3]]]`, true},
		{Param{In: InHeader, Style: SpaceDelimited, Nested: "|"}, "1|2 3", rows, `[[[1,2],[3]]]`, true},
		{Param{In: InHeader, Nested: ","}, "1,2", rows, `[[[1],[2]]]`, false}, // the end of an inner list cannot be determined
		// Headers: RFC 6570 encodes them, services mostly do not
		{Param{In: InHeader}, "a%20b", text, `["a%20b","a b"]`, true},
		{Param{In: InHeader}, "100%", text, `["100%"]`, true},
	} {
		test.p.Name = "x"
		r, err := test.p.Parse(test.text, test.hint)
		got, _ := JSON(r.Values)
		if err != nil || string(got) != test.want || r.Truncated == test.whole {
			t.Errorf("%+v of %q: %s, truncated %v, %v, want %s", test.p, test.text, got, r.Truncated, err, test.want)
		}
	}
}

// TestWhatIsSentIsOpen lists values from which nothing follows, because what is sent for them can be read in
// several ways.
func TestWhatIsSentIsOpen(t *testing.T) {
	for _, test := range []struct {
		p     Param
		value string
		hint  *Hint
		open  bool
	}{
		{Param{In: InPath, Style: Label, Explode: true}, `[0.5]`, nil, true},
		{Param{In: InPath, Style: Label, Explode: true}, `{"lat":0.5}`, nil, true},
		{Param{In: InPath, Style: Label, Explode: true}, `[1,2]`, nil, false},
		{Param{In: InQuery, Nested: ","}, `[[1]]`, nil, true},
		{Param{In: InQuery, Style: DeepObject}, `{"tags":"a"}`, &Hint{Types: []string{"object"}, Properties: map[string]*Hint{"tags": {Types: []string{"array"}}}}, true},
		{Param{In: InQuery, Style: DeepObject}, `{"tags":"a"}`, &Hint{Types: []string{"object"}}, false},
		{Param{In: InQuery, Style: PipeDelimited, Nested: ","}, `[[1,2],[3]]`, nil, false},
	} {
		test.p.Name = "x"
		if s := test.p.Survives(value(t, test.value), test.hint); (s.Open != "") != test.open {
			t.Errorf("%+v of %s: open is %q (%s, %v)", test.p, test.value, s.Open, s.Text, s.Err)
		}
	}
}

func TestNestedListsAreWritten(t *testing.T) {
	for _, test := range []struct {
		p           Param
		value, want string
	}{
		{Param{In: InQuery, Style: PipeDelimited, Nested: ","}, `[[1,2],[3]]`, "x=1%2C2%7C3"},
		{Param{In: InQuery, Style: Form, Explode: true, Nested: "|"}, `[[1,2],[3]]`, "x=1%7C2&x=3"},
		{Param{In: InHeader, Style: SpaceDelimited, Nested: "|,"}, `[[[1,2],[3]],[[4]]]`, "1,2|3 4"},
	} {
		test.p.Name = "x"
		got, sent, err := test.p.Serialize(value(t, test.value))
		if err != nil || !sent || got != test.want {
			t.Errorf("%+v of %s: %q, %v, want %q", test.p, test.value, got, err, test.want)
		}
	}
}

// TestFormReadings reads forms in all ways that the versions of OpenAPI have.
func TestFormReadings(t *testing.T) {
	integer, text := &Hint{Types: []string{"integer"}}, &Hint{Types: []string{"string"}}
	address := &Hint{Types: []string{"object"}, Properties: map[string]*Hint{"zip": text}}
	form := &Hint{Types: []string{"object"}, Properties: map[string]*Hint{
		"title": text, "count": integer, "address": address, "sizes": {Types: []string{"array"}, Items: integer},
		"stops": {Types: []string{"array"}, Items: address},
	}}
	const media = "application/x-www-form-urlencoded"
	for _, test := range []struct{ body, want string }{
		{`address={"zip":"1"}`, `[{"address":{"zip":"1"}}]`}, // 3.0.4, 3.1.1
		{`zip=1`, `[{"address":{"zip":"1"}}]`},               // 3.0.3: style form, exploded
		{`address[zip]=1`, `[{"address":{"zip":"1"}}]`},
		{`sizes=1&sizes=2&title=a`, `[{"sizes":[1,2],"title":"a"}]`},
		{`stops={"zip":"1"}&stops={}`, `[{"stops":[{"zip":"1"},{}]}]`},
		{`stops=[{"zip":"1"}]`, `[{"stops":[[{"zip":"1"}]]},{"stops":[{"zip":"1"}]}]`},
		{`count=1`, `[{"count":1}]`},
	} {
		r, err := ParseBody(media, []byte(test.body), BodyOptions{Hint: form})
		got, _ := JSON(r.Values)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %s, %v, want %s", test.body, got, err, test.want)
		}
	}
	if s := SurvivesBody(media, value(t, `{"address":1,"title":"a"}`), BodyOptions{Hint: form}); s.OpenIn["address"] == "" {
		t.Error("a number in the place of an object in a form is not open")
	}
	s := SurvivesBody(media, value(t, `{"address":{"zip":1},"title":"a"}`), BodyOptions{Hint: form})
	if s.OpenIn["address"] == "" || s.OpenIn["title"] != "" || s.Open == "" {
		t.Errorf("an object in a form is open in %v", s.OpenIn)
	}
}

// TestPartsAreTexts sends wrong values for parts to services that read each part as text.
func TestPartsAreTexts(t *testing.T) {
	form := &Hint{Types: []string{"object"}, Properties: map[string]*Hint{
		"title": {Types: []string{"string"}}, "tags": {Types: []string{"array"}, Items: &Hint{Types: []string{"string"}}},
		"count": {Types: []string{"integer"}},
	}}
	for _, test := range []struct {
		value, mayMean string
	}{
		{`{"title":{}}`, `{"title":"{}"}`},
		{`{"title":{"a":[1]}}`, `{"title":"{\"a\":[1]}"}`},
		{`{"title":["a","b"]}`, `{"title":"a"}`},
		{`{"title":["a","b"]}`, `{"title":"b"}`},
		{`{"tags":{}}`, `{"tags":["{}"]}`},
		{`{"tags":[{},"a"]}`, `{"tags":["{}","a"]}`},
		{`{"tags":"a"}`, `{"tags":["a"]}`},
		{`{"count":[1,2]}`, `{"count":1}`},
	} {
		s := SurvivesBody("multipart/form-data", value(t, test.value), BodyOptions{Hint: form, Boundary: "b"})
		if want := value(t, test.mayMean); !slices.ContainsFunc(s.Values, func(v any) bool { return equal(v, want) }) {
			t.Errorf("%s is read as %v, and not as %s (%v)", test.value, s.Values, test.mayMean, s.Err)
		}
	}
}

// TestPartsOfRanges sends parts whose document names a range, or a list, of media types.
func TestPartsOfRanges(t *testing.T) {
	file := &Hint{Types: []string{"string"}, Binary: true}
	object := &Hint{Types: []string{"object"}}
	for _, test := range []struct {
		contentType, value string
		hint               *Hint
		want, format       string // the type that is sent, and the format that a decoder finds
	}{
		{"image/*", `"a"`, file, "image/png", "png"},
		{"image/jpeg, image/png", `"a"`, file, "image/jpeg", "jpeg"},
		{"image/gif", `"a"`, file, "image/gif", "gif"},
		{"application/*", `"a"`, file, "application/octet-stream", ""},
		{"*/*", `"a"`, file, "application/octet-stream", ""},
		{"text/*", `"a"`, &Hint{Types: []string{"string"}}, "text/plain", ""},
		{"text/*", `"a"`, file, "text/plain", ""},
		{"application/*", `{"a":1}`, object, "application/json", ""},
		{"application/xml, application/json", `{"a":1}`, object, "application/json", ""},
		{"text/plain; charset=utf-8", `"a"`, nil, "text/plain; charset=utf-8", ""},
		{"", `"a"`, file, "application/octet-stream", ""},
	} {
		o := BodyOptions{
			Hint: &Hint{Types: []string{"object"}, Properties: map[string]*Hint{"x": test.hint}}, Boundary: "b",
			Encoding: map[string]Encoding{"x": {ContentType: test.contentType}},
		}
		whole := map[string]any{"x": value(t, test.value)}
		body, err := SerializeBody("multipart/form-data", whole, o)
		if err != nil {
			t.Errorf("%s: %v", test.contentType, err)
			continue
		}
		parts, err := ParseMultipart(body.Type, body.Data)
		if err != nil || len(parts) != 1 || parts[0].Type != test.want {
			t.Errorf("%s: sent are %+v, %v, want the type %s", test.contentType, parts, err, test.want)
			continue
		}
		_, format, _ := image.DecodeConfig(bytes.NewReader(parts[0].Data))
		if format != test.format {
			t.Errorf("%s: the content is %q of the format %q, want %q", test.contentType, parts[0].Data, format, test.format)
		}
		if s := SurvivesBody("multipart/form-data", whole, o); s.Fate != Carried {
			t.Errorf("%s: fate %d, %v, %v", test.contentType, s.Fate, s.Values, s.Err)
		}
	}
	bounded := *file
	bounded.Bounded = true
	if data := bounded.content("image/png", "ab"); string(data) != "ab" {
		t.Errorf("of a text that the schema bounds %q is sent", data)
	}
	if data := SampleFile("application/pdf", "x"); !strings.HasPrefix(string(data), "%PDF-") {
		t.Errorf("a PDF is %q", data)
	}
	for media, want := range map[string]string{
		"image/*": "image/png", "text/*": "text/plain", "*/*": "application/json", "application/*+json": "application/json", "a/b": "a/b",
		"multipart/*": "multipart/form-data", "x/*": "x/octet-stream",
	} {
		if got := Concrete(media); got != want {
			t.Errorf("%s stands for %s, want %s", media, got, want)
		}
	}
}
