// Package verdict draws conclusions from a record: the verdicts of the rules and of the run, the causes behind its
// findings, and what the run means for the known violations and for the proof. It knows no format, and sends no
// requests.
package verdict
