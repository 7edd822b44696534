package judge

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/phrase"
)

const (
	rex      = `{"id":41,"name":"Rex","categoryId":1}`
	notFound = `{"code":"not_found","message":"","status":404}`
)

// show is a finding in one line, in the parts that people read.
func show(f spec.Finding) string {
	line := f.Rule + ": " + f.Expected.String() + " | " + f.Actual.String()
	if f.Pointer != "" {
		line += " | at " + f.Pointer
	}
	if f.After != "" {
		line += " | after " + f.After
	}
	return line
}

func TestAnswerPassesWhatIsSound(t *testing.T) {
	full := `{"id":-9223372036854775808,"name":"","categoryId":9223372036854775807,"status":"sold","tail":{"long":[null,1e999]},"Name":null}`
	for name, ex := range map[string]*spec.Exchange{
		"an empty list":            answer("listPets", 200, "[]"),
		"a list":                   answer("listPets", 200, pets(100)),
		"extra fields":             answer("listPets", 200, "["+full+"]"),
		"an animal":                answer("createPet", 201, rex),
		"an id written 1.0":        answer("createPet", 201, `{"id":1.0,"name":"Rex","categoryId":1e2}`),
		"an id of minus zero":      answer("createPet", 201, `{"id":-0,"name":"Rex","categoryId":1}`),
		"any text as a name":       answer("getPet", 200, `{"id":1,"name":"\u0000\ud800<b>'; --","categoryId":1}`),
		"an error":                 answer("getPet", 404, notFound),
		"an error with more":       answer("createPet", 400, `{"code":"","message":"","status":400,"trace":[{}]}`),
		"an error's giant status":  answer("getPet", 404, `{"code":"x","message":"y","status":1e5000}`),
		"an error not documented":  answer("listPets", 503, `{"code":"x","message":"y","status":503}`),
		"a success not documented": answer("createPet", 200, rex),
		"a charset":                answerAs("getPet", 200, "application/json; charset=utf-8", rex),
		"upper case":               answerAs("getPet", 200, "APPLICATION/JSON;Charset=UTF-8", rex),
		"odd parameters":           answerAs("getPet", 200, " application/json ;;=;", rex),
		"a field twice, the same":  answer("getPet", 200, `{"id":1,"id":1.0,"name":"Rex","categoryId":1}`),
		"another field twice":      answer("getPet", 200, `{"id":1,"name":"Rex","categoryId":1,"x":1,"x":2}`),
		"white space around":       answer("getPet", 200, "\r\n"+rex+"\n"),
	} {
		t.Run(name, func(t *testing.T) {
			body, findings, exercised := testJudge(t).Answer(ex)
			for _, f := range findings {
				t.Error(show(f))
			}
			if !body.Valid || body.Err != nil || len(exercised) == 0 {
				t.Errorf("valid %v, error %v, exercised %v", body.Valid, body.Err, exercised)
			}
		})
	}
}

