package vocabulary_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/spec/promise"
	"hallmark/spec/request"
	"hallmark/steps/generate"
	"hallmark/steps/truncate"
	"hallmark/tests/rehearse"
)

var layouts = []string{"in reverse order", "over several lines", "without any blanks", "with its letters escaped"}

// plans are bodies with everything that JSON allows.
var plans = map[string]func() *request.Plan{
	"a plain one":    func() *request.Plan { return &request.Plan{} },
	"with a status":  func() *request.Plan { return generate.With("status", `"sold"`) },
	"with one field": func() *request.Plan { return &request.Plan{Without: []string{"categoryId"}} },
	"without any":    func() *request.Plan { return &request.Plan{Without: []string{"categoryId", "name"}} },
	"commas in texts": func() *request.Plan {
		return &request.Plan{Set: []request.Change{{Property: "name", JSON: `"Rex, \"the\": dog, {a: b}"`}}}
	},
	"a great number": func() *request.Plan { return generate.With("categoryId", "-9223372036854775808") },
	"words and exponents": func() *request.Plan {
		return &request.Plan{Set: []request.Change{{Property: "categoryId", JSON: "1e0"}}, Extra: `"tame": true, "tail": null, "age": 2.50E+1`}
	},
	"nested": func() *request.Plan {
		return &request.Plan{Extra: `"tags": [1, {"a": [], "b": {}}], "of": {"x": "y, z"}`}
	},
}

func build(t *testing.T, plan *request.Plan) *generate.SentBody {
	t.Helper()
	st := rehearse.New(t, "create.accepted", rehearse.NewShop())
	op, err := st.Scenario.Operation("createPet")
	if err != nil {
		t.Fatal(err)
	}
	return generate.Build(op, plan, st.Scenario.Run.Target.Plain, st.Scenario.Run)
}

func TestEachDamageMakesABodyThatIsNoJSONText(t *testing.T) {
	for _, damage := range derive.Damages() {
		if !request.KnownDamage(damage) {
			t.Errorf("the damage %q is derived, and nobody knows how to do it", damage)
		}
		for name, plan := range plans {
			p := plan()
			p.Damage = damage
			if sent := build(t, p); json.Valid(sent.Raw) || sent.Values != nil {
				t.Errorf("%s, %s: %s is valid JSON", name, damage, sent.Raw)
			}
		}
	}
	if request.KnownDamage("beyond repair") {
		t.Error("any damage is known")
	}
}

// The table of what readers do with damaged bodies lists everything that a run sends.
func TestDocsNameEachDamage(t *testing.T) {
	page, err := os.ReadFile("../../docs/json-readers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range slices.Concat(derive.Damages(), promise.Damages()) {
		if !strings.Contains(string(page), "\n| "+damage+" |") {
			t.Errorf("docs/json-readers.md does not say what readers make of a body %s", damage)
		}
	}
}

func TestABodyInsideAnArrayIsJSONButNoObject(t *testing.T) {
	for name, plan := range plans {
		p := plan()
		p.Damage = "inside an array"
		var items []map[string]any
		if sent := build(t, p); json.Unmarshal(sent.Raw, &items) != nil || len(items) != 1 || sent.Values != nil {
			t.Errorf("%s: %s", name, sent.Raw)
		}
	}
}

func TestEachLayoutMeansTheSameJSON(t *testing.T) {
	for name, plan := range plans {
		for _, layout := range layouts {
			p := plan()
			plain, laid := build(t, plan()), *p
			laid.Layout = layout
			sent := build(t, &laid)
			want, got := spec.Decode(&spec.Response{Body: plain.Raw}), spec.Decode(&spec.Response{Body: sent.Raw})
			if !got.Valid || !want.Equal(got) {
				t.Errorf("%s, %s: %s does not mean %s", name, layout, sent.Raw, plain.Raw)
			}
			if len(sent.Values) != len(plain.Values) {
				t.Errorf("%s, %s: it is remembered as %v", name, layout, sent.Values)
			}
			if name == "with a status" && string(sent.Raw) == string(plain.Raw) {
				t.Errorf("%s is no other way to write it", layout)
			}
		}
	}
}

