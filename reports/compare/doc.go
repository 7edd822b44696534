// Package compare compares the records of several runs.
//
// [Take] keeps what is compared of a record, and none of its exchanges. [New] compares the runs in one of two
// modes: several implementations side by side, where a question that the interface leaves open and that they
// answer differently is an ambiguity; or two runs of one implementation, where the second shows what broke and
// what was fixed since the first. A [Comparison] can be written for a terminal, as Markdown, as HTML and as JSON.
package compare
