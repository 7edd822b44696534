package values

import (
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// KeyOf returns the name of an entry for a place in requests as it is written in a file of values: the name of a parameter, "body", or the
// JSON Pointer of a member of the body, for one operation or, with a nil one, for all that have such a place.
func KeyOf(op *spec.Operation, place string) string {
	if op != nil {
		place = op.ID + "." + place
	}
	if strings.ContainsAny(place, " :#{}[]&*!|>'%@,\"") {
		place = "'" + strings.ReplaceAll(place, "'", "''") + "'"
	}
	return place
}
