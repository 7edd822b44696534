package wholerun_test

import (
	"crypto/tls"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/tests/impostor"
	"github.com/hallmark-kit/hallmark/tests/runtest"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// tests/impostor is a yardstick that nothing here was made by: services that keep the interface, each in its own way,
// and services that break it. A choice of them is judged with every test; all of them by "make yardstick".

var (
	wholeYardstick = flag.Bool("yardstick", false, "judge every variant of tests/impostor")
	partYardstick  = flag.String("yardstick.only", "", "of those only the variants with these names, separated by commas; their reports are shown")
)

const impostorKey = "Impostor-Key-4711-abcXYZ"

// sampled leaves most variants to "make test FULL=1" and "make impostors", which judge them all without the race detector.
func sampled(t *testing.T, nth int) {
	t.Helper()
	skip.Sampled(t, nth, 24)
	if skip.RaceDetector && nth%6 != 0 {
		t.Skip("judged without the race detector")
	}
}

// judgeImpostor runs the whole suite against a variant.
func judgeImpostor(t *testing.T, k runtest.Kit, v impostor.Variant, seed int64) (record.Record, verdict.Result) {
	t.Helper()
	r := v.Launch(impostorKey)
	defer r.Stop()
	return k.Run(t, r.BaseURL, impostorKey, func(c *steps.Config) {
		c.Seed = seed
		if v.Now != "" {
			c.Now, _ = time.Parse(time.DateOnly, v.Now)
		}
		if v.TLS {
			tr := client.NewTransport(8)
			tr.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
			c.Transport = tr
		}
	})
}

// notAccused fails the test for whatever is held against a variant that keeps the interface.
func notAccused(t *testing.T, v impostor.Variant, rec record.Record, res verdict.Result) {
	t.Helper()
	for _, c := range res.Causes {
		if c.Level == spec.Must {
			t.Errorf("%s is accused of %s: expected %s, actual %s\n%s", v.Says, c.Rule, c.Lead.Expected, c.Lead.Actual, c.Lead.Where)
		}
	}
	if res.ExitCode != verdict.ExitOK {
		t.Errorf("the run is %s, exit code %d", res.Verdict, res.ExitCode)
	}
	for _, s := range rec.Scenarios {
		if s.Outcome == record.Errored {
			t.Errorf("%s: %s", s.ID, s.Reason)
		}
	}
}

// rulesFound lists the rules that the findings of a run name.
func rulesFound(rec record.Record) []string {
	var out []string
	for _, s := range rec.Scenarios {
		for _, f := range s.Findings {
			out = append(out, f.Rule)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func variantsByName(all []impostor.Variant) map[string]impostor.Variant {
	out := map[string]impostor.Variant{}
	for _, v := range all {
		out[v.Name] = v
	}
	return out
}

// TestLegalImpostors holds nothing against services that keep the interface.
func TestLegalImpostors(t *testing.T) {
	t.Parallel()
	k, variants := runtest.New(t), variantsByName(impostor.Legal())
	for i, name := range []string{
		"pet-more-fields", "error-japanese", "json-all-escaped", "json-category-point-zero", "default-varies", "body-media-415", "body-none-415",
		"names-once", "names-strict", "categories-53-bits", "ids-across-zero", "ids-random-signed", "removed-route",
		"removal-the-day-before", "limit-odd-means-none", "filter-unknown-422", "petid-lenient", "order-random",
		"page-limited-before-filter", "page-half-full", "stock-odd-names", "others-change-status", "others-come-and-go", "tls",
		"prefix-deep", "chunked", "busy-429",
	} {
		t.Run(name, func(t *testing.T) {
			v, ok := variants[name]
			if !ok {
				t.Fatal("there is no such variant")
			}
			sampled(t, i)
			t.Parallel()
			rec, res := judgeImpostor(t, k, v, 1)
			notAccused(t, v, rec, res)
		})
	}
}

// TestBrokenImpostors finds what is broken, by the rule that is.
func TestBrokenImpostors(t *testing.T) {
	t.Parallel()
	k, variants := runtest.New(t), variantsByName(impostor.Broken())
	rules := map[string]string{
		"status-createPet-206":       "create.accepted",
		"status-422-for-404":         "get.unknown",
		"status-409-null":            "create.categoryId.required",
		"media-html-on-empty":        "answer.media-type",
		"json-bare-keys":             "error.body",
		"shape-list-quoted":          "list.array",
		"pet-status-upper-on-getPet": "pet.status",
		"pet-status-of-old-stock":    "pet.status",
		"error-message-only":         "error.code",
		"limit-100-means-200":        "list.maximum",
		"default-0":                  "list.limit.default.same",
		"filter-unless-sold":         "list.status.honoured",
		"empty-blank-animal":         "pet.id",
		"accepts-relaxed-json":       "create.body.json",
		"accepts-unknown-status":     "create.status.values",
		"fails-on-malformed":         "create.body.json",
		"fails-on-status-type":       "create.status.type",
		"category-float-on-create":   "create.echo.categoryId",
		"name-cut-at-40":             "create.echo.name",
		"name-upper-on-list":         "pet.identity",
		"id-shown-as-0":              "create.id.unique",
		"get-not-without-status":     "get.found",
		"get-32-bits-great":          "get.id",
		"get-category-counts":        "get.stable",
		"gone-early-route":           "get.found",
		"fails-every-30th-503":       "answer.status",
	}
	for i, name := range slices.Sorted(maps.Keys(rules)) {
		rule := rules[name]
		t.Run(name, func(t *testing.T) {
			v, ok := variants[name]
			if !ok {
				t.Fatal("there is no such variant")
			}
			sampled(t, i)
			t.Parallel()
			rec, res := judgeImpostor(t, k, v, 1)
			typedStatuses(t, rec)
			if found := rulesFound(rec); res.ExitCode != verdict.ExitViolated || !holds(k, found, rule) {
				t.Errorf("%s It breaks %s, and found is %q, exit code %d", v.Says, rule, found, res.ExitCode)
			}
		})
	}
}

// A defect belongs into one corpus: the reference service's, by which "hallmark prove" measures. A variant of tests/impostor is
// broken as no fault is.
func TestNoBrokenImpostorBearsTheNameOfAFault(t *testing.T) {
	t.Parallel()
	k, faults := runtest.New(t), map[string]bool{}
	for _, f := range variants.Faults() {
		faults[f.Name] = true
	}
	_, catalogue, err := bundled.Petstore().Derived()
	if err != nil {
		t.Fatal(err)
	}
	derived, err := fault.SeededOf(k.Contract, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range derived {
		faults[f.Name] = true
	}
	for _, v := range impostor.Broken() {
		if faults[v.Name] {
			t.Errorf("%s is a fault of the reference service, too", v.Name)
		}
	}
}

// typedStatuses checks that a finding whose words name the status of a response has it as a value too: causes are told
// apart by that.
func typedStatuses(t *testing.T, rec record.Record) {
	t.Helper()
	for _, s := range rec.Scenarios {
		for _, f := range s.Findings {
			var named int
			if _, err := fmt.Sscanf(f.Actual.String(), "status %d", &named); err == nil && named != f.Status {
				t.Errorf("%s: actual %q, and the status of the finding is %d", f.Rule, f.Actual, f.Status)
			}
		}
	}
}

// holds reports whether rules hold one, or a part of it.
func holds(k runtest.Kit, rules []string, id string) bool {
	return slices.ContainsFunc(rules, func(found string) bool {
		for found != "" && found != id {
			r, _ := k.Catalogue.Rule(found)
			found = r.Within
		}
		return found == id
	})
}

// outOfReach are broken variants that a run cannot see, each with the reason.
func outOfReach() map[string]string {
	return map[string]string{
		"forgets-after-a-second": "a run on one machine is over before the second is",
	}
}

// TestUnknownStatusesAreNoFilters runs against services that show statuses which are none, and refuse lists that are
// filtered by one. Only the statuses themselves break the interface: which filters must be accepted follows from the
// contract, not from what a service shows.
func TestUnknownStatusesAreNoFilters(t *testing.T) {
	t.Parallel()
	k, variants := runtest.New(t), variantsByName(impostor.Broken())
	for i, name := range []string{"pet-status-new-by-default", "pet-status-of-old-stock"} {
		t.Run(name, func(t *testing.T) {
			skip.Sampled(t, i, 2)
			t.Parallel()
			rec, _ := judgeImpostor(t, k, variants[name], 1)
			found := rulesFound(rec)
			if !slices.Contains(found, "pet.status") {
				t.Errorf("the statuses are not held against it: %q", found)
			}
			for _, rule := range found {
				if strings.HasPrefix(rule, "list.") {
					t.Errorf("%s is accused of %s", variants[name].Says, rule)
				}
			}
		})
	}
}

// TestYardstick judges every variant, when it is asked to: "make yardstick".
func TestYardstick(t *testing.T) {
	t.Parallel()
	if !*wholeYardstick {
		t.Skip("make yardstick judges all variants of tests/impostor")
	}
	k := runtest.New(t)
	only := strings.FieldsFunc(*partYardstick, func(r rune) bool { return r == ',' })
	chosen := func(v impostor.Variant) bool { return len(only) == 0 || slices.Contains(only, v.Name) }
	show := func(t *testing.T, rec record.Record, res verdict.Result) {
		t.Helper()
		if len(only) > 0 {
			var text strings.Builder
			_ = terminal.Write(&text, view.New(&rec, view.Sources{Catalogue: k.Catalogue}), terminal.Look{Width: 120})
			t.Log("\n" + text.String())
		}
	}
	for _, v := range impostor.Legal() {
		if chosen(v) {
			t.Run("legal/"+v.Name, func(t *testing.T) {
				t.Parallel()
				rec, res := judgeImpostor(t, k, v, 1)
				notAccused(t, v, rec, res)
				show(t, rec, res)
			})
		}
	}
	for _, v := range impostor.Broken() {
		if !chosen(v) {
			continue
		}
		t.Run("broken/"+v.Name, func(t *testing.T) {
			t.Parallel()
			tries := int64(1)
			if v.Chance {
				tries = 3
			}
			for seed := range tries {
				rec, res := judgeImpostor(t, k, v, seed+1)
				show(t, rec, res)
				if res.ExitCode == verdict.ExitViolated {
					return
				}
			}
			if reason, known := outOfReach()[v.Name]; known {
				t.Skipf("out of reach: %s", reason)
			}
			t.Errorf("it survives. %s (%s)", v.Says, v.Rule)
		})
	}
}
