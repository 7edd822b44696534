// Package text formats text for people: counts, durations and lists, visible forms of untrusted text, truncation, wrapping and quoting.
// It imports no other package of the project.
//
// Lengths are in characters unless a name says otherwise: in bytes where something has to fit into a format or into memory
// ([TruncateBytes]), in columns where it has to fit on a terminal ([Columns], [Pad], [SplitColumns], [TruncateColumns], [Wrap]).
package text
