// Package bundle packs what is needed to fix a failure: for each cause a folder with the failure as on the terminal, its exchanges, a
// script of curl commands, the one scenario that shows it, and failure.json, from which "hallmark replay" repeats it.
//
// A bundle is a zip file, and a folder extracted from one is a bundle, too. Bundles come from other people: reading is bounded and
// writes nothing to disk.
package bundle
