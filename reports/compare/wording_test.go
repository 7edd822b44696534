package compare

import "testing"

// The same defect shows with names that are cut and with names that are not.
func TestKindIgnoresWhereTextsAreCut(t *testing.T) {
	whole := kind(`expected name "hallmark-a-1x", as it was sent, actual "HALLMARK-a-1x"`)
	for _, cut := range []string{
		`expected name "hallmark-b-2xxx" … "xx" (256 characters), as it was sent, actual "HALLMARK-b-2xxx" … "xx" (256 characters)`,
		`expected name "hallmark-b-2xxx" … "xx … (1,141 characters) … , as it was sent, actual "HALL … (91 characters) … `,
	} {
		if got := kind(cut); got != whole {
			t.Errorf("%s, want %s", got, whole)
		}
	}
	if other := kind(`expected categoryId 7, as it was sent, actual "hallmark-a-1x"`); other == whole {
		t.Error("another property is the same defect")
	}
}
