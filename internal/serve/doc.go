// Package serve runs the reference service until it is interrupted: its keys, its listener, and where it tells of its address.
// It knows no rule, and judges nothing.
package serve
