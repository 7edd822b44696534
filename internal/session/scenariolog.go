package session

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// scenarioLogEvery is the interval at which ended scenarios are checked for.
const scenarioLogEvery = 200 * time.Millisecond

// scenarioLog writes a line for each scenario when it has ended.
type scenarioLog struct {
	to   io.Writer
	quit chan struct{}
	done chan struct{}

	mu sync.Mutex
	// lines are the lines that are not written yet.
	lines strings.Builder
}

func newScenarioLog(to io.Writer, recorder *record.Recorder) *scenarioLog {
	t := &scenarioLog{to: to, quit: make(chan struct{}), done: make(chan struct{})}
	recorder.Follow(t.addScenario)
	return t
}

func (t *scenarioLog) addScenario(s record.Scenario) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines.WriteString(scenarioLine(s))
}

// note adds a line that is about no scenario.
func (t *scenarioLog) note(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines.WriteString(line)
}

func (t *scenarioLog) start() {
	go func() {
		defer close(t.done)
		tick := time.NewTicker(scenarioLogEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				t.write()
			case <-t.quit:
				t.write()
				return
			}
		}
	}()
}

// stop writes the rest.
func (t *scenarioLog) stop() {
	close(t.quit)
	<-t.done
}

func (t *scenarioLog) write() {
	t.mu.Lock()
	lines := t.lines.String()
	t.lines.Reset()
	t.mu.Unlock()
	fmt.Fprint(t.to, lines)
}

// scenarioLine is "passed   features/list.feature:14  limit 1  3.2ms".
func scenarioLine(s record.Scenario) string {
	line := fmt.Sprintf("%-8s %s  %s  %s", s.Outcome, s.ID, s.Name, s.Elapsed.Round(100*time.Microsecond))
	if s.Reason != "" {
		line += "  (" + s.Reason + ")"
	}
	return text.Visible(line) + "\n"
}
