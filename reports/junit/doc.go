// Package junit writes a run as JUnit XML, which CI systems read. It knows nothing of how verdicts are reached, and nothing of
// other formats.
package junit
