// Package check says what is malformed about an exchange, and names exchanges in words. Its functions are pure, and know no scenario.
package check
