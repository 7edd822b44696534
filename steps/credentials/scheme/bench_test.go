package scheme_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
)

// BenchmarkFor measures the right credential of an operation with two schemes together.
func BenchmarkFor(b *testing.B) {
	op := operation(spec.Requirement{basic, header})
	k := keyring(b, op, "HALLMARK_CREDENTIAL_APP_KEY=Key-4711", "HALLMARK_CREDENTIAL_LOGIN=ann:Pass-1")
	for b.Loop() {
		if _, err := k.For(b.Context(), op, ""); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMake measures a near miss, which is held against every alternative.
func BenchmarkMake(b *testing.B) {
	op := operation(spec.Requirement{basic, header}, spec.Requirement{header, cookie})
	k := keyring(b, op, "HALLMARK_CREDENTIAL_APP_KEY=Key-4711", "HALLMARK_CREDENTIAL_LOGIN=ann:Pass-1", "HALLMARK_CREDENTIAL_SESSION=s")
	for b.Loop() {
		if _, err := k.Make(b.Context(), op, "", "the right key without its last character for app-key"); err != nil {
			b.Fatal(err)
		}
	}
}
