package reports

import "time"

// Number writes a number with thousands set apart: 1,204.
func Number(n int) string { return itoa(n) }

// Duration writes a span of time as a person says it: 12 ms, 0.8 s, 2 min 5 s.
func Duration(d time.Duration) string { return duration(d) }

// ScenarioOrder compares the ids of scenarios as a person sorts them: by path, then by line.
func ScenarioOrder(x, y string) int { return scenarioOrder(x, y) }

// Elapsed is how long the run took; 0 where the record does not know.
func (v *View) Elapsed() time.Duration { return elapsed(v.Record) }

// Sentence says for a person what came of repeating a cause; empty when nothing was tried, and there is no reason to be
// given.
func (c *Confirmation) Sentence() string { return c.sentence() }
