package second

import (
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// unjudged are the formats that the first judge holds values to and the second does not.
var unjudged = map[string]bool{"byte": true}

// unjudgedFormat returns a format that the second judge does not check: the one that a response violates, or one
// that an accepted request may violate. It returns "" if there is none.
func (j *Judge) unjudgedFormat(q question, f spec.Finding, ex *spec.Exchange) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case q == aboutResponse && f.Kind == spec.KindFormat:
		n := j.contract.Document().Node(f.Contract)
		if format := member(n, "format"); format != nil {
			n = format
		}
		if unjudged[textOf(n)] {
			return textOf(n)
		}
	case q == aboutAcceptance:
		if op, ok := j.contract.Operation(ex.Operation); ok {
			if m, err := j.model(op, ex, requestSide); err == nil {
				return m.unjudgedFormat()
			}
		}
	}
	return ""
}

// unjudgedIn returns a format in a document that the second judge does not check, or "".
func unjudgedIn(doc string) string {
	for format := range unjudged {
		if strings.Contains(doc, `"format":"`+format+`"`) {
			return format
		}
	}
	return ""
}