func TestLayoutsAsTheirNamesSay(t *testing.T) {
	with := func(layout string) string {
		return string(build(t, &request.Plan{Set: []request.Change{{Property: "name", JSON: `"Rex"`}}, Layout: layout}).Raw)
	}
	if got := with("in reverse order"); strings.Index(got, "categoryId") > strings.Index(got, "name") {
		t.Errorf("in reverse order: %s", got)
	}
	if got := with("over several lines"); strings.Count(got, "\n") < 3 || !strings.Contains(got, "\t") {
		t.Errorf("over several lines: %q", got)
	}
	if got := with("without any blanks"); strings.ContainsAny(got, " \t\r\n") {
		t.Errorf("without any blanks: %s", got)
	}
	if got := with("with its letters escaped"); strings.Contains(got, "name") || !strings.Contains(got, `\u006e\u0061\u006d\u0065`) {
		t.Errorf("with its letters escaped: %s", got)
	}
}

func TestPlainBodies(t *testing.T) {
	st := rehearse.New(t, "create.accepted", rehearse.NewShop())
	op, _ := st.Scenario.Operation("createPet")
	seen := map[string]bool{}
	for range 200 {
		sent := generate.Build(op, nil, st.Scenario.Run.Target.Plain, st.Scenario.Run)
		name, _ := sent.Values["name"].(string)
		if seen[name] || len(name) > 40 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Fatalf("the name %q is no plain one, or was there before", name)
		}
		seen[name] = true
		if !st.Scenario.Run.IsMine(name) || len(sent.Names) != 1 || sent.Names[0] != name {
			t.Errorf("the name %q is not known as the run's own: %q", name, sent.Names)
		}
		if want := fmt.Sprintf(`{"name": %q, "categoryId": 1}`, name); string(sent.Raw) != want || sent.MediaType != "application/json" {
			t.Errorf("sent %s as %q, want %s", sent.Raw, sent.MediaType, want)
		}
	}
	get, _ := st.Scenario.Operation("getPet")
	if sent := generate.Build(get, nil, st.Scenario.Run.Target.Plain, st.Scenario.Run); sent != nil {
		t.Errorf("a body where none is taken: %s", sent.Raw)
	}
}

