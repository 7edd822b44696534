package promise

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
)

// hole is a contract and a response that cannot be judged by it, so the rule that rests on it is not exercised.
type hole struct {
	// says is a part of the reason.
	says string
	// openAPI is the version of the document; 3.0.3 if empty.
	openAPI string
	// schema is that of the body, in YAML on one line, and media its type; application/json if empty.
	schema, media string
	// header is a header of the response, in YAML on one line; if it is set, the response carries it as value, and
	// its rule is left open.
	header, value string
	body          string
	cut           bool
	// coding is the Content-Encoding; empty for none.
	coding string
}

// many repeats an item of a list or an object in YAML; its %d is the number.
func many(n int, item string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(strings.ReplaceAll(item, "%d", "%[1]d"), i)
	}
	return strings.Join(all, ", ")
}

func holes() map[string]hole {
	const wide = 5001
	return map[string]hole{
		// Media types.
		"a foreign media type":     {says: "is not read", media: "application/x-protobuf", schema: `{type: object, required: [a]}`, body: "x"},
		"bytes with a bound":       {says: "is not read", media: "application/octet-stream", schema: `{type: string, minLength: 5}`, body: "x"},
		"a list of lines":          {says: "does not say what the items", media: "application/x-ndjson", schema: `{type: object, required: [a]}`, body: "1\n"},
		"a stream that is cut":     {says: "the body was truncated", media: "application/x-ndjson", schema: `{type: array, items: {type: object}}`, body: `{"a"`, cut: true},
		"a stream without an item": {says: "no item came", media: "application/x-ndjson", schema: `{type: array, items: {type: object}}`, cut: true},
		"a form that is cut":       {says: "the body was truncated", media: "application/x-www-form-urlencoded", schema: `{type: object, required: [b]}`, body: "a=1", cut: true},
		"a text in an unknown character set": {says: "cannot be read", media: "text/plain", schema: `{type: string, minLength: 5}`, body: "abc",
			header: `X: {schema: {type: string}}`, value: "charset=ebcdic-us"},
		"a coding that is not known": {says: "content of the coding", schema: `{type: object}`, body: "x", coding: "aws-chunked"},
		// Schemas.
		"no object":                {says: "a schema must be an object", schema: `{type: object, properties: {a: x}}`, body: `{"a":1}`},
		"a reference to nothing":   {says: "cannot be followed", schema: `{$ref: '#/components/schemas/Missing'}`, body: `1`},
		"a reference that is none": {says: "a reference must be a string", openAPI: "3.1.0", schema: `{$dynamicRef: [1]}`, body: `1`},
		"named is no object":       {says: "must be an object, not", schema: `{properties: [a]}`, body: `{"a":1}`},
		"named is too wide":        {says: "has more than 5000 schemas", schema: `{properties: {` + many(wide, "p%d: {}") + `}}`, body: `{"a":1}`},
		"a flag":                   {says: "must be true or false", schema: `{type: array, uniqueItems: 2}`, body: `[1]`},
		"a count":                  {says: "must be an integer of 0 or more", schema: `{type: string, minLength: -1}`, body: `"a"`},
		"multipleOf":               {says: "multipleOf must be greater than 0", schema: `{multipleOf: 0}`, body: `1`},
		"a pattern is no text":     {says: "a pattern must be a string", schema: `{pattern: 1}`, body: `"a"`},
		"a pattern of ECMA":        {says: "cannot be used", schema: `{pattern: '['}`, body: `"a"`},
		"a literal of a program":   {says: "enclosed in slashes", schema: `{pattern: '/^a/'}`, body: `"a"`},
		"a slow pattern":           {says: "takes too long to match", schema: `{pattern: '^(?=(a+)+$)\1b$'}`, body: `"` + strings.Repeat("a", 60) + `!"`},
		"a slow name": {says: "takes too long to match", openAPI: "3.1.0", schema: `{patternProperties: {'^(?=(a+)+$)\1b$': {type: string}}, additionalProperties: false}`,
			body: `{"` + strings.Repeat("a", 60) + `!":1}`},
		"a constant":                  {says: "the constant is not a JSON value", openAPI: "3.1.0", schema: `{const: .nan}`, body: `1`},
		"a constant before 3.1":       {says: "const is ignored before OpenAPI 3.1", schema: `{const: 1}`, body: `2`},
		"required is no list":         {says: "required must be a list of names, not", schema: `{required: a}`, body: `{}`},
		"required holds no name":      {says: "but contains", schema: `{required: [{}]}`, body: `{}`},
		"patternProperties":           {says: "patternProperties must be an object", openAPI: "3.1.0", schema: `{patternProperties: [a]}`, body: `{}`},
		"patternProperties, no ECMA":  {says: "cannot be used", openAPI: "3.1.0", schema: `{patternProperties: {'[': {}}}`, body: `{"a":1}`},
		"dependentRequired":           {says: "dependentRequired must be an object", openAPI: "3.1.0", schema: `{dependentRequired: [a]}`, body: `{}`},
		"dependentRequired of a text": {says: "must contain lists of names", openAPI: "3.1.0", schema: `{dependentRequired: {a: b}}`, body: `{}`},
		"items as a list":             {says: "items is a list", schema: `{items: [{type: string}]}`, body: `[1]`},
		"parts that exclude":          {says: "no value satisfies all of it", schema: `{allOf: [{type: string}, {type: integer}]}`, body: `1`},
		"parts that exclude, by $ref": {says: "no value satisfies all of it", openAPI: "3.1.0", schema: `{type: string, $ref: '#/components/schemas/Number'}`, body: `"x"`},
		"alternatives of nothing":     {says: "must be a list of at least one schema", schema: `{anyOf: []}`, body: `1`},
		"alternatives, too wide":      {says: "has more than 5000 schemas", schema: `{anyOf: [` + many(wide, "{const: %d}") + `]}`, body: `1`},
		"a value that is shown":       {says: "an example or a default of the document", schema: `{type: integer, example: a}`, body: `"b"`},
		"alternatives that overlap":   {says: "keeps several alternatives of oneOf", schema: `{oneOf: [{type: integer}, {type: number}]}`, body: `1`},
		"too many branches":           {says: "more branches than can be followed", schema: `{$ref: '#/components/schemas/B0'}`, body: `1`},
		"not, by halves":              {says: "it uses keywords that are ignored", schema: `{not: {patternProperties: {a: {}}, additionalProperties: false}}`, body: `{"a":1}`},
		"a type":                      {says: "the type must be one of JSON Schema", schema: `{type: file}`, body: `1`},
		"an enum of nothing":          {says: "an enum must be a list", schema: `{enum: []}`, body: `1`},
		"an enum of no JSON":          {says: "the enum contains a value that JSON cannot represent", schema: `{enum: [.nan]}`, body: `1`},
		"an enum of another type":     {says: "no value of the enum has the schema's type", schema: `{type: integer, enum: [a]}`, body: `1`},
		"an exclusive bound":          {says: "must be a number, not", schema: `{exclusiveMinimum: a}`, body: `1`},
		"a bound":                     {says: "must be a number, not", schema: `{minimum: a}`, body: `1`},
		"bounds that exclude":         {says: "no value satisfies both it and", schema: `{minimum: 3, maximum: 1}`, body: `2`},
		"a discriminator of nothing":  {says: "a discriminator needs a propertyName", schema: `{discriminator: {}, oneOf: [{type: integer}]}`, body: `1`},
		"a discriminator that misses": {says: "the discriminator names no alternative",
			schema: `{discriminator: {propertyName: t}, oneOf: [{$ref: '#/components/schemas/Named'}]}`, body: `{"t":"other"}`},
		// Headers.
		"a header's schema":       {says: "cannot be used", header: `X: {schema: {pattern: '['}}`, value: "a"},
		"a header of no style":    {says: "cannot be read in its style", header: `X: {content: {application/xml: {schema: {type: object}}}}`, value: "<a/>"},
		"a header of many values": {says: "more ways than are looked at", header: `X: {explode: true, schema: {type: object, properties: {` + many(12, "p%d: {oneOf: [{type: string}, {type: integer}]}") + `}}}`, value: many(12, "p%d=%d")},
	}
}

