// Package bulk makes a record of a run over as many operations as a test wants: a document of resources, each with five operations, the rules
// and scenarios derived from it, and invented exchanges with some defects among them. Nothing is sent, and the same number of operations
// gives the same record. Only tests import it.
package bulk
