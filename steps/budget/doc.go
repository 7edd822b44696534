// Package budget counts the resources that a run creates against its maximum, and reserves shares for later scenarios. It knows scenarios
// only by their ids.
package budget
