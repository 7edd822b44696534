// Package reports writes the results of a run in the requested formats.
//
// Package record makes the record of a run, package verdict draws the conclusions, and package view combines both, which is all that a
// [Format] needs. Each format has its own folder, except JSON, the record itself, which is written and read here. [Sinks] write the
// requested formats, also during the run.
package reports