// What the features say is what is sent, byte by byte.
func TestWhatIsSent(t *testing.T) {
	const typed = "[application/json]"
	for name, test := range map[string]struct {
		given     []string
		want      string // {name} stands for the name that was made up
		mediaType string
		noBody    bool
	}{
		"nothing given":             {nil, `{"name": "{name}", "categoryId": 1}`, typed, false},
		"a property":                {[]string{`a plain body where status is "sold"`}, `{"name": "{name}", "categoryId": 1, "status": "sold"}`, typed, false},
		"two properties":            {[]string{`a plain body where categoryId is -5`, `a plain body where status is null`}, `{"name": "{name}", "categoryId": -5, "status": null}`, typed, false},
		"a number as it is written": {[]string{`a plain body where categoryId is 1.50e+2`}, `{"name": "{name}", "categoryId": 1.50e+2}`, typed, false},
		"a great number":            {[]string{`a plain body where categoryId is 9223372036854775808`}, `{"name": "{name}", "categoryId": 9223372036854775808}`, typed, false},
		"a nested value":            {[]string{`a plain body where name is [{"a": 1}]`}, `{"name": [{"a": 1}], "categoryId": 1}`, typed, false},
		"escapes as written":        {[]string{`a plain body where name is "a\u0000\n\"b"`}, `{"name": "a\u0000\n\"b", "categoryId": 1}`, typed, false},
		"a property left out":       {[]string{`a plain body without name`}, `{"categoryId": 1}`, typed, false},
		"both left out":             {[]string{`a plain body without name`, `a plain body without categoryId`}, `{}`, typed, false},
		"what is not documented":    {[]string{`a plain body where colour is "red"`}, `{"name": "{name}", "categoryId": 1, "colour": "red"}`, typed, false},
		"further members":           {[]string{`a plain body with "a": [1, 2], "b": null`}, `{"name": "{name}", "categoryId": 1, "a": [1, 2], "b": null}`, typed, false},
		"a key twice":               {[]string{`a plain body with "categoryId": 2`}, `{"name": "{name}", "categoryId": 1, "categoryId": 2}`, typed, false},
		"a whole body":              {[]string{`the body is {"a": 1}`}, `{"a": 1}`, typed, false},
		"a body that is null":       {[]string{`the body is null`}, `null`, typed, false},
		"a body that is a text":     {[]string{`the body is "text"`}, `"text"`, typed, false},
		"an empty body":             {[]string{`the body is empty`}, ``, typed, false},
		"a blank body":              {[]string{`the body is blank`}, " \n ", typed, false},
		"no body":                   {[]string{`there is no body`}, ``, typed, true},
		"no body and no type":       {[]string{`there is no body`, `the Content-Type is absent`}, ``, "[]", true},
		"another type":              {[]string{`the Content-Type is text/plain`}, `{"name": "{name}", "categoryId": 1}`, "[text/plain]", false},
		"no type":                   {[]string{`the Content-Type is absent`}, `{"name": "{name}", "categoryId": 1}`, "[]", false},
		"cut short":                 {[]string{`a plain body cut short`}, `{"name": "{name}", "categoryId": 1`, typed, false},
		"in single quotes":          {[]string{`a plain body in single quotes`}, `{'name': '{name}', 'categoryId': 1}`, typed, false},
		"without quotes":            {[]string{`a plain body without quotes around its names`}, `{name: "{name}", categoryId: 1}`, typed, false},
		"a second object":           {[]string{`a plain body followed by a second object`}, `{"name": "{name}", "categoryId": 1} {"name": "{name}", "categoryId": 1}`, typed, false},
		"a bare word":               {[]string{`a plain body with a bare word as a value`}, `{"name": "{name}", "categoryId": 1, "more": yes}`, typed, false},
		"inside an array":           {[]string{`a plain body inside an array`}, `[{"name": "{name}", "categoryId": 1}]`, typed, false},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			st := rehearse.New(t, "create.accepted", service)
			st.Do(append(test.given, "createPet is called")...)
			a := service.Asked[0]
			const made = "hallmark-test01-1" // the first name of the run
			if want := strings.ReplaceAll(test.want, "{name}", made); string(a.Body) != want {
				t.Errorf("sent %q, want %q", a.Body, want)
			}
			if got := fmt.Sprint(a.Header["Content-Type"]); got != test.mediaType {
				t.Errorf("as %s, want %s", got, test.mediaType)
			}
			if a.HasBody == test.noBody {
				t.Errorf("there is a body: %v", a.HasBody)
			}
			if st.Do("createPet is called"); len(service.Asked) != 2 || !strings.HasPrefix(string(service.Asked[1].Body), `{"name": "hallmark`) {
				t.Error("what was given is used a second time")
			}
		})
	}
}

func TestNamesThatFeaturesAskFor(t *testing.T) {
	for given, check := range map[string]func(name string) bool{
		`a plain body where name is "{unique}"`:               func(n string) bool { return len(n) < 40 },
		`a plain body where name is "{unique} Rex The Dog"`:   func(n string) bool { return strings.HasSuffix(n, " Rex The Dog") },
		`a plain body where name is "{unique:40}"`:            func(n string) bool { return len(n) == 40 },
		`a plain body where name is 300 characters long`:      func(n string) bool { return len(n) == 300 },
		`a plain body where name is 41 characters long`:       func(n string) bool { return len(n) == 41 },
		`a plain body where name is "Zoë\u0308 {unique} 🐕"`:   func(n string) bool { return strings.HasPrefix(n, "Zoë\u0308 ") && strings.HasSuffix(n, " 🐕") },
		`a plain body where name is "\"{unique}\" \\ \u0000"`: func(n string) bool { return strings.HasPrefix(n, `"hall`) && strings.HasSuffix(n, "\" \\ \x00") },
	} {
		st := rehearse.New(t, "create.name.unusual", rehearse.NewShop())
		for range 2 {
			st.Do(given, "createPet is called")
		}
		first, second := st.Scenario.Exchanges()[0], st.Scenario.Exchanges()[1]
		if string(first.Request.Body) == string(second.Request.Body) {
			t.Errorf("%s: twice the same", given)
		}
		name, _ := st.Scenario.Answers()[0].Sent.Values["name"].(string)
		if !check(name) || !st.Scenario.Run.IsMine(name) || !utf8.ValidString(name) {
			t.Errorf("%s: %q", given, name)
		}
		if names := st.Scenario.Answers()[0].Sent.Names; len(names) != 1 || names[0] != name {
			t.Errorf("%s: %q is remembered as %q", given, name, names)
		}
	}
}

