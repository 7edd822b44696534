package conformance

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
)

// The types of PEM blocks.
const (
	privateBlock = "PRIVATE KEY"
	publicBlock  = "PUBLIC KEY"
)

// NewKeys makes a pair of keys in PEM form: PKCS #8 and SubjectPublicKeyInfo, like those of openssl.
func NewKeys() (private, public []byte, fingerprint string, err error) {
	pub, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, nil, "", err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, "", err
	}
	pubDER, err := x509.MarshalPKIXPublicKey(pub)
	if err != nil {
		return nil, nil, "", err
	}
	return pem.EncodeToMemory(&pem.Block{Type: privateBlock, Bytes: keyDER}),
		pem.EncodeToMemory(&pem.Block{Type: publicBlock, Bytes: pubDER}), fingerprintOf(pub), nil
}

// ReadPrivateKey reads a private key in PEM form. Its errors contain nothing of the text.
func ReadPrivateKey(text []byte) (ed25519.PrivateKey, error) {
	der, err := pemBlock(text, privateBlock)
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, errors.New("the private key in it is damaged")
	}
	private, is := key.(ed25519.PrivateKey)
	if !is {
		return nil, errOther
	}
	return private, nil
}

// ReadPublicKey reads the PEM text of a public key.
func ReadPublicKey(text []byte) (ed25519.PublicKey, error) {
	der, err := pemBlock(text, publicBlock)
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, errors.New("the public key in it is damaged")
	}
	public, is := key.(ed25519.PublicKey)
	if !is {
		return nil, errOther
	}
	return public, nil
}

var errOther = errors.New("the key in it is of another kind; reports are signed with Ed25519 (hallmark keygen makes a pair)")

// pemBlock is the content of the only PEM block in a text, which must have that type.
func pemBlock(text []byte, want string) ([]byte, error) {
	b, rest := pem.Decode(text)
	switch {
	case b == nil:
		return nil, fmt.Errorf("there is no PEM block in it; it must begin with -----BEGIN %s-----", want)
	case b.Type == "ENCRYPTED PRIVATE KEY":
		return nil, errors.New("the key in it is protected by a password; take that off (openssl pkey) and keep the file where nobody else can read it")
	case b.Type == privateBlock && want == publicBlock:
		return nil, errors.New("it holds the private key; give the public one, and keep the private one to yourself")
	case b.Type == publicBlock && want == privateBlock:
		return nil, errors.New("it holds the public key; it takes the private one to sign")
	case b.Type != want:
		return nil, fmt.Errorf("it holds another PEM block, and not %s", want)
	case len(bytes.TrimSpace(rest)) > 0:
		return nil, errors.New("there is more than one PEM block in it; keep the key in a file of its own")
	}
	return b.Bytes, nil
}
