package conformance

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec/petstore"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// written is the report of a view, as YAML and as JSON.
func written(t testing.TB, v *view.View, signer *Signer) (inYAML, inJSON []byte) {
	t.Helper()
	format := Format(signer)
	for _, one := range []struct {
		write func(io.Writer, *view.View) error
		to    *[]byte
	}{{format.Write, &inYAML}, {format.Ending[".json"], &inJSON}} {
		var out bytes.Buffer
		if err := one.write(&out, v); err != nil {
			t.Fatal(err)
		}
		*one.to = out.Bytes()
	}
	return inYAML, inJSON
}

func mustRead(t testing.TB, text []byte) *Document {
	t.Helper()
	d, err := read(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d
}

// own is the suite that the samples were judged by.
func own(t testing.TB) Own {
	t.Helper()
	v := sample.Good(t)
	proven, err := petstore.Proof()
	if err != nil {
		t.Fatal(err)
	}
	return Own{
		Suite: v.Record.Suite, Catalogue: v.Catalogue, Proven: proven, Scenarios: sample.Scenarios(t),
		NotApplicable: func(at time.Time) map[string]string { return sample.NotApplicable(v.Sources, at) },
	}
}

// changed is a good run with a change in its record. Its suite counts as the proven one, even while it is being
// worked on.
func changed(t testing.TB, change func(rec *record.Record)) *view.View {
	t.Helper()
	v := sample.Good(t)
	rec := *v.Record
	proof := *rec.Proof
	proof.Contract, proof.Catalogue, proof.Features = rec.Suite.Contract, rec.Suite.Catalogue, rec.Suite.Features
	rec.Proof = &proof
	change(&rec)
	return view.New(&rec, v.Sources)
}

// states are the states of checks by their names.
func states(all []Check) map[string]State {
	out := map[string]State{}
	for _, c := range all {
		out[c.Name] = c.State
	}
	return out
}

// after is a time at which the samples' reports are valid.
func after(d *Document) time.Time { return d.Date.Add(time.Hour) }

// newSigner makes a signer and its public key.
func newSigner(t testing.TB) (*Signer, ed25519.PublicKey) {
	t.Helper()
	private, public, _, err := NewKeys()
	if err != nil {
		t.Fatal(err)
	}
	key, err := ReadPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	pub, err := ReadPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return &Signer{Key: key, Days: 365}, pub
}

// tree is a report as a value that can be changed anywhere.
func tree(t testing.TB, text []byte) map[string]any {
	t.Helper()
	var all map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

func asText(t testing.TB, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
