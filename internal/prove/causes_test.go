package prove

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// caseCalled finds a case by its name.
func caseCalled(t *testing.T, cases []Case, name string) Case {
	t.Helper()
	i := slices.IndexFunc(cases, func(c Case) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no case is called %s", name)
	}
	return cases[i]
}

// TestOneBugIsOneCause judges faults whose findings belong to many rules.
func TestOneBugIsOneCause(t *testing.T) {
	p, cases := prover(t)
	for i, name := range []string{
		"limit-ignored", "id-always-1", "id-of-client-shown", "id-float-everywhere", "create-not-stored",
		"forgets-after-60", "get-nearest", "get-fabricates", "get-unknown-500", "filter-swapped", "json-lines",
		"listPets-200-null", "createPet-201-id-fraction", "createPet-201-as-500", "status-not-echoed",
	} {
		t.Run(name, func(t *testing.T) {
			sampled(t, i)
			t.Parallel()
			o := p.attempt(t.Context(), caseCalled(t, cases, name), 0)
			if len(o.Causes) != 1 || !o.Diagnosed {
				t.Errorf("told as %v; want one cause", o.Causes)
			}
		})
	}
}

// TestOneBugIsTwoCausesAtMost judges faults with findings that show no connection to the others.
func TestOneBugIsTwoCausesAtMost(t *testing.T) {
	skipWholeRuns(t)
	p, cases := prover(t)
	for _, name := range []string{"id-by-category", "create-shows-previous", "auth-length", "get-large-500", "id-float-in-lists"} {
		o := p.attempt(t.Context(), caseCalled(t, cases, name), 0)
		if n := len(o.Causes); n < 1 || n > maxCauses || !o.Diagnosed {
			t.Errorf("%s is told as %v", name, o.Causes)
		}
	}
}

// TestTwoBugsAreTwoCauses combines faults that have nothing to do with each other: a report must name both.
func TestTwoBugsAreTwoCauses(t *testing.T) {
	skipWholeRuns(t)
	p, cases := prover(t)
	both := 0
	pairs := [][2]string{
		{"limit-ignored", "auth-prefix"}, {"name-capitalised", "get-prefix"}, {"default-50", "auth-case"}, {"filter-ignored", "name-trimmed"},
		{"category-int32", "limit-one-more"}, {"accepts-no-name", "get-first"}, {"create-not-stored", "auth-appended"},
		{"list-lacks-newest", "name-cut-at-39"}, {"id-every-10th-repeated", "limit-100-refused"}, {"get-status-turns", "accepts-null-status"},
		{"error-code-number", "filter-also-pending"}, {"create-sold-refused", "get-unknown-500"}, {"list-category-0", "auth-empty"},
		{"name-padded-on-read", "status-sold-is-pending"}, {"forgets-after-60", "accepts-fraction"}, {"listPets-200-null", "auth-missing"},
		{"get-fabricates", "create-pending-refused"}, {"id-of-client", "default-all"}, {"no-body-fails", "limit-99-means-100"},
		{"name-capitalised", "status-sold-is-pending"}, {"limit-free-with-filter", "category-always-1"}, {"get-410", "name-ascii"},
	}
	for _, pair := range pairs {
		one, two := caseCalled(t, cases, pair[0]), caseCalled(t, cases, pair[1])
		joined := one
		joined.Name, joined.variant = one.Name+" and "+two.Name, variants.Join(one.variant.(variants.Variant), two.variant.(variants.Variant))
		rec, err := p.play(t.Context(), joined, 0, p.Selection)
		if err != nil {
			t.Fatal(err)
		}
		var rules []string
		for _, c := range verdict.Draw(&rec, p.Catalogue.Rules).Causes {
			rules = append(rules, c.Rule)
		}
		if slices.Contains(rules, one.Rule) && slices.Contains(rules, two.Rule) {
			both++
		} else {
			t.Logf("%s: told as %v; they break %s and %s", joined.Name, rules, one.Rule, two.Rule)
		}
	}
	if least := len(pairs) * 8 / 10; both < least {
		t.Errorf("of %d pairs of independent faults both are told in %d; want %d", len(pairs), both, least)
	}
}

// TestSameRuleLeads judges faults with several seeds.
func TestSameRuleLeads(t *testing.T) {
	skipWholeRuns(t)
	p, cases := prover(t)
	p.Seeds = 4
	for _, name := range []string{"get-unknown-500", "id-always-1", "getPet-200-as-201", "limit-ignored", "auth-prefix"} {
		o := p.repeat(t.Context(), caseCalled(t, cases, name), false)
		if o.Tries != 4 || len(o.Leads) != 1 {
			t.Errorf("%s: led by %v in %d runs", name, o.Leads, o.Tries)
		}
	}
}

// TestScriptShowsTheDefectAgain runs the script that is printed for a failure with sh, against a service with the
// same fault that has seen no request yet: the ids of the run are unknown to it.
func TestScriptShowsTheDefectAgain(t *testing.T) {
	skipWholeRuns(t)
	for _, tool := range []string{"sh", "curl", "sed", "tr"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	p, cases := prover(t)
	for name, shows := range map[string]string{
		"create-not-stored":      "\n404\n",
		"get-never-found":        "\n404\n",
		"name-padded-on-read":    ` ","`,
		"category-next-on-read":  "\n200\n",
		"id-float":               "\n404\n",
		"get-negative-400":       `"status":400`,
		"list-by-id":             `{"1":[`,
		"get-410":                `"status":410`,
		"status-missing-on-read": "\n200\n",
		"getPet-200-as-201":      "\n201\n",
		"get-sold-not-found":     "\n404\n",
		"name-capitalised":       `HALLMARK-`,
	} {
		t.Run(name, func(t *testing.T) {
			c := caseCalled(t, cases, name)
			rec, err := p.play(t.Context(), c, 0, p.Selection)
			if err != nil {
				t.Fatal(err)
			}
			causes := verdict.Draw(&rec, p.Catalogue.Rules).Causes
			if len(causes) == 0 {
				t.Fatal("nothing was found")
			}
			c.network = true
			again, err := openService(t.Context(), p.Interface.Reference, c, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer again.close()
			script := causes[0].Curl
			if strings.Contains(script, key) {
				t.Errorf("the script holds the key:\n%s", script)
			}
			sh := exec.Command("sh", "-c", strings.ReplaceAll(script, rec.Target.BaseURL, again.baseURL))
			sh.Env = append(os.Environ(), "HALLMARK_API_KEY="+key)
			out, err := sh.CombinedOutput()
			if err != nil || !strings.Contains(string(out)+"\n", shows) {
				t.Errorf("%v; the script\n%s\nprints\n%s\nand not %q", err, script, out, shows)
			}
		})
	}
}
