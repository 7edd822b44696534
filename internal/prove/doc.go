// Package prove measures both errors of the suite: what it does not see, by services that are broken in one known way
// each, and what it wrongly accuses, by services that are unusual and legal.
//
// A [Case] is such a service. [Prover.Run] judges them by the whole suite, several at a time, each with a service of its
// own in this process, and [Measure] draws the figures and the matrix from the outcomes.
package prove
