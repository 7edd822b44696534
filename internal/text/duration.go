package text

import (
	"strconv"
	"time"
)

// Duration returns d in a readable unit: "0.4 ms", "12 ms", "0.8 s", "2 min 5 s".
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "0 ms"
	case d < time.Millisecond:
		return milliseconds(d, 1)
	case d < 100*time.Millisecond:
		return milliseconds(d.Truncate(time.Millisecond), 0)
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
	d = d.Round(time.Second)
	return strconv.FormatInt(int64(d/time.Minute), 10) + " min " + strconv.FormatInt(int64(d%time.Minute/time.Second), 10) + " s"
}

// Latency returns d in milliseconds with two or three digits, so that response times are easy to compare: "0.24 ms", "3.1 ms", "120 ms". From
// one second on it returns [Duration].
func Latency(d time.Duration) string {
	switch {
	case d <= 0:
		return "0 ms"
	case d < time.Millisecond:
		return milliseconds(d, 2)
	case d < 10*time.Millisecond:
		return milliseconds(d, 1)
	case d < time.Second:
		return milliseconds(d, 0)
	}
	return Duration(d)
}

// milliseconds returns d in milliseconds, rounded to a number of decimals.
func milliseconds(d time.Duration, decimals int) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', decimals, 64) + " ms"
}
