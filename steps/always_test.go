package steps

import (
	"slices"
	"strings"
	"testing"

	"hallmark/spec"
)

// rules writes a table's columns briefly.
func rules(text string) []string { return strings.Fields(text) }

func TestListsAreJudgedByTheirLimit(t *testing.T) {
	const honoured, preset = "list.limit.honoured", "list.limit.default"
	for name, test := range map[string]struct {
		path          string
		animals       int
		judged, wrong string
	}{
		"as many as asked for":             {"/pets?limit=3", 3, honoured, ""},
		"fewer":                            {"/pets?limit=3", 0, honoured, ""},
		"one more":                         {"/pets?limit=3", 4, honoured, honoured},
		"two for one":                      {"/pets?limit=1", 2, honoured, honoured},
		"a hundred":                        {"/pets?limit=100", 100, honoured, ""},
		"a hundred and one":                {"/pets?limit=100", 101, honoured, honoured},
		"beside a status":                  {"/pets?status=sold&limit=2", 3, honoured, honoured},
		"beside an odd status":             {"/pets?limit=2&status=lost", 3, honoured, honoured},
		"the default":                      {"/pets", 20, preset, ""},
		"one more than the default":        {"/pets", 21, preset, preset},
		"more by default, filtered":        {"/pets?status=sold", 21, preset, preset},
		"more by default, odd query":       {"/pets?Limit=50", 21, preset, preset},
		"below the range":                  {"/pets?limit=0", 50, "", ""},
		"negative":                         {"/pets?limit=-1", 50, "", ""},
		"above the range":                  {"/pets?limit=101", 100, "", ""},
		"beyond every integer":             {"/pets?limit=99999999999999999999", 100, "", ""},
		"no number":                        {"/pets?limit=abc", 50, "", ""},
		"empty":                            {"/pets?limit=", 50, "", ""},
		"in another notation":              {"/pets?limit=05", 50, "", ""},
		"with a sign":                      {"/pets?limit=%2B5", 50, "", ""},
		"twice":                            {"/pets?limit=1&limit=2", 50, "", ""},
		"a query that nobody can read":     {"/pets?limit=%zz", 50, "", ""},
		"a limit that is not the last one": {"/pets?limit=2&status=sold&page=3", 3, honoured, honoured},
	} {
		t.Run(name, func(t *testing.T) {
			ex := ended("listPets", test.path, 200, listOf(test.animals, "sold"))
			got := defaultTerms(t).checkList(ex, spec.Decode(ex.Response).Tree)
			got.exercised = without(got.exercised, "list.unique", "list.status.honoured")
			wantJudged(t, got, rules(test.judged), rules(test.wrong))
		})
	}
}

func without(all []string, not ...string) []string {
	var out []string
	for _, s := range all {
		if !slices.Contains(not, s) {
			out = append(out, s)
		}
	}
	return out
}

func TestListsAreJudgedByTheirFilter(t *testing.T) {
	const rule = "list.status.honoured"
	sold, available := animalText(1, "a", "1", "sold"), animalText(2, "b", "1", "available")
	bare := animalText(3, "c", "1", "")
	for name, test := range map[string]struct {
		path, list    string
		judged, wrong string
	}{
		"all match":                     {"/pets?status=sold", "[" + sold + "]", rule, ""},
		"nothing matches":               {"/pets?status=sold", "[]", "", ""},
		"the last does not":             {"/pets?status=sold", "[" + sold + "," + animalText(9, "d", "1", "sold") + "," + available + "]", rule, rule},
		"one has none":                  {"/pets?status=sold", "[" + bare + "]", rule, rule},
		"beside a limit":                {"/pets?limit=5&status=sold", "[" + available + "]", rule, rule},
		"no filter":                     {"/pets", "[" + sold + "," + available + "," + bare + "]", "", ""},
		"an unknown filter":             {"/pets?status=lost", "[" + sold + "]", "", ""},
		"the filter in another case":    {"/pets?status=SOLD", "[" + available + "]", "", ""},
		"the filter twice":              {"/pets?status=sold&status=available", "[" + available + "]", "", ""},
		"an empty filter":               {"/pets?status=", "[" + available + "]", "", ""},
		"what is no status is another":  {"/pets?status=sold", `[{"id":1,"name":"a","categoryId":1,"status":"SOLD"}]`, "", ""},
		"what is no text is another":    {"/pets?status=sold", `[{"id":1,"name":"a","categoryId":1,"status":null}]`, "", ""},
		"what is no animal is another":  {"/pets?status=sold", `[null, 3, "sold", []]`, "", ""},
		"an invalid one is still there": {"/pets?status=sold", `[{"id":"x","status":"pending"}]`, rule, rule},
	} {
		t.Run(name, func(t *testing.T) {
			ex := ended("listPets", test.path, 200, test.list)
			got := defaultTerms(t).checkList(ex, spec.Decode(ex.Response).Tree)
			got.exercised = without(got.exercised, "list.unique", "list.limit.default", "list.limit.honoured")
			wantJudged(t, got, rules(test.judged), rules(test.wrong))
		})
	}
}

