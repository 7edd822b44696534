package wholerun_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/junit"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/runtest"
)

// The plan, the text and the test cases of a run count the same scenarios: what is asked before the first is none.
func TestPlanAndResultCountAlike(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	for _, readOnly := range []bool{false, true} {
		var cfg steps.Config
		url := serving(t, brokenService(t, "limit-one-more"))
		create(t, url, `{"name": "Rex", "categoryId": 1}`) // so that reading one succeeds
		rec, _ := k.Run(t, url, referenceKey, func(c *steps.Config) {
			c.Target.ReadOnly, c.Selection = readOnly, suite.Selection{Operations: []string{"listPets"}, ReadOnly: readOnly}
			cfg = *c
		})
		plan, err := steps.NewPlan(cfg)
		if err != nil {
			t.Fatal(err)
		}
		planned := plan.Scenarios
		for _, n := range plan.LeftOut {
			planned += n
		}
		v := view.New(&rec, view.Sources{Catalogue: k.Catalogue})
		if want := text.Count(planned, "scenario"); planned == 0 || !strings.HasPrefix(v.Work(), want+" ") && !strings.HasPrefix(v.Work(), want+",") {
			t.Errorf("%s are planned, and %s were played", want, v.Work())
		}
		var xml bytes.Buffer
		if err := junit.Write(&xml, v); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf(`<testsuites name="hallmark" tests="%d"`, planned); !strings.Contains(xml.String(), want) {
			t.Errorf("JUnit has another count than %s: %.200s", want, xml.String())
		}
	}
}

// create creates a resource, as another client would.
func create(t *testing.T, url, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/pets", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+referenceKey)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		t.Fatalf("the creation is answered %s", response.Status)
	}
}
