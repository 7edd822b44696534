// Package truncate makes what a service said short enough to be kept and shown: texts, numbers, decoded values and headers.
// What is kept is enough to compare responses with each other. It knows no run and no contract.
package truncate
