package examples

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// TestServicesOfOthers judges services of others, which CI installs. At least four in five of their operations have to be
// reached, and each deviation that is accepted has to show.
func TestServicesOfOthers(t *testing.T) {
	if os.Getenv("HALLMARK_OTHERS") == "" {
		t.Skip("HALLMARK_OTHERS=1 judges PowerDNS and Alertmanager, which have to be installed (see .ci/run)")
	}
	for _, name := range []string{"powerdns", "alertmanager"} {
		t.Run(name, func(t *testing.T) {
			judged := judge(t, name)
			reached, all, missed := judged.reach()
			if 5*reached < 4*all { // on a busy machine one may fail by chance; two runs hardly miss the same bar
				t.Logf("%d of %d operations are reached, and not %q: judged once more", reached, all, missed)
				judged = judge(t, name)
				reached, all, missed = judged.reach()
			}
			if t.Logf("%d of %d operations are reached, and not %q", reached, all, missed); all < 9 || 5*reached < 4*all {
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

// judged is the record of a run that judged a service, and what was drawn from it.
type judged struct {
	record.Record
	Result struct {
		Deviations []struct{ Rule, State string }
	}
}

// judge judges a service as its script does.
func judge(t *testing.T, name string) judged {
	t.Helper()
	file := filepath.Join(t.TempDir(), "record.json")
	out, err := exec.Command(filepath.Join(name, "judge.sh"), "--seed", "5", "--report", "json:"+file).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var all judged
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// reach returns how many of the operations that rules speak of succeeded, how many there are that can, and the others.
func (j judged) reach() (reached, all int, missed []string) {
	operations := map[string]bool{}
	for _, s := range j.Scenarios {
		for _, rule := range s.Rules {
			operation, _, _ := strings.Cut(rule, ".")
			operations[operation] = true
		}
	}
	delete(operations, "error") // PowerDNS's document says of it that it "will always generate an error"
	for _, operation := range slices.Sorted(maps.Keys(operations)) {
		if j.Exercised[operation+".success"] > 0 {
			reached++
		} else {
			missed = append(missed, operation)
		}
	}
	return reached, len(operations), missed
}
