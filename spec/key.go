package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Key identifies the defect that a finding shows, without the values involved. Findings of the same defect have the same key in every run.
type Key struct {
	Rule string
	// Operation is that of the finding; empty if the defect is one of a resource, which any operation that reads it may show first.
	Operation string
	Kind      FindingKind
	// Place is "status", "body", "header " and the name of a header, or the JSON Pointer of a place in the body, with * for array indexes.
	Place string
	// Detail is the finding's Detail, or the status if that is wrong.
	Detail string
}

// Key returns the key of the finding.
func (f Finding) Key() Key {
	k := Key{Rule: f.Rule, Operation: f.Operation, Kind: f.Kind, Place: "body", Detail: f.Detail}
	switch {
	case f.Kind.ofResource():
		k.Operation = ""
	case f.Status != 0:
		k.Place, k.Detail = "status", strconv.Itoa(f.Status)
	case f.Header != "":
		k.Place = "header " + f.Header
	case f.Pointer != "":
		k.Place = anyIndex(f.Pointer)
	}
	return k
}

// idDigits is the number of hexadecimal digits in the id of a finding: of 5,000 findings, two share an id in one run of 5,000.
const idDigits = 9

// ID returns a short id of the defect that the finding shows, for people and programs that refer to it. It is a hash of the rule, the
// operation, the place of the contract, and the place in the response, or the missing field. It depends on no value, status, seed or time,
// so the same defect has the same id in every run by the same contract. It begins with a letter, as a program could take digits for a number.
func (f Finding) ID() string {
	k := f.Key()
	parts := []string{k.Rule, k.Operation, f.Contract, k.Place}
	if k.Kind == KindMissing {
		parts = append(parts, k.Detail) // a missing field has no place of its own
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "f" + hex.EncodeToString(sum[:])[:idDigits]
}

// ofResource reports whether a finding is about a resource as a whole, so that any response may show it first.
func (k FindingKind) ofResource() bool {
	return k == KindLost || k == KindUnexpected || k == KindDuplicate
}

// anyIndex returns a JSON Pointer with * in place of each token that may be an array index.
func anyIndex(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i, t := range tokens {
		if t != "" && strings.Trim(t, "0123456789") == "" {
			tokens[i] = "*"
		}
	}
	return strings.Join(tokens, "/")
}

// Kinds returns all kinds of findings.
func Kinds() []FindingKind {
	return []FindingKind{
		KindStatus, KindMissing, KindUnreadable, KindDied, KindMediaType, KindType, KindEnum, KindFormat, KindTooSmall, KindTooLarge, KindForbidden, KindRepeated,
		KindDiffers, KindAnother, KindDuplicate, KindLost, KindUnexpected,
	}
}
