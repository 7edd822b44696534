// Package serve runs the reference service until it is interrupted: its keys, its listener, and where its address is announced. It knows no
// rules and judges nothing.
package serve
