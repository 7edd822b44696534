// Package text shapes words for people: counts, durations and lists, text from outside made visible, truncation, wrapping and
// quoting. It knows no other room, and nothing of what the words say.
//
// Lengths are in characters unless a name says otherwise: in bytes where something has to fit into a format or into memory
// ([TruncateBytes]), in columns where it has to fit on a terminal ([Columns], [Pad], [SplitColumns], [TruncateColumns], [Wrap]).
package text