func TestTheFilterTellsHowManyAndWhere(t *testing.T) {
	list := "[" + animalText(1, "a", "1", "sold") + "," + animalText(2, "b", "1", "") + "," + animalText(3, "c", "1", "pending") + "]"
	ex := ended("listPets", "/pets?status=sold", 200, list)
	got := defaultTerms(t).checkList(ex, spec.Decode(ex.Response).Tree)
	if len(got.findings) != 1 {
		t.Fatalf("%d findings, want one for the list:\n%s", len(got.findings), findingLines(got.findings))
	}
	f := got.findings[0]
	if f.Pointer != "/1/status" || !strings.Contains(f.Actual, "2 of 3") || !strings.Contains(f.Actual, "no status") {
		t.Errorf("%+v", f)
	}
	if f.Where != "GET /pets?status=sold → 200, /1/status" {
		t.Errorf("where: %s", f.Where)
	}
}

func TestListsHoldNoIDTwice(t *testing.T) {
	one, two := animalText(1, "a", "1", ""), animalText(2, "b", "1", "")
	for name, test := range map[string]struct {
		list  string
		wrong int
	}{
		"different ids":               {"[" + one + "," + two + "]", 0},
		"one animal":                  {"[" + one + "]", 0},
		"the same at the end":         {"[" + one + "," + two + "," + one + "]", 1},
		"the same three times":        {"[" + one + "," + one + "," + one + "]", 1},
		"two that are there twice":    {"[" + one + "," + two + "," + one + "," + two + "]", 2},
		"in another notation":         {`[{"id":1,"name":"a","categoryId":1},{"id":1.0,"name":"b","categoryId":1}]`, 1},
		"great ones side by side":     {`[{"id":9007199254740992},{"id":9007199254740993}]`, 0},
		"text is no id":               {`[{"id":"1"},{"id":"1"}]`, 0},
		"beyond int64 is no id":       {`[{"id":9223372036854775808},{"id":9223372036854775808}]`, 0},
		"null and numbers are none":   {`[null, null, 1, 1]`, 0},
		"an otherwise invalid animal": {`[{"id":7},{"id":7}]`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			ex := ended("listPets", "/pets?limit=100", 200, test.list)
			got := defaultTerms(t).checkList(ex, spec.Decode(ex.Response).Tree)
			if len(got.findings) != test.wrong {
				t.Errorf("%d findings, want %d:\n%s", len(got.findings), test.wrong, findingLines(got.findings))
			}
			if len(got.findings) > 0 && got.findings[0].Rule != "list.unique" {
				t.Errorf("%+v", got.findings[0])
			}
			// Where there are no two ids, none can be there twice.
			vague := slices.Contains([]string{"one animal", "text is no id", "beyond int64 is no id", "null and numbers are none"}, name)
			if slices.Contains(got.exercised, "list.unique") == vague {
				t.Errorf("judged: %v", !vague)
			}
		})
	}
}

