package acceptance

import (
	"errors"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/tests/shop"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// The written feature of a new suite, on its own, finds faults and accuses no service that keeps its contract.
func TestWrittenFeatureOfASuite(t *testing.T) {
	skip.UnderRace(t)
	suite := suiteWith(t, "none")
	ends := func(t *testing.T, variant string) int {
		t.Helper()
		server := httptest.NewServer(shop.NewDesk(variant))
		defer server.Close()
		cmd := exec.CommandContext(t.Context(), "hallmark", "run", "--tags", "~@derived", "--base-url", server.URL, "--journal", "none")
		cmd.Dir = suite
		cmd.Env = append(os.Environ(), "HALLMARK_CREDENTIAL_KEY="+shop.Key, "XDG_STATE_HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if exit := (&exec.ExitError{}); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		t.Logf("%s", out)
		return cmd.ProcessState.ExitCode()
	}
	for i, freedom := range shop.Meanings() {
		t.Run("freedom "+freedom.Name, func(t *testing.T) {
			skip.Sampled(t, i, 6)
			t.Parallel()
			if code := ends(t, freedom.Name); code == 1 {
				t.Error("it is accused")
			}
		})
	}
	for _, fault := range shop.Inferred() {
		if !slices.Contains([]string{"lost", "delete-kept"}, fault.Name) {
			continue // the others need other values than those of a plain request, or are of lists
		}
		t.Run("fault "+fault.Name, func(t *testing.T) {
			t.Parallel()
			if code := ends(t, fault.Name); code != 1 {
				t.Errorf("it is not found: exit code %d", code)
			}
		})
	}
}
