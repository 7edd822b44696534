package check

import (
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// IsMalformed reports whether a lost exchange was in fact a response that no client can read. A truncated body counts only if it is
// truncated in the same way again, since a broken connection looks the same.
func IsMalformed(ex *spec.Exchange, again string) bool {
	switch ex.Malformed {
	case client.MalformedHead, client.MalformedBody:
		return true
	case client.MalformedLength:
		return again == ex.Lost
	}
	return false
}

// Malformed returns the finding of an unreadable response.
func Malformed(ex *spec.Exchange) spec.Finding {
	rule, expected := "answer.status", phrase.Of("a response that HTTP clients can read")
	if ex.Malformed != client.MalformedHead {
		rule, expected = "answer.body", phrase.Of("a whole body")
	}
	return spec.Finding{
		Rule: rule, Operation: ex.Operation, Kind: spec.KindUnreadable, Detail: ex.Malformed, Expected: expected,
		Actual: phrase.Of("{}", phrase.Text(ex.Lost)), Where: Place(ex), Exchanges: []int{ex.Seq}, Cause: rule + " unreadable " + ex.Malformed,
	}
}
