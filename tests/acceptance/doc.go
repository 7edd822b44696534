// Package acceptance runs the built binary as people do: by scripts, by the pages of the documentation and its examples, and
// against services that mean it harm.
package acceptance
