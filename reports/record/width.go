package record

import (
	"cmp"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Width is the number of requests in flight at a time, if the run determined it itself (--concurrency auto).
type Width struct {
	// Widest is the highest limit, Last the limit at the end.
	Widest int `json:"widest"`
	Last   int `json:"last"`
	// Why says what kept the limit from growing.
	Why string `json:"why"`
}

// Sentence describes the width for readers.
func (w *Width) Sentence() string {
	if w == nil {
		return ""
	}
	said := "up to " + text.Count(w.Widest, "request") + " at a time (--concurrency auto)"
	if w.Last < w.Widest {
		said += ", " + text.Number(w.Last) + " at the end"
	}
	return said + "; " + w.Why
}

// Plus returns the wider of two widths. Either may be nil.
func (w *Width) Plus(other *Width) *Width {
	if w == nil || other == nil || w.Widest >= other.Widest {
		return cmp.Or(w, other)
	}
	return other
}
