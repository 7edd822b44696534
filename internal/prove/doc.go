// Package prove measures both errors of the suite: what it does not see, by services that are broken in one known way
// each, and what it wrongly accuses, by services that are unusual and legal.
//
// A [Case] is such a service. [Prover.Run] judges them by the suite, several at a time, in this process: each by itself, or several
// that are legal in one, and [Measure] draws the figures and the matrix from the outcomes.
package prove