// Names that do not show the run: too short for it, or digits.
func TestNamesThatNobodyRecognises(t *testing.T) {
	for given, check := range map[string]func(name string) bool{
		`a plain body where name is 2 characters long`: func(n string) bool { return len(n) == 2 },
		`a plain body where name is "{digits}"`:        func(n string) bool { return len(n) >= 18 && strings.Trim(n, "0123456789") == "" },
	} {
		st := rehearse.New(t, "create.name.unusual", rehearse.NewShop())
		st.Do(given, "createPet is called")
		sent := st.Scenario.Answers()[0].Sent
		if name, _ := sent.Values["name"].(string); !check(name) {
			t.Errorf("%s: %q", given, name)
		}
		if len(sent.Names) != 0 {
			t.Errorf("%s: it is taken for a name of this run: %q", given, sent.Names)
		}
	}
}

func TestStepsOnBodiesThatNameNothing(t *testing.T) {
	st := rehearse.New(t, "create.accepted", rehearse.NewShop())
	if err := st.Play("a plain body with a hole in it"); err == nil || !strings.Contains(err.Error(), `no damage to a body is called "with a hole in it"`) {
		t.Errorf("an unknown damage: %v", err)
	}
}

func TestPlainValues(t *testing.T) {
	r := rehearse.New(t, "create.accepted", rehearse.NewShop()).Scenario.Run
	plain := func(p spec.Property, names *[]string) string {
		return generate.Plain(p, r.Target.Plain, func() string {
			name := r.FreshName()
			*names = append(*names, name)
			return name
		})
	}
	for want, schema := range map[string]*spec.Schema{
		`"red"`: {Type: "string", Enum: []string{`"red"`, `"blue"`}},
		"7":     {Type: "integer", Minimum: "7"},
		"1":     {Type: "number"},
		"true":  {Type: "boolean"},
		"[]":    {Type: "array"},
		"{}":    {Type: "object"},
		"null":  {},
	} {
		var names []string
		if got := plain(spec.Property{Name: "x", Edge: spec.Edge{Schema: schema}}, &names); got != want || len(names) != 0 {
			t.Errorf("%+v: %s, want %s", schema, got, want)
		}
	}
	var names []string
	if got := plain(spec.Property{Name: "categoryId", Edge: spec.Edge{Schema: &spec.Schema{Type: "integer"}}}, &names); got != "1" {
		t.Errorf("the configured value is not used: %s", got)
	}
	if got := plain(spec.Property{Name: "x", Edge: spec.Edge{Schema: &spec.Schema{Type: "string"}}}, &names); len(names) != 1 || got != generate.JSONString(names[0]) {
		t.Errorf("%s, %q", got, names)
	}
}

func TestQuoteJSON(t *testing.T) {
	for text, want := range map[string]string{
		"Rex": `"Rex"`, "<b>&": `"<b>&"`, `a"b\c`: `"a\"b\\c"`, "小黑🐕": `"小黑🐕"`, "\x00\n": `"\u0000\n"`, "": `""`,
	} {
		if got := generate.JSONString(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestQuoted(t *testing.T) {
	long := strings.Repeat("a", 300)
	for text, want := range map[string]string{
		"Rex":   `"Rex"`,
		"a\x00": `"a\x00"`,
		long:    `"` + long[:40] + `" … "` + long[:40] + `" (300 characters)`,
	} {
		if got := truncate.Quoted(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
