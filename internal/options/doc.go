// Package options holds the flags of a run and determines the effective values. The command line takes precedence over the environment, the
// environment over hallmark.yaml, and hallmark.yaml over the defaults. It sends nothing and does not depend on scenarios.
package options
