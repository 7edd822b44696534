// Package replay finds out whether the failures of a bundle still show: it chooses the scenarios to be run again, and judges
// their records. It sends no request itself.
package replay
