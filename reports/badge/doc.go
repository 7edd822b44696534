// Package badge draws the result of a run as an SVG for a README or a web page. It states what the conformance report states, and needs
// no font, script or external resource.
package badge
