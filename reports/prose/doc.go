// Package prose writes numbers, spans of time and text from outside so that a person can read them. It knows no run.
package prose
