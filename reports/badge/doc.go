// Package badge draws the result of a run as a small picture (SVG) for a README or a web page. It says what the conformance
// report says, never more, and needs no font, no script and nothing from elsewhere.
package badge
