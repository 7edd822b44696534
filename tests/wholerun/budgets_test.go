package wholerun_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/tests/runtest"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// TestDefaultBudgetsAddUp expects a run by the defaults to be cut short nowhere, whether the service keeps the interface or
// not, and every cause to be repeated, those that only creations show too.
func TestDefaultBudgetsAddUp(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	service, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	sound := httptest.NewServer(service.Handler())
	defer sound.Close()
	services := map[string]string{"": sound.URL + "/v1"}
	for _, fault := range []string{
		"limit-one-more", "auth-missing", "create-each-9th-lost", "list-null-when-empty", "create-quota", "get-off-by-one",
	} {
		if known(fault) {
			services[fault] = serving(t, brokenService(t, fault))
		}
	}
	if len(services) < 5 {
		t.Fatalf("only %d services are judged", len(services))
	}
	for fault, url := range services {
		t.Run(fault, func(t *testing.T) {
			skip.SampledByName(t, 3)
			rec, res := k.Run(t, url, referenceKey, func(c *steps.Config) { c.Confirm = 1 })
			for _, s := range rec.Scenarios {
				if s.Tried != "" || strings.Contains(s.Reason, "--max-created") {
					t.Errorf("%s: %s", s.ID, s.Reason)
				}
			}
			created := 0
			for _, a := range rec.Created {
				if a.Fate == record.Created {
					created++
				}
			}
			if created > budget.DefaultMax || fault == "" && created > budget.ForScenarios {
				t.Errorf("%d animals were created", created)
			}
			if fault != "" && len(res.Causes) == 0 {
				t.Error("nothing was found")
			}
			for _, c := range res.Causes {
				if c.Confirmation == nil || c.Confirmation.Tries == 0 {
					t.Errorf("%s was not repeated: %+v", c.Rule, c.Confirmation)
				}
			}
		})
	}
}

func known(fault string) bool {
	for _, f := range variants.Faults() {
		if f.Name == fault {
			return true
		}
	}
	return false
}
