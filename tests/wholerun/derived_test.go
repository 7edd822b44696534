package wholerun_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/tests/shop"
)

// judgeShop judges a variant of the shop.
func judgeShop(t *testing.T, variant string) (record.Record, *spec.Catalogue) {
	t.Helper()
	return trial{contract: shop.Contract(), service: inMemory{shop.New(variant)}, created: 500}.judge(t)
}

// Each fault breaks the rule that it is to break; what the contract leaves open breaks none.
func TestDerivedRulesFindFaultsAndAcceptFreedoms(t *testing.T) {
	t.Parallel()
	for _, freedom := range shop.Freedoms() {
		name := freedom.Name
		t.Run("freedom "+name, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := judgeShop(t, name)
			accuse(t, failing(rec, catalogue))
			for rule, f := range advised(rec, catalogue) {
				if r, _ := catalogue.Rule(rule); len(r.Cases) > 0 && slices.Contains(freedom.Kinds, r.Cases[0]) {
					t.Errorf("%s is advised against: %s, expected %s, actual %s", rule, f.Where, f.Expected, f.Actual)
				}
			}
			for _, r := range catalogue.Rules {
				if r.Level == spec.Must && rec.Exercised[r.ID] == 0 && name == "" {
					t.Errorf("%s was not exercised", r.ID)
				}
			}
		})
	}
	for level, faults := range map[spec.Level][]shop.Fault{spec.Must: shop.Faults(), spec.Should: shop.Advised()} {
		for _, fault := range faults {
			t.Run(fault.Name, func(t *testing.T) {
				t.Parallel()
				rec, catalogue := judgeShop(t, fault.Name)
				broken := failing(rec, catalogue)
				if level == spec.Should {
					broken = advised(rec, catalogue)
				}
				if _, found := broken[fault.Rule]; !found {
					t.Errorf("broken are %q, want %s", slices.Sorted(maps.Keys(broken)), fault.Rule)
				}
				if level == spec.Should && len(failing(rec, catalogue)) > 0 {
					t.Errorf("must rules are broken: %q", slices.Sorted(maps.Keys(failing(rec, catalogue))))
				}
			})
		}
	}
}

// Each kind of promise that the contract of the shop gives rules of has a fault that breaks it and a freedom that keeps it, and no
// kind is without rules there.
func TestEachKindOfPromiseIsProven(t *testing.T) {
	t.Parallel()
	contract, err := openapi.Load(shop.Contract())
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := promise.Of(contract, 1, 0).Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	broken, free := map[promise.Kind]bool{}, map[promise.Kind]bool{}
	for _, f := range slices.Concat(shop.Faults(), shop.Advised()) {
		if r, known := catalogue.Rule(f.Rule); known {
			broken[promise.Kind(r.Cases[0]).Base()] = true
		} else {
			t.Errorf("%s is to break %s, which is no rule", f.Name, f.Rule)
		}
	}
	for _, f := range shop.Freedoms() {
		for _, k := range f.Kinds {
			free[promise.Kind(k)] = true
		}
	}
	there := map[promise.Kind]bool{}
	for _, r := range catalogue.Rules {
		there[promise.Kind(r.Cases[0]).Base()] = true
	}
	for _, k := range promise.Kinds() {
		if k.Inferred() {
			continue // these are proven by the desk
		}
		if k == promise.Scope {
			continue // by TestScopes: it takes a second role
		}
		if k == promise.PartHeader {
			continue // by TestHeadersOfParts: the shop's contract has none
		}
		if k == promise.CredentialIgnored {
			continue // by TestWrongCredentialsAreIgnoredWhereNoneIsNeeded
		}
		if k == promise.CredentialAccepted {
			continue // by TestAlternativeCredentialsLetIn: the shop's contract has no alternatives
		}
		if k == promise.Reversed {
			continue // by TestOrderOfTwoValues: no sentence of the shop's contract says so
		}
		if k == promise.ErrorMediaType {
			continue // by TestErrorsOfAnotherMediaTypeInSwagger2: the shop's contract is of a later version
		}
		if !broken[k] || !free[k] || !there[k] {
			t.Errorf("%s: has a rule: %v, a fault that it finds: %v, a freedom that it accepts: %v", k, there[k], broken[k], free[k])
		}
	}
}

// judgeLibrary judges a variant of the library.
func judgeLibrary(t *testing.T, variant string, most int) (*shop.Library, record.Record, *spec.Catalogue) {
	t.Helper()
	library := shop.NewLibrary(variant)
	rec, catalogue := trial{contract: shop.LibraryContract(), baseURL: "http://library.test/v1", service: inMemory{http.StripPrefix("/v1", library)}, created: most}.judge(t)
	return library, rec, catalogue
}

