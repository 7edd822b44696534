package wholerun_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reference/stub"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/shop"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// judged are the services whose faults break inferred rules, by their names.
var judged = map[string]struct {
	contract []byte
	serve    func(variant string) http.Handler
	faults   []shop.Fault
	freedoms []shop.Freedom
}{
	"desk":    {shop.DeskContract(), shop.NewDesk, shop.Inferred(), shop.Meanings()},
	"signs":   {shop.SignsContract(), shop.NewSigns, shop.SignFaults(), shop.SignMeanings()},
	"archive": {shop.ArchiveContract(), shop.NewArchive, shop.ArchiveFaults(), shop.ArchiveMeanings()},
	"pins":    {shop.PinsContract(), shop.NewPins, shop.PinFaults(), shop.PinMeanings()},
}

// judgeLives judges a variant of one of them by what follows from its contract. A variant that waits for requests of the same moment is asked
// what is about these alone: elsewhere it waits in vain.
func judgeLives(t *testing.T, service, variant string, seed int64, patience time.Duration) (record.Record, *spec.Catalogue) {
	t.Helper()
	one := judged[service]
	var chosen suite.Selection
	if shop.WaitsForCompany(variant) {
		for _, f := range one.faults {
			if strings.HasSuffix(f.Rule, ".concurrent") {
				chosen.Rules = append(chosen.Rules, f.Rule)
			}
		}
	}
	rec, catalogue := trial{contract: one.contract, service: inMemory{one.serve(variant)}, seed: seed, created: 1000, patience: patience, chosen: chosen}.judge(t)
	for _, s := range rec.Scenarios {
		if s.Outcome == record.Errored {
			t.Errorf("%s: %s", s.Name, s.Reason)
		}
	}
	return rec, catalogue
}

// atOnce is the patience with services whose writes show at once: what is wrong stays so for longer than any test lasts.
const atOnce = 100 * time.Millisecond

// Each fault over several requests breaks the rules that it is to break, and what services do that keep their contract breaks none.
func TestInferredRulesFindFaultsAndAcceptFreedoms(t *testing.T) {
	t.Parallel()
	for service, one := range judged {
		for _, freedom := range one.freedoms {
			t.Run(service+" freedom "+freedom.Name, func(t *testing.T) {
				skip.SampledByName(t, 3)
				t.Parallel()
				for _, seed := range []int64{7, 8} {
					if seed != 7 && testing.Short() {
						break
					}
					rec, catalogue := judgeLives(t, service, freedom.Name, seed, 0)
					accuse(t, failing(rec, catalogue))
					for _, r := range catalogue.Rules {
						if r.Level == spec.Inferred && rec.Exercised[r.ID] == 0 && freedom.Name == "" {
							t.Errorf("%s was not exercised", r.ID)
						}
					}
				}
			})
		}
		rules := map[string][]string{}
		for _, f := range one.faults {
			rules[f.Name] = append(rules[f.Name], f.Rule)
		}
		for name, all := range rules {
			t.Run(service+" "+name, func(t *testing.T) {
				skip.SampledByName(t, 3)
				t.Parallel()
				rec, catalogue := judgeLives(t, service, name, 7, atOnce)
				broken := failing(rec, catalogue)
				missed := slices.DeleteFunc(all, func(rule string) bool { return broken[rule].Rule != "" })
				if len(missed) > 0 {
					t.Errorf("broken are %q, want %q", slices.Sorted(maps.Keys(broken)), missed)
				}
			})
		}
	}
}

// A status that no request of the contract may get is found where only a story of several requests comes across it.
func TestStatusesOfStories(t *testing.T) {
	t.Parallel()
	for service, faults := range map[string][]shop.Fault{"archive": shop.ArchiveStatuses(), "desk": shop.DeskStatuses()} {
		for _, f := range faults {
			t.Run(service+" "+f.Rule+" "+f.Name, func(t *testing.T) {
				t.Parallel()
				_, kind, _ := strings.Cut(f.Rule, ".")
				rec, catalogue := judgeLives(t, service, f.Name, 7, atOnce)
				broken := failing(rec, catalogue)
				for rule := range broken { // other collections break it likewise
					if !strings.HasSuffix(rule, "."+kind) {
						t.Errorf("%s is accused", rule)
					}
				}
				if broken[f.Rule].Rule == "" {
					t.Errorf("broken are %q, want %s", slices.Sorted(maps.Keys(broken)), f.Rule)
				}
			})
		}
	}
}

