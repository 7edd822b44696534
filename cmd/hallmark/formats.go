package main

import "hallmark/reports"

// formats are all kinds of reports that --report can ask for, in the order in which they are told of.
func formats() []reports.Format {
	return []reports.Format{
		reports.JSON(),
		reports.JUnit(),
	}
}
