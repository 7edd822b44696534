//go:build unix

package speed

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// The marks between which a page keeps the tables.
const begin, end = "<!-- tables of one run: make bench KEEP=1 -->\n", "<!-- end of the tables -->\n"

// keep writes the tables into a page.
func keep(t *testing.T, page, tables string) {
	t.Helper()
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := between(string(old), tables)
	if err != nil {
		t.Fatalf("%s: %v", page, err)
	}
	if err := os.WriteFile(page, []byte(kept), 0o644); err != nil {
		t.Fatal(err)
	}
}

// between returns a page with other tables.
func between(page, tables string) (string, error) {
	before, rest, ok := strings.Cut(page, begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		return "", fmt.Errorf("the page lacks the marks %q and %q", begin, end)
	}
	return before + begin + "\n" + strings.TrimSpace(tables) + "\n\n" + end + after, nil
}

// table lays rows out as Markdown; the first column is text, the others are numbers.
func table(heads []string, rows [][]string) string {
	var out strings.Builder
	line := func(cells []string) { out.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(heads)
	out.WriteString("|---" + strings.Repeat("|---:", len(heads)-1) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return out.String()
}

// runsTable is about services that answer at once.
func runsTable(all []*measured) string {
	var rows [][]string
	for _, m := range all {
		rows = append(rows, []string{
			named(m), text.Number(m.scenarios), text.Number(len(m.requests)), seconds(m.run.Took), seconds(m.run.Processor),
			text.Number(int(m.run.Processor.Microseconds())/len(m.requests)) + " µs", text.Number(int(m.run.Memory>>10)) + " MiB",
			seconds(m.sequential), seconds(m.concurrent), ratio(m.run.Took, m.concurrent),
		})
	}
	return "A service that answers at once:\n\n" + table([]string{
		"Contract", "Scenarios", "Exchanges", "`hallmark run`", "Processor time", "of it for each exchange", "Peak of memory", "Bare replay, one after another",
		fmt.Sprintf("Bare replay by %d", usual), fmt.Sprintf("Run ÷ replay by %d", usual),
	}, rows)
}

// latencyTable is about services whose responses come later.
func latencyTable(all []*measured) string {
	var rows [][]string
	for _, m := range all {
		for _, at := range m.behind {
			rows = append(rows, []string{
				named(m), text.Number(int(at.latency.Milliseconds())) + " ms", seconds(at.run), seconds(at.runHigh),
				seconds(at.replayUsual), seconds(at.replayHigh), ratio(at.runHigh, at.replayHigh),
			})
		}
	}
	return "Responses that come later, each measured once:\n\n" + table([]string{
		"Contract", "Latency", "`hallmark run`", fmt.Sprintf("`--concurrency %d`", high), fmt.Sprintf("Bare replay by %d", usual),
		fmt.Sprintf("Bare replay by %d", high), fmt.Sprintf("Run ÷ replay, both by %d", high),
	}, rows)
}

func named(m *measured) string { return m.name + ", " + text.Count(m.operations, "operation") }

// seconds writes a time with two digits behind the point, and three below a tenth.
func seconds(d time.Duration) string {
	if d < 100*time.Millisecond {
		return fmt.Sprintf("%.3f s", d.Seconds())
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

func ratio(a, b time.Duration) string { return fmt.Sprintf("%.1f", a.Seconds()/b.Seconds()) }
