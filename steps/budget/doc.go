// Package budget counts the animals that a run creates against the most that it may, and keeps shares of them for what comes
// late. It knows no scenario but by its id.
package budget
