// Package reports tells what a run found: the record of a run, the verdicts that follow from its findings, and what
// shows them.
//
// A [Recorder] collects a run into a [Record] while it goes on. [Judge] draws a [Result] from a record: a verdict for
// each rule, the causes behind the findings, the verdict of the run and its exit code. A [View] holds the two, with the
// texts that they speak of: it is all that a [Format] needs. The record itself, JUnit and the [Terminal]'s text are made
// here, every other format in a folder of its own. [Sinks] write those that were asked for, also while the run goes on,
// and [Progress] shows on a terminal how far it is.
//
// A [Deviation] is a known violation, accepted until a day; [ReadDeviations] reads the list of them that a run
// takes, [UpdateDeviations] writes it anew after one. [Merge] joins the records of a suite that was divided among several
// runs, and [AskAgain] finds in a record what failed.
package reports
