package conformance

import (
	"fmt"
	"io"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Format is the conformance report: YAML, or JSON if the path ends in .json. It is signed by signer, unless that
// is nil.
func Format(signer *Signer) reports.Format {
	writer := func(write func(io.Writer, []byte) error) func(io.Writer, *view.View) error {
		return func(w io.Writer, v *view.View) error {
			text, err := document(New(v), signer)
			if err != nil {
				return fmt.Errorf("the conformance report cannot be made: %w", err)
			}
			return write(w, text)
		}
	}
	return reports.Format{
		Name: "conformance", Says: "the conformance report, to be handed over; YAML, or JSON where the path ends in .json",
		Write:  writer(func(w io.Writer, text []byte) error { return writeYAML(w, text) }),
		Ending: map[string]func(io.Writer, *view.View) error{".json": writer(func(w io.Writer, text []byte) error { return writeJSON(w, text) })},
	}
}

// document encodes a report, signed if there is a signer.
func document(r *Report, signer *Signer) ([]byte, error) {
	if signer == nil {
		return encode(r)
	}
	return signer.sign(r)
}
