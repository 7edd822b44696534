package record

import (
	"cmp"

	"hallmark/internal/text"
)

// Width is how many requests were in flight at a time, if the run determined that by itself (--concurrency auto).
type Width struct {
	// Widest is the highest number allowed, Last the number allowed at the end.
	Widest int `json:"widest"`
	Last   int `json:"last"`
	// Why says why there were not more.
	Why string `json:"why"`
}

// Sentence describes it for a person.
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

// Plus returns the wider of two; either may be nil.
func (w *Width) Plus(other *Width) *Width {
	if w == nil || other == nil || w.Widest >= other.Widest {
		return cmp.Or(w, other)
	}
	return other
}
