// Package compare holds the records of several runs against each other.
//
// [Take] keeps of a record what is compared, and nothing of its exchanges. [New] compares what was taken, in one of two
// ways: several implementations side by side, where a question that the interface leaves open and that they answer
// differently is an ambiguity; or two runs of one implementation, of which the second shows what broke and what was fixed
// since the first. A [Comparison] is written for a terminal, as Markdown, as HTML and as JSON.
package compare
