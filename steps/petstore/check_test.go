package petstore

import (
	"slices"
	"strings"
	"testing"

	"hallmark/spec"
	"hallmark/tests/exchangetest"
	"hallmark/tests/petstoretest"
)

// terms are those of the built-in contract.
func terms(t testing.TB) Terms {
	t.Helper()
	contract := petstoretest.Contract(t)
	return TermsOf(contract)
}

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
			ex := exchangetest.New("listPets", test.path, 200, exchangetest.List(test.animals, "sold"))
			got := terms(t).CheckList(ex, spec.Decode(ex.Response).Tree)
			got.Exercised = without(got.Exercised, "list.unique", "list.status.honoured")
			exchangetest.Want(t, got, strings.Fields(test.judged), strings.Fields(test.wrong))
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
	sold, available := exchangetest.Animal(1, "a", "1", "sold"), exchangetest.Animal(2, "b", "1", "available")
	bare := exchangetest.Animal(3, "c", "1", "")
	for name, test := range map[string]struct {
		path, list    string
		judged, wrong string
	}{
		"all match":                     {"/pets?status=sold", "[" + sold + "]", rule, ""},
		"nothing matches":               {"/pets?status=sold", "[]", "", ""},
		"the last does not":             {"/pets?status=sold", "[" + sold + "," + exchangetest.Animal(9, "d", "1", "sold") + "," + available + "]", rule, rule},
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
			ex := exchangetest.New("listPets", test.path, 200, test.list)
			got := terms(t).CheckList(ex, spec.Decode(ex.Response).Tree)
			got.Exercised = without(got.Exercised, "list.unique", "list.limit.default", "list.limit.honoured")
			exchangetest.Want(t, got, strings.Fields(test.judged), strings.Fields(test.wrong))
		})
	}
}

func TestTheFilterTellsHowManyAndWhere(t *testing.T) {
	list := "[" + exchangetest.Animal(1, "a", "1", "sold") + "," + exchangetest.Animal(2, "b", "1", "") + "," + exchangetest.Animal(3, "c", "1", "pending") + "]"
	ex := exchangetest.New("listPets", "/pets?status=sold", 200, list)
	got := terms(t).CheckList(ex, spec.Decode(ex.Response).Tree)
	if len(got.Findings) != 1 {
		t.Fatalf("%d findings, want one for the list:\n%s", len(got.Findings), exchangetest.Lines(got.Findings))
	}
	f := got.Findings[0]
	if f.Pointer != "/1/status" || !strings.Contains(f.Actual.String(), "2 of 3") || !strings.Contains(f.Actual.String(), "no status") {
		t.Errorf("%+v", f)
	}
	if f.Where.String() != "GET /pets?status=sold → 200, /1/status" {
		t.Errorf("where: %s", f.Where)
	}
}

func TestListsHoldNoIDTwice(t *testing.T) {
	one, two := exchangetest.Animal(1, "a", "1", ""), exchangetest.Animal(2, "b", "1", "")
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
			ex := exchangetest.New("listPets", "/pets?limit=100", 200, test.list)
			got := terms(t).CheckList(ex, spec.Decode(ex.Response).Tree)
			if len(got.Findings) != test.wrong {
				t.Errorf("%d findings, want %d:\n%s", len(got.Findings), test.wrong, exchangetest.Lines(got.Findings))
			}
			if len(got.Findings) > 0 && got.Findings[0].Rule != "list.unique" {
				t.Errorf("%+v", got.Findings[0])
			}
			// Where there are no two ids, none can be there twice.
			vague := slices.Contains([]string{"one animal", "text is no id", "beyond int64 is no id", "null and numbers are none"}, name)
			if slices.Contains(got.Exercised, "list.unique") == vague {
				t.Errorf("judged: %v", !vague)
			}
		})
	}
}

func TestWhatIsNoListIsNotJudgedAsOne(t *testing.T) {
	for name, ex := range map[string]*spec.Exchange{
		"an object":      exchangetest.New("listPets", "/pets?limit=1", 200, `{"data": []}`),
		"null":           exchangetest.New("listPets", "/pets?limit=1", 200, `null`),
		"nothing":        exchangetest.New("listPets", "/pets?limit=1", 200, ``),
		"another status": exchangetest.New("listPets", "/pets?limit=1", 206, exchangetest.List(3, "")),
		"an error":       exchangetest.New("listPets", "/pets?limit=1", 400, exchangetest.List(3, "")),
	} {
		t.Run(name, func(t *testing.T) {
			exchangetest.Want(t, terms(t).CheckList(ex, spec.Decode(ex.Response).Tree), nil, nil)
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
		"that one":                     {"/pets/7", 200, exchangetest.Animal(7, "a", "1", ""), rule, ""},
		"another":                      {"/pets/7", 200, exchangetest.Animal(8, "a", "1", ""), rule, rule},
		"with another sign":            {"/pets/-7", 200, exchangetest.Animal(7, "a", "1", ""), rule, rule},
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
			ex := exchangetest.New("getPet", test.path, test.status, test.body)
			exchangetest.Want(t, terms(t).CheckID(ex, spec.Decode(ex.Response).Tree), strings.Fields(test.judged), strings.Fields(test.wrong))
		})
	}
}
