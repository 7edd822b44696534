package steps

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"hallmark/internal/bundled"

	"hallmark/internal/skip"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
	"hallmark/spec/openapi"
	"hallmark/steps/exchangetest"
	"hallmark/steps/petstore/rehearse"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
	"hallmark/steps/vocabulary"
)

// otherNumbers says in the words of the contract what otherShop does.
var otherNumbers = []string{
	"minimum: 1", "minimum: 2", "maximum: 100", "maximum: 50", "default: 20", "default: 10", "maxItems: 100", "maxItems: 50",
	"enum: [available, pending, sold]", "enum: [reserved, sold, available]",
	"        '201':\n", "        '200':\n",
}

// otherShop keeps a contract with other numbers.
func otherShop() *rehearse.Shop {
	s := rehearse.NewShop()
	s.Least, s.Most, s.Standard, s.Statuses, s.Added = 2, 50, 10, []string{"reserved", "sold", "available"}, http.StatusOK
	return s
}

// otherContract is the built-in contract with some of its text replaced, and status before limit.
func otherContract(t *testing.T, pairs ...string) *spec.Contract {
	t.Helper()
	raw, err := os.ReadFile("../spec/petstore/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the contract does not hold %q", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	limit, status := strings.Index(text, "        - name: limit\n"), strings.Index(text, "        - name: status\n")
	end := status + strings.Index(text[status:], "      responses:")
	text = text[:limit] + text[status:end] + text[limit:status] + text[end:]
	contract, err := openapi.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

// byContract makes a run judge by a contract, as run --contract does.
func byContract(t *testing.T, contract *spec.Contract) func(*Config) {
	t.Helper()
	catalogue, err := rehearse.Must(t, rehearse.Catalogue).Adapt(rehearse.Must(t, rehearse.Contract), contract)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range catalogue.Check(contract) {
		t.Error(wrong)
	}
	suite, err := LoadSuiteFor(bundled.Petstore().Features, bundled.Petstore().Code, contract, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return func(c *Config) { c.Contract, c.Catalogue, c.Suite = contract, catalogue, suite }
}

func TestAnotherContractsNumbers(t *testing.T) {
	contract := otherContract(t, otherNumbers...)
	for name, test := range map[string]struct {
		change func(*rehearse.Shop)
		wrong  string
	}{
		"as documented":         {func(*rehearse.Shop) {}, ""},
		"a default of 11":       {func(s *rehearse.Shop) { s.Standard = 11 }, "list.limit.default"},
		"a default of 9":        {func(s *rehearse.Shop) { s.Standard = 9 }, "list.limit.default.same"},
		"49 is the most":        {func(s *rehearse.Shop) { s.Most = 49 }, "list.limit.accepted"},
		"3 is the least":        {func(s *rehearse.Shop) { s.Least = 3 }, "list.limit.accepted"},
		"no filter by reserved": {func(s *rehearse.Shop) { s.Change = refusing("status=reserved") }, "list.status.accepted"},
		"a status of ours": {func(s *rehearse.Shop) {
			s.Statuses = append(s.Statuses, "nonesuch")
		}, "create.status.values"},
		"51 animals for 50": {func(s *rehearse.Shop) {
			s.Change = rehearse.Lists(func(r *http.Request, page []rehearse.Row) []rehearse.Row {
				if len(page) == 50 {
					return append(page, rehearse.Altered(page[0], rehearse.Row{"id": 987654321}))
				}
				return page
			})
		}, "list.maximum"},
		"created with 201": {func(s *rehearse.Shop) { s.Added = http.StatusCreated }, "create.accepted"},
	} {
		t.Run(name, func(t *testing.T) {
			skip.SampledByName(t, 3)
			t.Parallel()
			service := otherShop()
			test.change(service)
			p := playRun(t, t.Context(), service, byContract(t, contract))
			if p.err != nil {
				t.Fatal(p.err)
			}
			found := ruleIDs(p.musts(t))
			if test.wrong == "" && (len(found) > 0 || p.res.ExitCode != verdict.ExitOK) || test.wrong != "" && !slices.Contains(found, test.wrong) {
				t.Errorf("it is accused of %q, want %q; %s\n%s", found, test.wrong, p.res.Because, exchangetest.Lines(p.musts(t)))
			}
			for _, s := range p.rec.Scenarios {
				if s.Outcome == record.Errored {
					t.Errorf("%s: %s", s.ID, s.Reason)
				}
			}
			if test.wrong != "" {
				return
			}
			for _, r := range rehearse.Must(t, rehearse.Catalogue).Rules {
				if r.Level == spec.Must && r.Untestable == "" && p.rec.Exercised[r.ID] == 0 {
					t.Errorf("nothing judged %s", r.ID)
				}
			}
		})
	}
}

// refusing answers 400 to requests whose query holds a text.
func refusing(query string) func(*http.Request, *rehearse.Reply) {
	return func(r *http.Request, a *rehearse.Reply) {
		if strings.Contains(r.URL.RawQuery, query) && a.Status == http.StatusOK {
			*a = *rehearse.ErrorReply(http.StatusBadRequest)
		}
	}
}

func ruleIDs(findings []spec.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.Rule)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// What a contract does not say is held against nobody.
func TestContractsThatSayLess(t *testing.T) {
	for name, test := range map[string]struct {
		pairs  []string
		change func(*rehearse.Shop)
	}{
		"no default":         {[]string{"            default: 20\n", ""}, func(s *rehearse.Shop) { s.Standard = 77 }},
		"no greatest length": {[]string{"      maxItems: 100\n", ""}, func(*rehearse.Shop) {}},
		"no greatest limit": {[]string{"            maximum: 100\n", ""}, func(s *rehearse.Shop) {
			s.Most = 5000
			s.Change = rehearse.Lists(func(_ *http.Request, page []rehearse.Row) []rehearse.Row { return page[:min(len(page), 100)] })
		}},
		"no bound of a limit": {[]string{"            maximum: 100\n", "", "      maxItems: 100\n", "", "            minimum: 1\n", ""}, func(s *rehearse.Shop) { s.Most = 5000 }},
	} {
		t.Run(name, func(t *testing.T) {
			skip.SampledByName(t, 3)
			t.Parallel()
			service := rehearse.NewShop()
			test.change(service)
			p := playRun(t, t.Context(), service, byContract(t, otherContract(t, test.pairs...)))
			if p.err != nil || len(p.musts(t)) > 0 || p.res.ExitCode != verdict.ExitOK {
				t.Errorf("%v: %s\n%s", p.err, p.res.Because, exchangetest.Lines(p.musts(t)))
			}
		})
	}
}

func TestScenariosOfTheBuiltInContractFit(t *testing.T) {
	contract, unfit := rehearse.Must(t, rehearse.Contract), vocabulary.Unfit(bundled.Petstore().Code)
	for _, f := range rehearse.Must(t, rehearse.Suite).Features {
		for _, p := range f.Scenarios {
			if why := unfit(p, contract); why != "" {
				t.Errorf("%s %s: %s", p.ID(), p.Name, why)
			}
		}
	}
}

// Of another contract only those written scenarios are left out whose expectations it does not share, and none that was
// derived from it.
func TestScenariosThatDoNotFit(t *testing.T) {
	contract := otherContract(t, otherNumbers...)
	cfg := testConfig(t, rehearse.NewShop())
	byContract(t, contract)(&cfg)
	c, err := cfg.Suite.Select(suite.Selection{}, cfg.Catalogue, contract)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{}
	for _, p := range c.Skipped {
		if p.Has("@derived") {
			t.Errorf("%s %s: %s", p.ID(), p.Name, c.Reasons[p.ID()])
		}
		reasons[strings.TrimPrefix(c.Reasons[p.ID()], "the scenario is written for another contract: ")] = true
	}
	for _, want := range []string{
		"it does not allow the limit 100", "it does not allow the limit 1", "there is no status pending", "no animal can be created with the status pending",
	} {
		if !reasons[want] {
			t.Errorf("none is left out because %s", want)
		}
	}
	if n := len(c.Skipped); n > 40 {
		t.Errorf("%d scenarios are left out", n)
	}
}

func TestContractsThatNoRunCanPlay(t *testing.T) {
	contract := otherContract(t, "          description: What the animal is called.\n", "          description: What the animal is called.\n          maxLength: 12\n")
	cfg := testConfig(t, rehearse.NewShop())
	cfg.Contract = contract
	if _, err := scenario.New(cfg.options()); err == nil || !strings.Contains(err.Error(), "2 to 40 characters") {
		t.Errorf("%v", err)
	}
}
