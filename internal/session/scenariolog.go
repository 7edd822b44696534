package session

import (
	"fmt"
	"io"
	"strings"
	"time"

	"hallmark/internal/text"
	"hallmark/reports/record"
)

// scenarioLogEvery is the time between two looks at what has ended.
const scenarioLogEvery = 200 * time.Millisecond

// scenarioLog writes a line for each scenario when it has ended.
type scenarioLog struct {
	to       io.Writer
	recorder *record.Recorder
	written  int
	quit     chan struct{}
	done     chan struct{}
}

func newScenarioLog(to io.Writer, recorder *record.Recorder) *scenarioLog {
	return &scenarioLog{to: to, recorder: recorder, quit: make(chan struct{}), done: make(chan struct{})}
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
	var text strings.Builder
	ended := t.recorder.Ended(t.written)
	for _, s := range ended {
		text.WriteString(scenarioLine(s))
	}
	t.written += len(ended)
	fmt.Fprint(t.to, text.String())
}

// scenarioLine is "passed   features/list.feature:14  limit 1  3.2ms".
func scenarioLine(s record.Scenario) string {
	line := fmt.Sprintf("%-8s %s  %s  %s", s.Outcome, s.ID, s.Name, s.Elapsed.Round(100*time.Microsecond))
	if s.Reason != "" {
		line += "  (" + s.Reason + ")"
	}
	return text.Visible(line) + "\n"
}
