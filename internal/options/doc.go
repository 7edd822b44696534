// Package options holds the flags of a run, and finds out what is in force: the command line over the environment over
// hallmark.yaml over what a flag has by itself. It sends nothing, and knows no scenario.
package options
