package prove

import (
	"flag"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// The Petstore is judged here like any other service: by what is derived from its OpenAPI document alone. Faults
// that show only in prose or in state cannot be found that way, and no freedom may be reported.

// leastByContract is how many faults have to break a must or an inferred rule, some below what was measured: not all show in each run.
const leastByContract = 600

var (
	wholeByContract = flag.Bool("bycontract", false, "judge all faults of the Petstore by what follows from its contract alone, and log what is killed")
	onlyByContract  = flag.String("bycontract.only", "", "judge only these faults and freedoms, separated by commas, and log what their scenarios found and observed")
)

// killedByContract are faults of the Petstore, by the kind of promise that each breaks; the operation comes first.
func killedByContract() map[string][]string {
	return map[string][]string{
		"createPet.accepted":                 {"create-status-needed", "create-indented-refused", "createPet-status-available-refused"},
		"createPet.created.concurrent":       {"id-racing", "id-size-of-store"},
		"createPet.created.distinct":         {"id-always-1", "id-of-client", "id-of-client-updates"},
		"createPet.created.kept":             {"category-clamped", "category-odd-above-2-31", "name-cut-at-16", "name-latin-1"},
		"createPet.created.no-trace":         {"refused-bad-status-stored", "refused-nameless-stored", "auth-stores-without"},
		"createPet.created.readable":         {"create-sold-lost"},
		"createPet.created.listed":           {"list-lacks-every-4th", "list-lacks-newest"},
		"getPet.read.itself":                 {"id-other-on-read", "get-from-the-end", "get-uint16", "get-odd-id-found"},
		"getPet.read.steady":                 {"get-name-counts"},
		"createPet.body":                     {"createPet-201-array", "createPet-201-categoryId-dropped", "createPet-400-message-dropped"},
		"createPet.credential.missing":       {"createPet-credential-missing-let-in", "createPet-401-as-403", "createPet-401-as-500"},
		"createPet.credential.wrong":         {"createPet-credential-prefix-let-in", "createPet-credential-case-let-in"},
		"createPet.media-type":               {"createPet-201-text-media-type", "createPet-400-no-media-type"},
		"createPet.no-server-error":          {"createPet-201-as-500", "name-accents-fail", "category-near-the-end-fails"},
		"createPet.refused.body-malformed":   {"accepts-cut-body", "accepts-form", "createPet-body-not-parsed", "malformed-fails"},
		"createPet.refused.body-extended":    {"accepts-comma", "accepts-single-quotes"},
		"createPet.refused.body-missing":     {"accepts-no-body"},
		"createPet.refused.body-type":        {"accepts-array"},
		"createPet.refused.property":         {"accepts-any-status", "accepts-sold-capitalised", "accepts-category-2-64"},
		"createPet.refused.documented":       {"createPet-400-as-422", "refuses-with-422"},
		"createPet.refused.property-missing": {"accepts-no-name", "createPet-categoryId-not-required"},
		"createPet.robust":                   {"malformed-fails"},
		"createPet.error-status":             {"error-status-422-on-400", "error-status-own-number"},
		"createPet.success":                  {"createPet-201-as-200", "createPet-400-as-200"},
		"getPet.body":                        {"error-message-null-on-404"},
		"getPet.credential.missing":          {"getPet-401-as-404"},
		"getPet.deprecation":                 {"get-no-deprecation", "get-no-sunset"},
		"getPet.media-type":                  {"getPet-404-text-media-type"},
		"getPet.no-server-error":             {"getPet-404-as-500"},
		"getPet.not-found":                   {"get-fabricates", "getPet-404-as-410"},
		"listPets.accepted":                  {"limit-100-refused", "limit-1-refused", "listPets-limit-2-refused", "listPets-limit-50-refused", "filter-refused"},
		"listPets.list.filter":               {"filter-ignored", "filter-inverted", "filter-finds-none-sold", "filter-stamps", "filter-all-when-none", "filter-ignored-with-limit"},
		"listPets.list.limit":                {"limit-ignored", "limit-one-more", "default-100", "default-10", "limit-free-with-filter"},
		"listPets.list.once":                 {"list-twice-first", "list-repeated-to-fill"},
		"listPets.list.as-read":              {"list-category-0", "list-shifted-names"},
		"listPets.body":                      {"json-comma-at-the-end", "listPets-200-name-dropped"},
		"listPets.challenge":                 {"auth-no-challenge"},
		"listPets.credential.wrong":          {"listPets-credential-appended-let-in"},
		"listPets.documented":                {"limit-50-refused"},
		"listPets.media-type":                {"listPets-200-page-media-type"},
		"listPets.success":                   {"listPets-200-as-204"},
	}
}

// shouldsOfFreedoms are the should rules that a freedom breaks, each with the standard that the rule quotes.
func shouldsOfFreedoms() map[string][]string {
	return map[string][]string{
		"location-absent": {"createPet.location"}, // RFC 9110, section 9.3.3: a 201 to a POST should have one
	}
}

// byContract returns a prover that judges the services of an interface by what is derived from its contract alone:
// the rules and the written features of the interface are not used. The seed fixes what is sent, and the order of the
// scenarios.
func byContract(i bundled.Interface, contract *spec.Contract, seed uint32) (*Prover, error) {
	promises := promise.Of(contract, uint64(seed), 0)
	catalogue, suite, err := steps.LoadPromises(promises)
	if err != nil {
		return nil, err
	}
	compiled, err := steps.Compile(suite)
	if err != nil {
		return nil, err
	}
	return &Prover{
		Interface: i, Contract: contract, Catalogue: catalogue, Suite: suite, Compiled: compiled, Promises: promises, Workers: 1, Concurrency: 4,
		Seed: int64(seed), Now: time.Now(),
	}, nil
}

// petstoreByContract returns a prover by the contract alone, and the Petstore's cases.
func petstoreByContract(t *testing.T, seed uint32) (*Prover, map[string]Case) {
	t.Helper()
	i := bundled.Petstore()
	contract, err := i.Contract()
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := i.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	all, err := Cases(i, contract, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	p, err := byContract(i, contract, seed)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]Case{}
	for _, c := range all {
		cases[c.Name] = c
	}
	return p, cases
}

// brokenRules judges a case, and returns a finding of each rule that is broken.
// brokenRules returns a finding of each rule that the suite finds broken; want is one that it should, of whose scenarios it logs the reasons.
func brokenRules(t *testing.T, p *Prover, c Case, want string) map[string]spec.Finding {
	t.Helper()
	rec, err := p.play(t.Context(), c, 0, p.Selection)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]spec.Finding{}
	for _, s := range rec.Scenarios {
		if s.Outcome == record.Errored {
			t.Errorf("%s: %s", s.Name, s.Reason)
		}
		for _, f := range s.Findings {
			out[f.Rule] = f
		}
		if slices.Contains(s.Rules, want) {
			t.Logf("%s: %s %s", s.Name, s.Outcome, s.Reason)
		}
	}
	return out
}