// Each inferred kind of promise has a fault that it finds and a freedom that it accepts.
func TestEachInferredKindIsProven(t *testing.T) {
	t.Parallel()
	broken, free, kinds := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, service := range judged {
		contract, err := openapi.Load(service.contract)
		if err != nil {
			t.Fatal(err)
		}
		catalogue, err := promise.Of(contract, 1, 0).Catalogue()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range service.faults {
			r, known := catalogue.Rule(f.Rule)
			if !known || r.Level != spec.Inferred && !r.Stated || r.Source == "" {
				t.Fatalf("%s is to break %s, which is no inferred rule with a reason", f.Name, f.Rule)
			}
			broken[r.Cases[0]] = true
		}
		for _, f := range service.freedoms {
			for _, k := range f.Kinds {
				free[k] = true
			}
		}
		for _, r := range catalogue.Rules {
			kinds[r.Cases[0]] = kinds[r.Cases[0]] || r.Level == spec.Inferred || r.Stated
		}
	}
	for k, inferred := range kinds {
		if inferred && (!broken[k] || !free[k]) {
			t.Errorf("%s: a fault that it finds: %v, a freedom that it accepts: %v", k, broken[k], free[k])
		}
	}
}

// onePage is a contract whose list shows one page only, which the run fills itself: of MOST things at most.
const onePage = `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {
  /things: {
    post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 1, maxLength: 40}}}}}},
      responses: {"201": {description: Added, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, "400": {description: Refused}}},
    get: {operationId: list, parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: MOST}}],
      responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Thing"}}}}}, "400": {description: Refused}}}},
  "/things/{id}": {get: {operationId: read, parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
    responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, "400": {description: Refused}, "404": {description: Unknown}}}}},
  components: {schemas: {Thing: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}}}`

// forgetsInLists serves a contract, but of the things that it creates its list never shows some: every so manyth; none of them where that is 0.
func forgetsInLists(t *testing.T, document []byte, every int64) http.RoundTripper {
	t.Helper()
	contract, err := openapi.Load(document)
	if err != nil {
		t.Fatal(err)
	}
	service, err := stub.New(contract, stub.Options{Seed: 1, Secret: shop.Key})
	if err != nil {
		t.Fatal(err)
	}
	return inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/things" || every == 0 {
			service.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		service.ServeHTTP(answer, r)
		type thing struct {
			ID   int64  `json:"id"`
			Name string `json:"name"`
		}
		var all []thing
		body := answer.Body.Bytes()
		if err := json.Unmarshal(body, &all); err == nil {
			shown := slices.DeleteFunc(all, func(one thing) bool { return one.ID%every == 0 })
			if body, err = json.Marshal(shown); err != nil {
				t.Error(err)
			}
		}
		maps.Copy(w.Header(), answer.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(answer.Code)
		_, _ = w.Write(body)
	})}
}

// What a run creates fills a list that shows one page only: it is looked at before.
func TestWhatAListOfOnePageLeavesOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		every int64
		most  string
		// confirmed reports whether what is found can be told again: on a page that is full by then it cannot.
		want, confirmed bool
	}{{every: 0, most: "40"}, {3, "40", true, true}, {3, "20", true, false}} {
		document := []byte(strings.Replace(onePage, "MOST", c.most, 1))
		rec, catalogue := trial{contract: document, service: forgetsInLists(t, document, c.every), confirm: 1, patience: 50 * time.Millisecond}.judge(t)
		found := failing(rec, catalogue)
		if _, ok := found["add.created.listed"]; ok != c.want || len(found) > 1 || !c.want && len(found) > 0 {
			t.Errorf("%+v: found is %v", c, found)
		}
		for _, again := range rec.Confirmations {
			if again.Shown != again.Tries || (again.Tries > 0) != c.confirmed || !c.confirmed && !strings.Contains(again.Reason, "was observed only") {
				t.Errorf("%+v: what was found showed in %d of %d repetitions: %s", c, again.Shown, again.Tries, again.Reason)
			}
		}
		if !c.want && rec.Exercised["add.created.listed"] == 0 {
			t.Error("that what is created is listed was never seen")
		}
	}
}