func (h *hole) document() string {
	var out strings.Builder
	version := h.openAPI
	if version == "" {
		version = "3.0.3"
	}
	fmt.Fprintf(&out, `openapi: %s
info: {title: t, version: "1"}
paths:
  /a:
    get:
      operationId: a
      responses:
        "200":
          description: ok
`, version)
	if h.header != "" {
		fmt.Fprintf(&out, "          headers: {%s}\n", h.header)
	}
	if h.schema != "" {
		fmt.Fprintf(&out, "          content: {%s: {schema: %s}}\n", h.mediaType(), h.schema)
	}
	out.WriteString(`components:
  schemas:
    Number: {type: number}
    Named: {type: object, properties: {t: {type: string}}}
`)
	const deep = 40
	for i := range deep {
		fmt.Fprintf(&out, "    B%d: {anyOf: [{$ref: '#/components/schemas/B%d'}, {$ref: '#/components/schemas/B%[2]d'}]}\n", i, i+1)
	}
	fmt.Fprintf(&out, "    B%d: {type: string}\n", deep)
	return out.String()
}

func (h *hole) mediaType() string {
	if h.media == "" {
		return "application/json"
	}
	return h.media
}

// A hole exercises nothing: if a response cannot be judged, the rule that rests on it is not exercised, and the
// reason is reported.
func TestAHoleIsNoExercise(t *testing.T) {
	for name, h := range holes() {
		t.Run(name, func(t *testing.T) {
			contract, err := openapi.Load([]byte(h.document()))
			if err != nil {
				t.Fatal(err)
			}
			p := Of(contract, 1, 0)
			rule := p.Names.Rule("a", Body)
			headers := http.Header{}
			switch {
			case h.schema == "":
				rule = p.Names.Rule("a", Headers)
				headers.Set("X", h.value)
			case h.value != "":
				headers.Set("Content-Type", h.mediaType()+"; "+h.value)
			default:
				headers.Set("Content-Type", h.mediaType())
			}
			if h.coding != "" {
				headers.Set("Content-Encoding", h.coding)
			}
			ex := got(headers, h.body)
			ex.Response.TooLong = h.cut
			judged := p.Response(ex)
			for _, f := range judged.Findings {
				t.Errorf("accused: %s: %s, not %s", f.Rule, f.Actual, f.Expected)
			}
			if slices.Contains(judged.Exercised, rule) {
				t.Errorf("%s counts as exercised", rule)
			}
			if !slices.ContainsFunc(judged.Unjudged, func(u spec.Unjudged) bool { return u.Rule == rule && strings.Contains(u.Reason, h.says) }) {
				t.Errorf("what was not judged is %v, and says nothing of %q", judged.Unjudged, h.says)
			}
		})
	}
}

