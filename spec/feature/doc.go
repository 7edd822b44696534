// Package feature holds derived feature files, whose texts are the scenarios.
package feature
