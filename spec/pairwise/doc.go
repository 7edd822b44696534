// Package pairwise chooses few rows of values such that each pair of values of two columns is in one of them.
package pairwise
