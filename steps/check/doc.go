// Package check judges one exchange: its checks are pure functions from an exchange and its decoded response to findings. It
// also names exchanges in words. It knows no scenario and no other exchange.
package check