func TestWhatIsNoListIsNotJudgedAsOne(t *testing.T) {
	for name, ex := range map[string]*spec.Exchange{
		"an object":      ended("listPets", "/pets?limit=1", 200, `{"data": []}`),
		"null":           ended("listPets", "/pets?limit=1", 200, `null`),
		"nothing":        ended("listPets", "/pets?limit=1", 200, ``),
		"another status": ended("listPets", "/pets?limit=1", 206, listOf(3, "")),
		"an error":       ended("listPets", "/pets?limit=1", 400, listOf(3, "")),
	} {
		t.Run(name, func(t *testing.T) {
			wantJudged(t, defaultTerms(t).checkList(ex, spec.Decode(ex.Response).Tree), nil, nil)
		})
	}
}

func TestTheAnimalHasTheIDThatWasAskedFor(t *testing.T) {
	const rule = "get.id"
	for name, test := range map[string]struct {
		path          string
		status        int
		body          string
		judged, wrong string
	}{
		"that one":                     {"/pets/7", 200, animalText(7, "a", "1", ""), rule, ""},
		"another":                      {"/pets/7", 200, animalText(8, "a", "1", ""), rule, rule},
		"with another sign":            {"/pets/-7", 200, animalText(7, "a", "1", ""), rule, rule},
		"one off beyond a float":       {"/pets/9007199254740993", 200, `{"id":9007199254740992}`, rule, rule},
		"exact beyond a float":         {"/pets/9007199254740993", 200, `{"id":9007199254740993}`, rule, ""},
		"the greatest":                 {"/pets/9223372036854775807", 200, `{"id":9223372036854775807}`, rule, ""},
		"the least":                    {"/pets/-9223372036854775808", 200, `{"id":-9223372036854775808}`, rule, ""},
		"the same in another notation": {"/pets/7", 200, `{"id":7.0}`, rule, ""},
		"behind a query":               {"/pets/7?x=8", 200, `{"id":8}`, rule, rule},
		"asked in another notation":    {"/pets/007", 200, `{"id":7}`, "", ""},
		"asked for a word":             {"/pets/abc", 200, `{"id":7}`, "", ""},
		"asked beyond int64":           {"/pets/9223372036854775808", 200, `{"id":7}`, "", ""},
		"no id":                        {"/pets/7", 200, `{"name":"a"}`, "", ""},
		"an id of another type":        {"/pets/7", 200, `{"id":"8"}`, "", ""},
		"no animal":                    {"/pets/7", 200, `[{"id":8}]`, "", ""},
		"not found":                    {"/pets/7", 404, `{"id":8}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			ex := ended("getPet", test.path, test.status, test.body)
			wantJudged(t, defaultTerms(t).checkID(ex, spec.Decode(ex.Response).Tree), rules(test.judged), rules(test.wrong))
		})
	}
}

func TestErrorsRepeatTheirStatus(t *testing.T) {
	const rule = "error.status.same"
	for name, test := range map[string]struct {
		status        int
		body          string
		judged, wrong string
	}{
		"the same":               {404, `{"status":404}`, rule, ""},
		"in another notation":    {404, `{"status":4.04e2}`, rule, ""},
		"another":                {404, `{"status":400}`, rule, rule},
		"zero":                   {500, `{"status":0}`, rule, rule},
		"with a minus":           {400, `{"status":-400}`, rule, rule},
		"beyond int64":           {400, `{"status":40000000000000000000}`, rule, rule},
		"undocumented but alike": {503, `{"status":503}`, rule, ""},
		"text":                   {404, `{"status":"404"}`, "", ""},
		"a fraction":             {404, `{"status":404.5}`, "", ""},
		"none":                   {404, `{}`, "", ""},
		"no object":              {404, `[404]`, "", ""},
		"no error":               {200, `{"status":404}`, "", ""},
		"a redirect":             {302, `{"status":404}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			ex := ended("getPet", "/pets/7", test.status, test.body)
			wantJudged(t, checkError(ex, defaultOperation(t, ex.Operation), spec.Decode(ex.Response).Tree), rules(test.judged), rules(test.wrong))
		})
	}
}

