// Package truncate shortens what a service sent so that it can be kept and displayed: texts, numbers, decoded values and headers. What is
// kept suffices to compare responses with each other. It does not know runs or contracts.
package truncate
