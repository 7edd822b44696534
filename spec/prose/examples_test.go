package prose_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/prose"
)

func TestExamples(t *testing.T) {
	t.Parallel()
	for description, want := range map[string][]string{
		"Name of the zone (e.g. “example.com.”) MUST have a trailing dot": {"example.com."},
		"Type of this record (e.g. “A”, “PTR”, “MX”)":                     {"A", "PTR", "MX"},
		"The event, for example `card` or `cash`.":                        {"card", "cash"},
		"Example: \"my-app://x\"":                                         {"my-app://x"},
		"An `id` such as 'a1', of the \"kind\"":                           {"a1"},
		"Can e.g. be used to check the `zone`":                            nil,
		"The “name” of the zone":                                          nil,
	} {
		if got := prose.Examples(description); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", description, got, want)
		}
	}
}