func TestAnswerJudgesTheEnvelope(t *testing.T) {
	const wantError = "a JSON object that says what went wrong"
	noJSON := `no valid JSON (invalid character '<' at start of value, at byte 0): "<html>"`
	tests := map[string]struct {
		exchange *spec.Exchange
		want     []string
	}{
		"no body":             {answer("listPets", 200, ""), []string{"answer.body: one JSON text | no body"}},
		"no body, no type":    {answerAs("createPet", 201, "", ""), []string{"answer.body: one JSON text | no body"}},
		"a blank body":        {answer("listPets", 200, " \n"), []string{"answer.json: one JSON text | nothing but white space"}},
		"no type":             {answerAs("getPet", 200, "", rex), []string{"answer.media-type: application/json | no Content-Type"}},
		"another type":        {answerAs("getPet", 200, "text/plain; charset=utf-8", rex), []string{"answer.media-type: application/json | text/plain"}},
		"a suffix":            {answerAs("getPet", 404, "application/problem+json", notFound), []string{"answer.media-type: application/json | application/problem+json"}},
		"a longer type":       {answerAs("getPet", 200, "application/jsonx", rex), []string{"answer.media-type: application/json | application/jsonx"}},
		"an odd type":         {answerAs("getPet", 200, "\x00\x7f", rex), []string{`answer.media-type: application/json | \x00\x7f`}},
		"HTML":                {answerAs("getPet", 200, "text/html", "<html>"), []string{"answer.json: one JSON text | " + noJSON, "answer.media-type: application/json | text/html | after answer.json"}},
		"HTML said to be it":  {answer("getPet", 200, "<html>"), []string{"answer.json: one JSON text | " + noJSON}},
		"text after":          {answer("getPet", 200, rex+"x"), []string{`answer.json: one JSON text | no valid JSON (text follows the value, after byte 37): "{\"id\":41,\"name\":\"Rex\",\"categoryId\":1}x"`}},
		"a byte order mark":   {answer("getPet", 200, "\ufeff{}"), []string{`answer.json: one JSON text | no valid JSON (it begins with a byte order mark): "\ufeff{}"`}},
		"no error body":       {answer("getPet", 404, ""), []string{"error.body: " + wantError + " | no body"}},
		"an HTML error":       {answerAs("getPet", 404, "text/html", "<html>"), []string{"error.body: " + wantError + " | " + noJSON, "answer.media-type: application/json | text/html | after error.body"}},
		"an error as an list": {answer("getPet", 404, "[]"), []string{"error.body: an object | an empty array"}},
		"an error as null":    {answer("getPet", 404, "null"), []string{"error.body: an object | null"}},
		"an unknown error":    {answer("listPets", 500, "{}"), []string{"error.code: the field code, a string | no field code", "error.message: the field message, a string | no field message", "error.status: the field status, an integer | no field status"}},
		"no unknown error":    {answer("listPets", 502, ""), []string{"error.body: " + wantError + " | no body"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, findings, _ := testJudge(t).Answer(test.exchange)
			var got []string
			for _, f := range findings {
				got = append(got, show(f))
				if len(f.Exchanges) != 1 || f.Exchanges[0] != 7 || f.Cause == "" || !testContract(t).Exists(f.Contract) {
					t.Errorf("exchanges %v, cause %q, contract %q", f.Exchanges, f.Cause, f.Contract)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What a wrong status brings about by itself is marked as its consequence.
func TestAnswerMarksConsequencesOfTheStatus(t *testing.T) {
	expect := func(ex *spec.Exchange, rule string, statuses ...int) *spec.Exchange {
		ex.Expect = spec.Expect{Statuses: statuses, Rule: rule}
		return ex
	}
	tests := map[string]struct {
		exchange *spec.Exchange
		want     string // the rules after which the findings come
	}{
		"204":                     {expect(answer("createPet", 204, ""), "create.accepted", 201), "create.accepted"},
		"204, by no rule":         {expect(answer("listPets", 204, ""), "", 200), "answer.status"},
		"a redirect's page":       {expect(answerAs("listPets", 301, "text/html", "<a>"), "list.accepted", 200), "list.accepted answer.json"},
		"a redirect without":      {expect(answerAs("listPets", 307, "", ""), "list.accepted", 200), "list.accepted"},
		"304":                     {expect(answerAs("getPet", 304, "", ""), "get.found", 200), "get.found"},
		"204 where all is open":   {answer("listPets", 204, ""), ""},
		"200 for 201, but a list": {expect(answer("createPet", 200, "[]"), "create.accepted", 201), ""},
		"429 without a time":      {expect(answer("createPet", 429, ""), "create.accepted", 201), ""},
		"no body at 500":          {expect(answer("createPet", 500, ""), "create.accepted", 201), ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, findings, _ := testJudge(t).Answer(test.exchange)
			var got []string
			for _, f := range findings {
				got = append(got, f.After)
			}
			if len(findings) == 0 || strings.Join(got, " ") != test.want {
				t.Errorf("%d findings after %q, want %q", len(findings), got, test.want)
			}
		})
	}
}

func TestAnswerJudgesTheSchema(t *testing.T) {
	tests := map[string]struct {
		operation string
		status    int
		body      string
		want      []string
	}{
		"null for a list":      {"listPets", 200, "null", []string{"list.array: an array | null"}},
		"a list in an object":  {"listPets", 200, `{"items":[]}`, []string{"list.array: an array | an object of 1 field"}},
		"101 animals":          {"listPets", 200, pets(101), []string{"list.maximum: at most 100 items | 101 items"}},
		"an item as an array":  {"listPets", 200, "[[]]", []string{"pet.object: an object | an empty array | at /0"}},
		"an item as null":      {"listPets", 200, "[" + rex + ",null]", []string{"pet.object: an object | null | at /1"}},
		"an array for one":     {"getPet", 200, "[" + rex + "]", []string{"pet.object: an object | an array of 1 item"}},
		"no id":                {"getPet", 200, `{"name":"Rex","categoryId":1}`, []string{"pet.id: the field id, an int64 | no field id"}},
		"an id in other case":  {"getPet", 200, `{"ID":1,"name":"Rex","categoryId":1}`, []string{"pet.id: the field id, an int64 | no field id"}},
		"an id as text":        {"getPet", 200, `{"id":"41","name":"Rex","categoryId":1}`, []string{`pet.id: an int64 | the string "41" | at /id`}},
		"an id as null":        {"getPet", 200, `{"id":null,"name":"Rex","categoryId":1}`, []string{"pet.id: an int64 | null | at /id"}},
		"an id with a half":    {"getPet", 200, `{"id":1.5,"name":"Rex","categoryId":1}`, []string{"pet.id: an int64 | the number 1.5 | at /id"}},
		"2^53 and a half":      {"getPet", 200, `{"id":9007199254740992.5,"name":"Rex","categoryId":1}`, []string{"pet.id: an int64 | the number 9007199254740992.5 | at /id"}},
		"2^63":                 {"getPet", 200, `{"id":9223372036854775808,"name":"Rex","categoryId":1}`, []string{"pet.id: an int64 | the number 9223372036854775808 | at /id"}},
		"1e30":                 {"getPet", 200, `{"id":1e30,"name":"Rex","categoryId":1}`, []string{"pet.id: an int64 | the number 1e30 | at /id"}},
		"name and category":    {"getPet", 200, `{"id":1,"name":7,"categoryId":true}`, []string{"pet.categoryId: an int64 | true | at /categoryId", "pet.name: a string | the number 7 | at /name"}},
		"a status unknown":     {"getPet", 200, `{"id":1,"name":"Rex","categoryId":1,"status":"Sold"}`, []string{`pet.status: one of available, pending and sold | the string "Sold" | at /status`}},
		"a status empty":       {"getPet", 200, `{"id":1,"name":"Rex","categoryId":1,"status":""}`, []string{`pet.status: one of available, pending and sold | the string "" | at /status`}},
		"a status null":        {"getPet", 200, `{"id":1,"name":"Rex","categoryId":1,"status":null}`, []string{`pet.status: one of available, pending and sold | null | at /status`}},
		"a status escaped":     {"getPet", 200, `{"id":1,"name":"Rex","categoryId":1,"status":"\u0073old"}`, nil},
		"two names":            {"getPet", 200, `{"id":1,"name":"Rex","name":"Mia","categoryId":1}`, []string{`pet.name: one value, a string | the field twice, with the string "Rex" and the string "Mia" | at /name`}},
		"a null, then a value": {"getPet", 200, `{"id":null,"id":1,"name":"Rex","categoryId":1}`, []string{"pet.id: one value, an int64 | the field twice, with null and the number 1 | at /id"}},
		"an error's code":      {"getPet", 404, `{"code":404,"message":null,"status":"404"}`, []string{"error.code: a string | the number 404 | at /code", "error.message: a string | null | at /message", `error.status: an integer | the string "404" | at /status`}},
		"an error's fraction":  {"getPet", 404, `{"code":"","message":"","status":404.5}`, []string{"error.status: an integer | the number 404.5 | at /status"}},
		"an error for animals": {"listPets", 200, notFound, []string{"list.array: an array | an object of 3 fields"}},
		"an animal as error":   {"listPets", 401, rex, []string{"error.code: the field code, a string | no field code", "error.message: the field message, a string | no field message", "error.status: the field status, an integer | no field status"}},
		"a list when created":  {"createPet", 200, "[]", []string{"pet.object: an object | an empty array"}},
		"ill-formed text":      {"getPet", 200, `{"id":"\u202e\u0007\"` + strings.Repeat("x", 100) + `","name":"Rex","categoryId":1}`, []string{`pet.id: an int64 | the string "\u202e\a\"` + strings.Repeat("x", 57) + `"… | at /id`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			body, findings, _ := testJudge(t).Answer(answer(test.operation, test.status, test.body))
			if !body.Valid || body.Err != nil {
				t.Errorf("valid %v, error %v", body.Valid, body.Err)
			}
			var got []string
			for _, f := range findings {
				got = append(got, show(f))
				if !testContract(t).Exists(f.Contract) {
					t.Errorf("the contract pointer %q leads nowhere", f.Contract)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnswerGathersViolationsOfOneKind(t *testing.T) {
	items := make([]string, 100)
	for i := range items {
		items[i] = rex
		if i%15 == 3 {
			items[i] = `{"id":"41","name":"Rex","categoryId":1}`
		}
	}
	items[50] = `{"id":null,"name":"Rex","categoryId":1}`
	_, findings, _ := testJudge(t).Answer(answer("listPets", 200, "["+strings.Join(items, ",")+"]"))
	want := []spec.Finding{
		{
			Rule: "pet.id", Operation: "listPets", Kind: spec.KindType, Detail: "string",
			Expected: phrase.Of("{}", phrase.Value{Schema: &phrase.Schema{Type: "integer", Format: "int64"}}),
			Actual:   phrase.Of("the string {} ({} of {}; first at {})", phrase.JSON(`"41"`), phrase.Number(7), phrase.Count(100, "item"), phrase.Pointer("/3/id")),
			Where:    phrase.Place{Method: "GET", Path: "/pets?limit=3", Status: 200, Pointer: "/3/id"}, Pointer: "/3/id",
			Contract: "/components/schemas/Pet/properties/id/type", Exchanges: []int{7},
			Cause: "pet.id /components/schemas/Pet/properties/id/type string",
		},
		{
			Rule: "pet.id", Operation: "listPets", Kind: spec.KindType, Detail: "null",
			Expected: phrase.Of("{}", phrase.Value{Schema: &phrase.Schema{Type: "integer", Format: "int64"}}), Actual: phrase.Of("{}", phrase.JSON("null")),
			Where: phrase.Place{Method: "GET", Path: "/pets?limit=3", Status: 200, Pointer: "/50/id"}, Pointer: "/50/id",
			Contract: "/components/schemas/Pet/properties/id/type", Exchanges: []int{7},
			Cause: "pet.id /components/schemas/Pet/properties/id/type null",
		},
	}
	if diff := cmp.Diff(want, findings); diff != "" {
		t.Error(diff)
	}
}

// One defect has one cause, whatever the value and the exchange; two defects have two.
func TestCauses(t *testing.T) {
	cause := func(ex *spec.Exchange) string {
		t.Helper()
		_, findings, _ := testJudge(t).Answer(ex)
		if len(findings) != 1 {
			t.Fatalf("%d findings", len(findings))
		}
		return findings[0].Cause
	}
	id := func(id string) string { return `{"id":` + id + `,"name":"Rex","categoryId":1}` }
	same := [][2]*spec.Exchange{
		{answer("getPet", 200, id(`"1"`)), answer("listPets", 200, "["+id(`"2"`)+"]")},
		{answer("getPet", 200, id("1e30")), answer("createPet", 201, id("9223372036854775808"))},
		{answer("getPet", 401, ""), answer("listPets", 401, "")}, // both are the response Unauthorized
		{answer("getPet", 200, "<a>"), answer("getPet", 200, "<b>")},
	}
	for _, pair := range same {
		if a, b := cause(pair[0]), cause(pair[1]); a != b {
			t.Errorf("%q and %q differ", a, b)
		}
	}
	other := []*spec.Exchange{
		answer("getPet", 200, id(`"1"`)), answer("getPet", 200, id("1e30")), answer("getPet", 200, id("null")),
		answer("getPet", 200, id("1.5")), answer("getPet", 200, ""), answer("getPet", 200, "<a>"), answer("getPet", 404, ""),
		answer("getPet", 401, ""), answer("getPet", 500, ""), answer("getPet", 502, ""), answer("listPets", 200, ""),
		answerAs("getPet", 200, "", rex), answerAs("getPet", 404, "", notFound),
	}
	seen := map[string]int{}
	for i, ex := range other {
		c := cause(ex)
		if first, twice := seen[c]; twice {
			t.Errorf("%d and %d have the cause %q", first, i, c)
		}
		seen[c] = i
	}
}

func TestExercised(t *testing.T) {
	envelope := []string{"answer.body", "answer.json", "answer.media-type"}
	pet := []string{"pet.categoryId", "pet.id", "pet.name", "pet.object"}
	list := []string{"list.array"}
	failed := []string{"answer.media-type", "error.body", "error.code", "error.message", "error.status"}
	tests := map[string]struct {
		exchange *spec.Exchange
		want     []string
	}{
		"an empty list":        {answer("listPets", 200, "[]"), slices.Concat(envelope, list)},
		"a list":               {answer("listPets", 200, "["+rex+"]"), slices.Concat(envelope, list, pet)},
		"the last has status":  {answer("listPets", 200, "["+rex+","+rex+`,{"status":"sold"}]`), slices.Concat(envelope, list, pet, []string{"pet.status"})},
		"a full list":          {answer("listPets", 200, "["+strings.Repeat(rex+",", 99)+rex+"]"), slices.Concat(envelope, list, pet, []string{"list.maximum"})},
		"no list":              {answer("listPets", 200, "{}"), slices.Concat(envelope, []string{"list.array"})},
		"an animal":            {answer("getPet", 200, rex), slices.Concat(envelope, pet)},
		"no animal":            {answer("getPet", 200, "3"), slices.Concat(envelope, []string{"pet.object"})},
		"an error":             {answer("getPet", 404, notFound), failed},
		"an error's null":      {answer("getPet", 404, "null"), failed[:2]},
		"a redirect":           {answer("getPet", 302, "{}"), envelope},
		"no body":              {answer("getPet", 200, ""), envelope[:1]},
		"no error body":        {answer("getPet", 404, ""), []string{"error.body"}},
		"no JSON":              {answer("getPet", 200, "<"), envelope},
		"outside the contract": {&spec.Exchange{Response: &spec.Response{Status: 200}}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, got := testJudge(t).Answer(test.exchange)
			slices.Sort(test.want)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Where there is nothing to judge there are no findings; where the harness fails it says so.
func TestAnswerJudgesOnlyAnswers(t *testing.T) {
	change := func(change func(*spec.Exchange)) *spec.Exchange {
		ex := answerAs("listPets", 200, "text/html", "<html>")
		change(ex)
		return ex
	}
	tests := map[string]struct {
		exchange *spec.Exchange
		err      bool
	}{
		"no operation":      {change(func(ex *spec.Exchange) { ex.Operation = "" }), false},
		"no response":       {change(func(ex *spec.Exchange) { ex.Response = nil; ex.Lost = "connection reset" }), false},
		"half a response":   {change(func(ex *spec.Exchange) { ex.Lost = "connection reset" }), false},
		"too many requests": {change(func(ex *spec.Exchange) { ex.Response.Status = 429; ex.Response.Header.Set("Retry-After", "1") }), false},
		"not available":     {change(func(ex *spec.Exchange) { ex.Response.Status = 503; ex.Response.Header.Set("Retry-After", "1") }), false},
		"unknown operation": {change(func(ex *spec.Exchange) { ex.Operation = "dropPet" }), true},
		"a cut body": {change(func(ex *spec.Exchange) {
			ex.Response = answer("listPets", 200, "[").Response
			ex.Response.TooLong = true
		}), true},
		"a kept beginning": {change(func(ex *spec.Exchange) { ex.Response = answer("listPets", 200, "[").Response; ex.Response.Size = 1000 }), true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			body, findings, _ := testJudge(t).Answer(test.exchange)
			if len(findings) > 0 || (body.Err != nil) != test.err || body.Valid {
				t.Errorf("findings %v, error %v, valid %v", findings, body.Err, body.Valid)
			}
		})
	}
}

// Of a body that the client did not read to its end, what is wrong already is wrong for good.
func TestAnswerJudgesTheBeginningOfACutBody(t *testing.T) {
	many := pets(150)
	tests := map[string]struct {
		body string
		want string // the rules found broken; empty when nothing can be said
	}{
		"too many items":      {many[:len(many)-5], "list.maximum"},
		"just too many":       {pets(101), ""}, // the last might not be whole
		"an item":             {`[{"id":"1","name":"Rex","categoryId":1},{"id":2`, ""},
		"a whole item":        {`[{"id":"1","name":"Rex","categoryId":1},` + rex + `,{"id":2`, "pet.id"},
		"nothing":             {"", ""},
		"an open array":       {"[", ""},
		"half an item":        {`[{"id":"1"`, ""},
		"half a character":    {"[" + rex + "," + rex + `,{"name":"` + "\xf0\x9f\x98", ""},
		"no JSON":             {"[" + rex + ",<", "answer.json"},
		"no UTF-8":            {"[" + rex + ",\"\xff\"", "answer.json"},
		"half an object":      {`{"id":1,`, ""},
		"a half literal":      {"[tru", ""},
		"repeated":            {`[{"id":1,"id":2,"name":"Rex","categoryId":1},` + rex + `,`, "pet.id"},
		"whole, but not said": {"[]", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ex := answer("listPets", 200, test.body)
			ex.Response.TooLong = true
			body, findings, exercised := testJudge(t).Answer(ex)
			if rules(findings) != test.want || body.Valid || (body.Err == nil) != (test.want != "") {
				t.Errorf("broken %q, want %q; error %v", rules(findings), test.want, body.Err)
			}
			if test.want != "" && !slices.Contains(exercised, test.want) {
				t.Errorf("exercised %v", exercised)
			}
		})
	}
}

// A defect of a library must never read as one of the service.
func TestAPanicIsNoFinding(t *testing.T) {
	broken := &Judge{contract: testContract(t)} // without plans
	body, findings, exercised := broken.Answer(answer("listPets", 200, "[]"))
	if body.Err == nil || findings != nil || exercised != nil {
		t.Errorf("error %v, findings %v, exercised %v", body.Err, findings, exercised)
	}
}

func TestWhere(t *testing.T) {
	for url, want := range map[string]string{
		"https://pets.example.com/v1/pets/41":         "GET /pets/41 → 200",
		"http://127.0.0.1:80/a/b/v1/pets/-1?x=%20&y=": "GET /pets/-1?x=%20&y= → 200",
		"http://h/v1/pets/a%2Fb":                      "GET /pets/a%2Fb → 200",
		"http://h/":                                   "GET / → 200",
		"%":                                           "GET /pets/{petId} → 200",
	} {
		ex := answer("getPet", 200, "null")
		ex.Request.URL = url
		_, findings, _ := testJudge(t).Answer(ex)
		if got := findings[0].Where.String(); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

func TestNewNeedsARuleForEverything(t *testing.T) {
	contract := testContract(t)
	for _, missing := range []string{"answer.json", "error.body", "pet.object", "list.array", "list.maximum"} {
		c := catalogueOf(t, slices.DeleteFunc(slices.Clone(testCatalogue(t).Rules), func(r spec.Rule) bool { return r.ID == missing }))
		j, err := New(contract, c)
		// The maximum of a list is then covered by the rule about the list itself.
		if missing == "list.maximum" {
			if err != nil {
				t.Error(err)
			}
		} else if err == nil || j != nil {
			t.Errorf("without %s there is a judge", missing)
		}
	}
	if _, err := New(nil, nil); err == nil {
		t.Error("there is a judge without contract and catalogue")
	}
}

// What nobody has to read to its end is no body that anybody can use, and that is the service's matter.
func TestAnswerJudgesWhatIsBeyondMeasure(t *testing.T) {
	long := answer("listPets", 200, `"`+strings.Repeat("x", leastLong))
	long.Response.TooLong = true
	for name, test := range map[string]struct {
		exchange *spec.Exchange
		says     string
	}{
		"too deep": {answer("listPets", 200, strings.Repeat("[", 20000)+strings.Repeat("]", 20000)), "nests deeper"},
		"too long": {long, "no end of it"},
	} {
		body, findings, _ := testJudge(t).Answer(test.exchange)
		if len(findings) != 1 || findings[0].Rule != spec.RuleJSON || !strings.Contains(findings[0].Actual.String(), test.says) || body.Err != nil {
			t.Errorf("%s: %v, error %v", name, findings, body.Err)
		}
	}
}

// Fields may be added to an animal, as many as the service likes: that is never held against it.
func TestAnswerIsNotJudgedByTheNumberOfItsValues(t *testing.T) {
	many := answer("getPet", 200, `{"id":1,"name":"x","categoryId":1,"more":[`+strings.Repeat("1,", 120_000)+`1]}`)
	body, findings, _ := testJudge(t).Answer(many)
	if len(findings) > 0 || !exactjson.ExceedsLimit(body.Err) {
		t.Errorf("%v, error %v", findings, body.Err)
	}
	fewer := answer("getPet", 200, `{"id":1,"name":"x","categoryId":1,"more":[`+strings.Repeat("1,", 100_000)+`1]}`)
	if body, findings, _ := testJudge(t).Answer(fewer); len(findings) > 0 || body.Err != nil {
		t.Errorf("%v, error %v", findings, body.Err)
	}
}

func TestGiantNumbersCostNothing(t *testing.T) {
	j := testJudge(t)
	for _, literal := range []string{
		"1e10000000", "-1e10000000", "1e-10000000", "1e999999999999999999999999", strings.Repeat("9", 1_000_000),
		"0." + strings.Repeat("0", 1_000_000) + "1", "1e" + strings.Repeat("9", 1_000_000),
	} {
		_, findings, _ := j.Answer(answer("getPet", 200, `{"id":`+literal+`,"name":"Rex","categoryId":1}`))
		if len(findings) != 1 || findings[0].Rule != "pet.id" {
			t.Errorf("%s: %v", text.Literal(literal), findings)
		}
	}
}

func TestJudgeIsSafeForConcurrentUse(t *testing.T) {
	j := testJudge(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 50 {
				_, findings, _ := j.Answer(answer("listPets", 200, pets(i)))
				if len(findings) > 0 {
					t.Errorf("%d animals: %v", i, findings)
				}
				_, findings, _ = j.Answer(answer("listPets", 200, `[{"id":1.5,"name":"Rex","categoryId":1,"status":"Sold"}]`))
				if rules(findings) != "pet.id pet.status" {
					t.Errorf("broken: %s", rules(findings))
				}
				_, _ = j.contract.Match("GET", "/pets/41")
				_ = j.contract.Constraints()
				_ = j.contract.Line("/info")
			}
		})
	}
	group.Wait()
}
