// Package suggested writes the values that may make operations succeed that never did in a run, as a file of values in comments.
package suggested
