// Package record holds what a run found out, as data: the record, the recorder that fills it, its journal, and the merging of shards. It
// knows nothing of verdicts or output formats.
package record
