// Package messages writes a run as Cucumber Messages, version 34, one JSON object a line: what Cucumber's own formatters and
// the services around it read.
//
// Messages tell a run as it happens: the features, then each scenario with its steps. A record knows which steps failed, and
// when a scenario began and ended, but not how long a step took; so steps have no durations. Features that are not at hand
// (of a record that others made) are written anew from what the record says of their scenarios: their names and steps.
package messages