// No legal variant is accused by a rule that follows from the contract.
func TestContractAloneAccusesNoFreedom(t *testing.T) {
	p, cases := petstoreByContract(t, 1)
	for i, name := range slices.Sorted(maps.Keys(cases)) {
		c := cases[name]
		if c.Kind == Fault {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if c.Kind == Freedom {
				skip.Sampled(t, i, 4)
			}
			t.Parallel()
			for rule, f := range brokenRules(t, p, c, "") {
				if r, known := p.Catalogue.Rule(rule); !known || r.Level != spec.Should || !slices.Contains(shouldsOfFreedoms()[name], rule) {
					t.Errorf("%s It is accused of %s: %s, expected %s, actual %s", c.Says, rule, f.Where, f.Expected, f.Actual)
				}
			}
		})
	}
}

// Each kind of promise has a fault that breaks it and is found by it.
func TestContractAloneFindsFaults(t *testing.T) {
	p, cases := petstoreByContract(t, 1)
	kinds := map[string]bool{}
	for i, rule := range slices.Sorted(maps.Keys(killedByContract())) {
		r, known := p.Catalogue.Rule(rule)
		if !known || len(r.Cases) == 0 {
			t.Errorf("nothing promises %s", rule)
			continue
		}
		kinds[r.Cases[0]] = true
		for _, name := range killedByContract()[rule] {
			t.Run(rule+"/"+name, func(t *testing.T) {
				c, known := cases[name]
				if !known || c.Kind != Fault {
					t.Fatalf("there is no fault %s", name)
				}
				skip.Sampled(t, i, 4)
				t.Parallel()
				if broken := brokenRules(t, p, c, rule); broken[rule].Rule == "" {
					t.Errorf("%s Broken are %q, want %s", c.Says, slices.Sorted(maps.Keys(broken)), rule)
				}
			})
		}
	}
	for _, r := range p.Catalogue.Rules {
		if r.Level != spec.Open && r.Untestable == "" && !kinds[r.Cases[0]] && unbroken()[promise.Kind(r.Cases[0])] == "" {
			t.Errorf("no fault is known that breaks a promise of the kind %s (%s)", r.Cases[0], r.ID)
		}
	}
}

