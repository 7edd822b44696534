package petstore

import (
	"bytes"
	"os"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/promise"
)

// The embedded files are those that a reader of the repository sees, and each of them can be read.
func TestEmbeddedFiles(t *testing.T) {
	for name, embedded := range map[string][]byte{"openapi.yaml": openapiYAML, "rules.yaml": rulesYAML, "proof.json": proofJSON} {
		if onDisk, err := os.ReadFile(name); err != nil || !bytes.Equal(onDisk, embedded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	contract, err := Contract()
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := Catalogue(contract, promise.Of(contract, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	proof, err := Proof()
	if err != nil || proof.Contract != contract.Digest() || proof.Catalogue != catalogue.Digest() {
		t.Errorf("the proof is of another contract or catalogue: %v", err)
	}
}
