// Package values reads the constants that a file gives for parameters and bodies of requests, where nothing in a contract tells them.
package values
