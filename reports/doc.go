// Package reports writes what a run found, in the formats that were asked for.
//
// The record of a run is made in package record, what follows from it is drawn in package verdict, and package view holds the two:
// it is all that a [Format] needs. Each format has a folder of its own; only JSON, the record itself, is written and read here.
// [Sinks] write the formats that were asked for, also while the run goes on.
package reports
