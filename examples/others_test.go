package examples

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hallmark/reports/record"
)

// TestServicesOfOthers judges services of others, which CI installs. At least four in five of their operations have to be
// reached, and each deviation that is accepted has to show.
func TestServicesOfOthers(t *testing.T) {
	if os.Getenv("HALLMARK_OTHERS") == "" {
		t.Skip("HALLMARK_OTHERS=1 judges PowerDNS and Alertmanager, which have to be installed (see .ci/run)")
	}
	for _, name := range []string{"powerdns", "alertmanager"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "record.json")
			out, err := exec.Command(filepath.Join(name, "judge.sh"), "--seed", "5", "--report", "json:"+file).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			var judged struct {
				record.Record
				Result struct {
					Deviations []struct{ Rule, State string }
				}
			}
			if err := json.Unmarshal(text, &judged); err != nil {
				t.Fatal(err)
			}
			all, reached := map[string]bool{}, 0
			for _, s := range judged.Scenarios {
				for _, rule := range s.Rules {
					operation, _, _ := strings.Cut(rule, ".")
					all[operation] = true
				}
			}
			for operation := range all {
				if judged.Exercised[operation+".success"] > 0 {
					reached++
				}
			}
			if t.Logf("%d of %d operations are reached", reached, len(all)); len(all) < 9 || 5*reached < 4*len(all) {
				t.Errorf("that is less than four in five")
			}
			if len(judged.Result.Deviations) == 0 {
				t.Errorf("the record shows no deviation")
			}
			for _, d := range judged.Result.Deviations {
				if d.State != "deviating" {
					t.Errorf("the deviation %s is %s", d.Rule, d.State)
				}
			}
		})
	}
}
