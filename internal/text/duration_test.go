package text_test

import (
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		d                 time.Duration
		duration, latency string
	}{
		{-time.Second, "0 ms", "0 ms"},
		{0, "0.0 ms", "0 ms"},
		{240 * time.Microsecond, "0.2 ms", "0.24 ms"},
		{3160 * time.Microsecond, "3 ms", "3.2 ms"},
		{12900 * time.Microsecond, "12 ms", "13 ms"},
		{120 * time.Millisecond, "0.1 s", "120 ms"},
		{2345 * time.Millisecond, "2.3 s", "2.3 s"},
		{125400 * time.Millisecond, "2 min 5 s", "2 min 5 s"},
	} {
		if got := text.Duration(c.d); got != c.duration {
			t.Errorf("%v: %s, want %s", c.d, got, c.duration)
		}
		if got := text.Latency(c.d); got != c.latency {
			t.Errorf("%v as a latency: %s, want %s", c.d, got, c.latency)
		}
	}
}
