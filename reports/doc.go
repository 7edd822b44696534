// Package reports draws verdicts from the record of a run and shows them.
//
// The record itself is made in package record. [Judge] draws a [Result] from it: a verdict for each rule, the causes behind
// the findings, the verdict of the run and its exit code. A [View] holds the two, with the texts that they speak of: it is
// all that a [Format] needs. The [Terminal]'s text is made here, every other format in a folder of its own. [Sinks] write
// those that were asked for, also while the run goes on, and [Progress] shows on a terminal how far it is.
package reports
