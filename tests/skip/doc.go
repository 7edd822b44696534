// Package skip leaves out heavy tests, by -short and by the race detector. Only tests import it.
package skip
