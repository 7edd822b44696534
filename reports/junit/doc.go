// Package junit writes a run as JUnit XML, which CI systems read. It does not depend on how verdicts are reached or on other formats.
package junit
