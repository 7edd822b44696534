// Package matcher matches the texts of steps against the patterns of their forms. It knows no form and no scenario.
package matcher
