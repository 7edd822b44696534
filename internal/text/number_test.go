package text_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/internal/text"
)

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -12: "-12"} {
		if got := text.Number(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int]string{0: "0 bytes", 1: "1 byte", 999: "999 bytes", 8200: "8.2 kB", 1_300_000: "1.3 MB"} {
		if got := text.Size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
