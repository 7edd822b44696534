package bundle

import (
	"slices"
	"testing"
)

func TestVariables(t *testing.T) {
	for lines, want := range map[string][]string{
		`curl -H "Authorization: Bearer $HALLMARK_API_KEY" x`:                                                     {"HALLMARK_API_KEY"},
		`curl -H "X-Key: ${HALLMARK_CREDENTIAL_B_2%?}" -u "${#HALLMARK_CREDENTIAL_A}" "$HALLMARK_CREDENTIAL_B_2"`: {"HALLMARK_CREDENTIAL_A", "HALLMARK_CREDENTIAL_B_2"},
		`curl "$BASE_URL"`: nil,
	} {
		if got := variables(lines); !slices.Equal(got, want) {
			t.Errorf("%s needs %q, want %q", lines, got, want)
		}
	}
}
