// Package drift compares the derived features of a folder with what the contract says, and brings the folder up to date.
package drift
