// Package verdict draws conclusions from a record: the verdicts of the rules and of the run, the causes behind its findings, and
// how known violations and the proof stand to it. It knows no format, and asks no service.
package verdict
