// Package reports shows what a run found.
//
// The record of a run is made in package record, and what follows from it is drawn in package verdict. A [View] holds the two,
// with the texts that they speak of: it is all that a [Format] needs. The [Terminal]'s text is made here, every other format in
// a folder of its own. [Sinks] write those that were asked for, also while the run goes on, and [Progress] shows on a terminal
// how far it is.
package reports