// Each reason that the code can give for a hole is tried above.
func TestAllKindsOfHolesAreTried(t *testing.T) {
	reasons := regexp.MustCompile(`(?:\.wrong|\.unknown|\.hole|\.remark|Reason:|noSchema +=|manyReadings +=).*?"([^" \n]+ [^"\n]+)"`)
	tried := map[string]bool{}
	var known []string
	for _, h := range holes() {
		known = append(known, h.says)
	}
	for _, folder := range []string{".", "doubt", "../schema"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range reasons.FindAllStringSubmatch(string(text), -1) {
				tried[m[1]] = slices.ContainsFunc(known, func(says string) bool { return like(m[1], says) })
			}
		}
	}
	if len(tried) < 30 {
		t.Fatalf("found %d reasons in the source, and there are more", len(tried))
	}
	for reason, is := range tried {
		if why := unreachable[reason]; !is && why == "" {
			t.Errorf("no hole is tried whose reason is %q", reason)
		}
	}
}

// unreachable are reasons that no response leads to, with the reason for that.
var unreachable = map[string]string{
	"content of the media type ":                           "its end is what is tried",
	"the schema cannot be compiled: %v":                    "the translation holds nothing that the compiler refuses",
	"the schema is nested deeper than %d levels":           "a document that nests so deep is refused",
	"patternProperties has more than %d schemas":           "a document that holds so many is refused",
	"there is no schema here":                              "only a survey of all schemas looks at a place that is not there",
	"the discriminator refers to %s, which does not exist": "it is told of the document, and the value is judged by the alternatives",
	"the schema cannot be judged by":                       "each schema of a contract has a validator",
	"the stream was not read to its end: ":                 "the bytes are in memory, and reading them does not fail",
}

// like reports whether a reason may contain a text: whether a part of it between its verbs does.
func like(format, says string) bool {
	const long = 7
	for _, part := range regexp.MustCompile(`%[a-z]`).Split(format, -1) {
		if part = strings.TrimSpace(part); len(part) >= long && (strings.Contains(part, says) || strings.Contains(says, part)) {
			return true
		}
	}
	return false
}
