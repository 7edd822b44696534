// Package options holds the flags of a run, and determines the effective values: the command line takes precedence
// over the environment, that over hallmark.yaml, and that over the defaults. It sends nothing, and knows no
// scenario.
package options
