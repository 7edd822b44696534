// Package prove measures both kinds of errors of the suite: what it does not detect, using services that are each
// broken in one known way, and what it wrongly reports, using services that are unusual but legal.
//
// A [Case] is such a service. [Prover.Run] judges cases with the suite, several at a time, in this process: each
// in a service of its own, or several legal ones in one, and [Measure] derives the figures and the matrix from the
// outcomes.
package prove
