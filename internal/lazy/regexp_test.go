package lazy_test

import (
	"testing"

	"hallmark/internal/lazy"
)

func TestRegexp(t *testing.T) {
	digits := lazy.Regexp(`^\d+$`)
	if !digits().MatchString("12") || digits().MatchString("a") {
		t.Error("it matches something else than its expression")
	}
	if first := digits(); first != digits() {
		t.Error("it is compiled more than once")
	}
}
