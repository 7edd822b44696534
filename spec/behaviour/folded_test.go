package behaviour

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Simple texts are unfolded as all others are.
func TestSimpleTextsAreFoldedAlike(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 5000 {
		text := make([]byte, random.IntN(12))
		for i := range text {
			text[i] = byte(random.IntN(0x80))
		}
		if n < 0x80 {
			text = []byte{byte(n)}
		}
		if got, want := folded(string(text)), foldedAny(string(text)); got != want {
			t.Errorf("%q becomes %q instead of %q", text, got, want)
		}
	}
}

// Times are read in each layout.
func TestTimesAreRead(t *testing.T) {
	when := time.Date(2026, 3, 9, 8, 7, 6, 0, time.UTC)
	for _, text := range []string{
		"2026-03-09T08:07:06Z", "2026-03-09t08:07:06.000z", "2026-03-09T10:07:06+02:00", "2026-03-09T08:07:06", "2026-03-09 08:07:06.5",
		"Mon, 09 Mar 2026 08:07:06 GMT", "Mon, 09 Mar 2026 08:07:06 +0000", "mon, 09 mar 2026 08:07:06 gmt",
	} {
		if got, ok := readTime(text); !ok || got.Sub(when).Abs() > time.Second {
			t.Errorf("%s is read as %v, %v", text, got, ok)
		}
	}
	if _, ok := readTime("2026-03-09"); !ok {
		t.Error("a date is not read")
	}
	for _, text := range []string{"", "2026", "a name of ten", "20260309", "Monday, 09 Mar 2026"} {
		if _, ok := readTime(text); ok {
			t.Errorf("%q is read as a time", text)
		}
	}
}
