// Package compare compares the records of several runs.
//
// [Take] extracts from a record what is compared, and none of its exchanges. [New] compares the runs in one of two modes: several
// implementations side by side, where an open question that they answer differently is an ambiguity of the interface; or two runs of one
// implementation, where the second shows what broke and what was fixed since the first. A [Comparison] can be written for a terminal, as
// Markdown, as HTML and as JSON.
package compare
