// Package written holds the steps of features that people write over any contract: what a scenario creates, what it remembers, what
// responses hold, and what several clients do at once.
package written