// All operations are reached but one, which could only change what others own; all that was created is removed again.
func TestResourcesAreCreatedChangedAndRemoved(t *testing.T) {
	t.Parallel()
	library, rec, catalogue := judgeLibrary(t, "", 2000)
	accuse(t, failing(rec, catalogue))
	created, touched := library.Left()
	if listed := record.Left(rec.Created); len(created) > 0 || len(listed) > 0 || len(rec.Created) == 0 {
		t.Errorf("left are %q, listed %v, of %d created", created, listed, len(rec.Created))
	}
	if len(touched) > 0 {
		t.Errorf("changed is what others own: %q", touched)
	}
	got := reached(rec)
	for _, op := range catalogueOperations(catalogue) {
		if op != "dismissPerson" && !slices.Contains(got, op) {
			t.Errorf("%s was not reached", op)
		}
	}
	for _, r := range catalogue.Rules {
		if r.Level == spec.Must && rec.Exercised[r.ID] == 0 && !strings.HasPrefix(r.ID, "dismissPerson.") && !strings.HasSuffix(r.ID, ".refused.parameter") {
			t.Errorf("%s was not exercised", r.ID)
		}
	}
	for _, s := range rec.Scenarios {
		if s.Outcome == record.Skipped && !s.Excused && !slices.Contains(s.Operations, "dismissPerson") {
			t.Errorf("%s: %s", s.Name, s.Reason)
		}
	}
}

func catalogueOperations(c *spec.Catalogue) []string {
	var all []string
	for _, r := range c.Rules {
		for _, op := range r.Operations {
			if !slices.Contains(all, op) {
				all = append(all, op)
			}
		}
	}
	return all
}

// What only shows on a resource that is changed or removed is found.
func TestFaultsOfChangesAreFound(t *testing.T) {
	t.Parallel()
	for variant, rule := range map[string]string{
		"delete-without-key": "deleteShelf.credential.missing",
		"put-without-key":    "replaceShelf.credential.missing",
		"put-unchecked":      "replaceShelf.refused.property",
		"put-202":            "replaceShelf.success",
		"delete-crashes":     "deleteShelf.no-server-error",
		"close-unchecked":    "closeShelf.refused.property",
	} {
		t.Run(variant, func(t *testing.T) {
			_, rec, catalogue := judgeLibrary(t, variant, 2000)
			broken := failing(rec, catalogue)
			if _, found := broken[rule]; !found {
				t.Errorf("%s is not broken; broken are %v", rule, broken)
			}
		})
	}
}

// Where nothing can be created nothing is changed, and the reason names the operation and its last response.
func TestNothingIsChangedThatTheRunDidNotCreate(t *testing.T) {
	t.Parallel()
	library, rec, _ := judgeLibrary(t, "creation-broken", 2000)
	if _, touched := library.Left(); len(touched) > 0 {
		t.Errorf("changed is what others own: %q", touched)
	}
	for _, s := range rec.Scenarios {
		if slices.Contains(s.Operations, "deleteShelf") && !strings.Contains(s.Reason, "createShelf never succeeded: the last response was 409") {
			t.Errorf("%s: %q", s.Name, s.Reason)
		}
		if slices.Contains(s.Operations, "getShelf") && s.Outcome != record.Passed {
			t.Errorf("%s: %s", s.Name, s.Reason)
		}
	}
}

func TestResourcesKeepToTheBudget(t *testing.T) {
	t.Parallel()
	library, rec, catalogue := judgeLibrary(t, "", 20)
	if broken := failing(rec, catalogue); len(broken) > 0 {
		t.Errorf("accused are %v", broken)
	}
	created := 0
	for _, ex := range rec.Exchanges {
		if ex.Response != nil && ex.Response.Status == 201 {
			created++
		}
	}
	if created > 20 {
		t.Errorf("%d were created of 20", created)
	}
	if left, _ := library.Left(); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// unclear is a contract that says of its responses what nobody can judge by.
const unclear = `
openapi: 3.1.0
info: {title: Unclear, version: "1"}
paths:
  /messages: {get: {operationId: messages, responses: {"200": {description: ok, content: {application/x-protobuf: {schema: {type: object, required: [a]}}}}}}}
  /image: {get: {operationId: image, responses: {"200": {description: ok, content: {image/png: {schema: {type: string, format: binary}}}}}}}
  /pattern: {get: {operationId: pattern, responses: {"200": {description: ok, content: {application/json: {schema: {type: string, pattern: "(?<"}}}}}}}
`

// What could not be judged is counted and told, and accuses nobody.
func TestWhatCannotBeJudgedIsCounted(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	for path, media := range map[string]string{"/messages": "application/x-protobuf", "/image": "image/png", "/pattern": "application/json"} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			_, _ = w.Write([]byte(`"<a>"`))
		})
	}
	rec, catalogue := trial{contract: []byte(unclear), service: inMemory{mux}, created: 10}.judge(t)
	if broken := failing(rec, catalogue); len(broken) > 0 {
		t.Errorf("accused are %v", broken)
	}
	var operations []string
	for _, one := range rec.Unjudged {
		operations = append(operations, one.Operations...)
		if one.Values == 0 || one.Line == 0 || one.Text == "" {
			t.Errorf("%+v", one)
		}
	}
	if slices.Sort(operations); !slices.Equal(operations, []string{"messages", "pattern"}) {
		t.Errorf("not judged are responses of %q", operations)
	}
	if words := rec.UnjudgedWords(); !strings.Contains(words, "line 5 (content of the media type application/x-protobuf is not read)") || !strings.Contains(words, "line 7 (") {
		t.Error(words)
	}
}
