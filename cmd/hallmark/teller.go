package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"hallmark/reports/record"
)

// tellEvery is the time between two looks at what has ended.
const tellEvery = 200 * time.Millisecond

// teller writes a line for each scenario when it has ended.
type teller struct {
	to       io.Writer
	recorder *record.Recorder
	told     int
	quit     chan struct{}
	done     chan struct{}
}

func newTeller(to io.Writer, recorder *record.Recorder) *teller {
	return &teller{to: to, recorder: recorder, quit: make(chan struct{}), done: make(chan struct{})}
}

func (t *teller) start() {
	go func() {
		defer close(t.done)
		tick := time.NewTicker(tellEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				t.tell()
			case <-t.quit:
				t.tell()
				return
			}
		}
	}()
}

// stop tells the rest.
func (t *teller) stop() {
	close(t.quit)
	<-t.done
}

func (t *teller) tell() {
	if t.recorder.Tally().Scenarios == t.told {
		return
	}
	var text strings.Builder
	ended := t.recorder.Snapshot().Scenarios
	for _, s := range ended[t.told:] {
		text.WriteString(scenarioLine(s))
	}
	t.told = len(ended)
	fmt.Fprint(t.to, text.String())
}

// scenarioLine is "passed   features/list.feature:14  limit 1  3.2ms".
func scenarioLine(s record.Scenario) string {
	line := fmt.Sprintf("%-8s %s  %s  %s", s.Outcome, s.ID, s.Name, s.Elapsed.Round(100*time.Microsecond))
	if s.Reason != "" {
		line += "  (" + s.Reason + ")"
	}
	return visible(line) + "\n"
}
