// Package feature holds derived feature files: their texts are the scenarios.
package feature
