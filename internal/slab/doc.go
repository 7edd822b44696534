// Package slab makes many small values in few pieces of memory. What a run is judged by is made once and kept to its end, and the
// collector looks through a few large pieces in a fraction of the time that it needs for the same in a hundred thousand.
package slab
