// Package messages writes a run as Cucumber Messages, version 34, one JSON object per line, for Cucumber's formatters and the services
// that read their format.
//
// The messages describe a run in order: the features, then each scenario with its steps. A record contains which steps failed, and when a
// scenario started and ended, but not the duration of steps, so steps have none. Features that are not available, such as those of another
// version's record, are reconstructed from the names and steps of the recorded scenarios.
package messages
