package rapidenv

import (
	"os"
	"os/exec"
	"slices"
	"testing"
)

func TestVariables(t *testing.T) {
	got := variables([]string{"HOME=/root", "RAPID_CHECKS=x", "RAPID_LOG=", "MY_RAPID_SEED=1", "RAPIDS=2", "RAPID_SEED=a=b"})
	if want := []string{"RAPID_CHECKS", "RAPID_LOG", "RAPID_SEED"}; !slices.Equal(got, want) {
		t.Errorf("taken out are %q, want %q", got, want)
	}
}

// TestTheyAreGoneBeforeAnyTest starts this test's binary again, with such a variable.
func TestTheyAreGoneBeforeAnyTest(t *testing.T) {
	const again = "HALLMARK_CALM_AGAIN"
	if os.Getenv(again) != "" {
		if text, there := os.LookupEnv("RAPID_CHECKS"); there {
			t.Errorf("RAPID_CHECKS is still %q", text)
		}
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), again+"=1", "RAPID_CHECKS=x")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
