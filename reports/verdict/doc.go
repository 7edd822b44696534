// Package verdict draws conclusions from a record: the verdicts of the rules and of the run, the causes behind its findings, the states of
// the known violations, and whether the proof applies. It knows no output format and sends no requests.
package verdict
