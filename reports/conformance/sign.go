package conformance

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// algorithm is the signature algorithm.
const algorithm = "ed25519"

// Signature identifies who vouches for a report.
type Signature struct {
	Algorithm string `json:"algorithm"`
	// Key is the fingerprint of the public key, see [Fingerprint].
	Key string `json:"key"`
	// Value is the signature in base64. It is the only member of a report that is not itself signed.
	Value string `json:"value,omitempty"`
}

// Signer signs reports.
type Signer struct {
	Key ed25519.PrivateKey
	// Days is the number of days that a report is valid, from its date.
	Days int
}

// sign encodes a report with its signature. The report itself is not changed.
func (s *Signer) sign(r *Report) ([]byte, error) {
	if err := Signable(r.Implementation); err != nil {
		return nil, err
	}
	public, is := s.Key.Public().(ed25519.PublicKey)
	if !is {
		return nil, errors.New("the key is not an Ed25519 key")
	}
	signed := *r
	signed.Expires = r.Date.AddDate(0, 0, s.Days)
	signed.Signature = &Signature{Algorithm: algorithm, Key: fingerprintOf(public)}
	text, err := encode(&signed)
	if err != nil {
		return nil, err
	}
	content, err := canonical(text)
	if err != nil {
		return nil, err
	}
	signed.Signature.Value = base64.StdEncoding.EncodeToString(ed25519.Sign(s.Key, content))
	return encode(&signed)
}

// Signable returns an error if the implementation is not named well enough to be vouched for.
func Signable(i record.Implementation) error {
	var missing []string
	for _, part := range []struct{ name, text string }{{"organization", i.Organization}, {"project", i.Project}, {"version", i.Version}} {
		if strings.TrimSpace(part.text) == "" {
			missing = append(missing, part.name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("a signed report says whose implementation it vouches for, and %s not known: write implementation: into the target's part of hallmark.yaml",
		strings.Join(missing, ", ")+" "+isAre(missing))
}

// fingerprintOf identifies a public key: "sha256:…" over its DER form, which is that of RFC 5280
// (SubjectPublicKeyInfo).
func fingerprintOf(key ed25519.PublicKey) string {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return "" // this never fails for an Ed25519 key
	}
	sum := sha256.Sum256(der)
	return "sha256:" + hex.EncodeToString(sum[:])
}
