// Package replay finds out whether the failures of a bundle still occur: it selects the scenarios to run again and judges their records. It
// sends no requests itself.
package replay
