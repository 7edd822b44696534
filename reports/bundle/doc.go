// Package bundle packs what somebody needs who is to fix a failure: for each cause a folder with the failure told as in the
// terminal, its exchanges, a script of curl lines, the one scenario that shows it, and failure.json, by which "hallmark
// replay" asks again.
//
// It is a zip file; a folder taken out of it is a bundle too. What is read back was made by somebody else: reading is
// bounded, and writes nothing to disk.
package bundle