// unbroken are kinds of promises that no fault of the Petstore breaks, with the reason.
func unbroken() map[promise.Kind]string {
	return map[promise.Kind]string{
		"link.readOne":   "no scenario follows from a link",
		"link.readBack":  "no scenario follows from a link",
		promise.Location: "a 201 without a Location is a freedom of the Petstore",
		promise.Placed:   "the interface of the Petstore says nothing of a Location",

		promise.UniqueNames: "no fault of the Petstore writes a member twice",
		promise.Head:        "no fault of the Petstore is about HEAD",
	}
}

// TestAllByContract judges all faults, and logs how many each kind of promise kills: go test -run TestAllByContract -v -bycontract.
func TestAllByContract(t *testing.T) {
	if !*wholeByContract {
		t.Skip("-bycontract judges all faults of the Petstore by its contract alone")
	}
	p, cases := petstoreByContract(t, 1)
	if *onlyByContract != "" {
		for name := range strings.SplitSeq(*onlyByContract, ",") {
			logCase(t, p, cases[name])
		}
		return
	}
	var mu sync.Mutex
	kills, killed, faults := map[string]int{}, 0, 0
	var advised, survivors []string
	t.Run("faults", func(t *testing.T) {
		for _, name := range slices.Sorted(maps.Keys(cases)) {
			c := cases[name]
			if c.Kind != Fault {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				levels, kinds := map[spec.Level]bool{}, map[string]bool{}
				for rule := range brokenRules(t, p, c, "") {
					r, _ := p.Catalogue.Rule(rule)
					levels[r.Level], kinds[string(r.Level)+" "+strings.Join(r.Cases, " ")] = true, true
				}
				mu.Lock()
				defer mu.Unlock()
				faults++
				switch {
				case levels[spec.Must], levels[spec.Inferred]:
					killed++
				case levels[spec.Should]:
					advised = append(advised, c.Rule+" "+name+": "+strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
				default:
					survivors = append(survivors, c.Rule+" "+name)
				}
				for k := range kinds {
					kills[k]++
				}
			})
		}
	})
	if killed < leastByContract {
		t.Errorf("%d faults break a must or an inferred rule, want at least %d", killed, leastByContract)
	}
	t.Logf("%d faults: %d break a must or an inferred rule, %d more a should rule, %d survive", faults, killed, len(advised), len(survivors))
	for _, k := range slices.Sorted(maps.Keys(kills)) {
		t.Logf("%4d  %s", kills[k], k)
	}
	slices.Sort(advised)
	t.Logf("advised only, by the Petstore's rules:\n%s", strings.Join(advised, "\n"))
	slices.Sort(survivors)
	t.Logf("survivors, by the Petstore's rules:\n%s", strings.Join(survivors, "\n"))
}

// logCase judges a case, and logs what its scenarios found, observed and left out.
func logCase(t *testing.T, p *Prover, c Case) {
	t.Helper()
	rec, err := p.play(t.Context(), c, 0, p.Selection)
	if err != nil {
		t.Fatal(err)
	}
	statuses := map[string]int{}
	for _, ex := range rec.Exchanges {
		if ex.Response != nil {
			statuses[ex.Operation+" "+strconv.Itoa(ex.Response.Status)]++
		}
	}
	t.Logf("%s %s: %s %d exchanges: %v", c.Kind, c.Name, c.Says, len(rec.Exchanges), statuses)
	for _, s := range rec.Scenarios {
		for _, f := range s.Findings {
			t.Logf("  broken %s in %q: %s, expected %s, actual %s", f.Rule, s.Name, f.Where, f.Expected, f.Actual)
		}
		for _, o := range s.Observations {
			t.Logf("  observed %s in %q: %s", o.Rule, s.Name, o.Answer)
		}
		if s.Reason != "" {
			t.Logf("  %s %q: %s", s.Outcome, s.Name, s.Reason)
		}
	}
}
