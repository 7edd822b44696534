package replay

import (
	"fmt"
	"io"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/verdict"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Write writes the result of each failure, and their counts.
func Write(w io.Writer, results []*Result) error {
	var out strings.Builder
	counts := map[State]int{}
	for _, r := range results {
		counts[r.State]++
		fmt.Fprintf(&out, "%-20s  %s  %s\n", r.State, text.Visible(r.Rule), text.Visible(r.Says))
		fmt.Fprintf(&out, "%22s%s\n", "", text.Visible(r.Because))
	}
	var parts []string
	for _, state := range []State{StillFails, FailsDifferently, NoLongerFails, Inconclusive} {
		words := string(state)
		if counts[state] > 1 {
			words = strings.Replace(words, "fails", "fail", 1)
		}
		if counts[state] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[state], words))
		}
	}
	fmt.Fprintf(&out, "\n%s: %s\n", text.Count(len(results), "failure"), strings.Join(parts, ", "))
	_, err := io.WriteString(w, out.String())
	return err
}

// ExitCode returns the exit code for the results.
func ExitCode(results []*Result) int {
	code := verdict.ExitOK
	for _, r := range results {
		switch r.State {
		case StillFails, FailsDifferently:
			return verdict.ExitViolated
		case Inconclusive:
			code = verdict.ExitUnjudged
		case NoLongerFails:
		}
	}
	return code
}
