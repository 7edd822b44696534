// Package record holds what a run found out, as data: the record, the recorder that fills it, its journal, and how the records
// of shards become one. It knows no verdict and no format.
package record
