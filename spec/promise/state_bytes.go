package promise

import (
	"net/http"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// Bytes is the promise that what a PUT stores as opaque bytes is read as it was sent.
const Bytes Kind = "stored.bytes"

// BytesComeBack sends other bytes, and judges what is read. It is one step: nothing else may be sent in between.
const BytesComeBack sentence.Sentence = "{name} returns the bytes that it sends"

// Octets is the media type of bytes that a service has no reason to change.
const Octets = "application/octet-stream"

// BytesReader returns the operation that reads what a PUT stores at the same path, if both are about opaque bytes of any kind
// (application/octet-stream) and about nothing else; nil otherwise. A service may store an image or a text in a form of its own.
func BytesReader(op *spec.Operation, operations []spec.Operation) *spec.Operation {
	if op.Method != http.MethodPut || op.Body == nil || !onlyOctets(op.Body.Content) || len(resource.SlotsOf(op)) == 0 {
		return nil
	}
	for i := range operations {
		reader := &operations[i]
		if reader.Method == http.MethodGet && reader.Path == op.Path {
			if answer := exactly(reader, http.StatusOK); answer != nil && onlyOctets(answer.Content) {
				return reader
			}
		}
	}
	return nil
}

// onlyOctets reports whether the only media type is that of opaque bytes, which the schema does not restrict.
func onlyOctets(content []spec.Media) bool {
	if len(content) != 1 || !strings.EqualFold(strings.TrimSpace(content[0].Type), Octets) {
		return false
	}
	s := content[0].Schema
	return s == nil || s.Simple() && s.MaxLength == nil && s.MinLength == nil && len(s.Enum) == 0
}

// describeBytes adds the inferred rule of an operation that stores bytes.
func describeBytes(d *describer) {
	if reader := BytesReader(d.op, d.operations); reader != nil {
		d.addRule(Bytes, false, reader.ID+" returns the bytes that were sent to "+d.op.ID, d.op.Pointer, reader.Pointer)
		d.source("inferred: " + d.op.ID + " stores what " + reader.ID + " reads at the same path; PUT sets the state of its target (RFC 9110, section 9.3.4)")
	}
}

// deriveBytes adds the scenario about an operation that stores bytes.
func deriveBytes(d *deriver) {
	if reader := BytesReader(d.op, d.options.operations); reader != nil {
		d.group(Case{
			Kind: Bytes, Aspect: Lives, Title: "the bytes that are sent are read", Given: PlainRequest.Write(d.op.ID) + Succeeded, When: []string{BytesComeBack.Write(reader.ID)},
			Writes: true, Asks: 2, Contract: []string{d.op.Pointer, reader.Pointer},
		})
	}
}
