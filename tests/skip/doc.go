// Package skip skips expensive tests under -short and under the race detector. Only tests import it.
package skip
