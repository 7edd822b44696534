// Package drift compares the derived features in a folder with those of the contract, and updates the folder.
package drift