func TestA401TellsHowToBeLetIn(t *testing.T) {
	const rule = "auth.challenge"
	for name, test := range map[string]struct {
		ex            *spec.Exchange
		judged, wrong string
	}{
		"with the header":    {ended("listPets", "/pets", 401, `{}`, "WWW-Authenticate", "Bearer"), rule, ""},
		"without":            {ended("listPets", "/pets", 401, `{}`), rule, rule},
		"an empty one":       {ended("listPets", "/pets", 401, `{}`, "WWW-Authenticate", ""), rule, rule},
		"no body besides":    {ended("listPets", "/pets", 401, ``), rule, rule},
		"on 403 none needed": {ended("listPets", "/pets", 403, `{}`), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			wantJudged(t, checkError(test.ex, defaultOperation(t, test.ex.Operation), spec.Decode(test.ex.Response).Tree), rules(test.judged), rules(test.wrong))
		})
	}
}

func TestDeprecatedAnswersSaySo(t *testing.T) {
	contract := must(t, defaultContract)
	get, _ := contract.Operation("getPet")
	list, _ := contract.Operation("listPets")
	endless := *get
	endless.Sunset = list.Sunset // none
	both := []string{"Deprecation", "@1", "Sunset", "Thu, 05 Dec 2030 00:00:00 GMT"}
	for name, test := range map[string]struct {
		op            spec.Operation
		ex            *spec.Exchange
		judged, wrong string
	}{
		"both headers":           {*get, ended("getPet", "/pets/7", 200, `{}`, both...), "get.deprecation get.sunset", ""},
		"neither":                {*get, ended("getPet", "/pets/7", 200, `{}`), "get.deprecation get.sunset", "get.deprecation get.sunset"},
		"no sunset":              {*get, ended("getPet", "/pets/7", 200, `{}`, both[:2]...), "get.deprecation get.sunset", "get.sunset"},
		"no deprecation":         {*get, ended("getPet", "/pets/7", 200, `{}`, both[2:]...), "get.deprecation get.sunset", "get.deprecation"},
		"on errors none needed":  {*get, ended("getPet", "/pets/7", 404, `{}`), "", ""},
		"not deprecated":         {*list, ended("listPets", "/pets", 200, `[]`), "", ""},
		"without a removal date": {endless, ended("getPet", "/pets/7", 200, `{}`), "get.deprecation", "get.deprecation"},
	} {
		t.Run(name, func(t *testing.T) {
			wantJudged(t, checkDeprecation(test.ex, test.op), rules(test.judged), rules(test.wrong))
		})
	}
}

func TestPlace(t *testing.T) {
	for want, ex := range map[string]*spec.Exchange{
		"GET /pets?limit=3 → 200":          ended("listPets", "/pets?limit=3", 200, ""),
		"POST /pets → 201":                 ended("createPet", "/pets", 201, ""),
		"GET /pets/41 → 404":               ended("getPet", "/pets/41", 404, ""),
		"GET /pets/a%20b → 400":            ended("getPet", "/pets/a%20b", 400, ""),
		"GET /pets?page=2 → no response":   {Request: spec.Request{Method: "GET", URL: "https://h/v1/v1/pets?page=2"}},
		"GET https://h:x/ → no response":   {Request: spec.Request{Method: "GET", URL: "https://h:x/"}},
		"GET /elsewhere → no response":     {Request: spec.Request{Method: "GET", URL: "https://h/elsewhere"}},
		"GET /pets?q=/v1/ → no response":   {Request: spec.Request{Method: "GET", URL: "https://h/v1/pets?q=/v1/"}},
		"GET /pets/%2Fv1%2F → no response": {Request: spec.Request{Method: "GET", URL: "https://h/v1/pets/%2Fv1%2F"}},
	} {
		if got := place(ex); got != want {
			t.Errorf("%s: %q, want %q", ex.Request.URL, got, want)
		}
	}
}
