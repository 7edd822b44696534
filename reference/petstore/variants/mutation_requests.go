package variants

import (
	"bytes"
	"fmt"
	"strings"

	"hallmark/reference/petstore"
)

// onRequest is what is done to a request. It reports whether the request is answered by that.
func (m Mutation) onRequest() (func(x *exchange) bool, error) {
	value := func() any { v, _ := readTree([]byte(m.Value)); return v }
	switch m.Do {
	case ActMendNoBody:
		return m.mend(func(x *exchange) bool { return len(bytes.TrimSpace(x.body)) == 0 }), nil
	case ActMendMalformed:
		return m.mend(func(x *exchange) bool { _, ok := readTree(x.body); return !ok && len(bytes.TrimSpace(x.body)) > 0 }), nil
	case ActMendMissing, ActMendNull, ActMendType, ActMendEnum, ActMendBounds, ActMendFraction:
		if len(m.At) == 0 {
			if m.Do != ActMendType && m.Do != ActMendNull {
				return nil, fmt.Errorf("the mutation %q has no place in the body", m.Do)
			}
			return m.mend(func(x *exchange) bool { tree, ok := readTree(x.body); return ok && (m.bad(tree) || tree == nil) }), nil
		}
		return func(x *exchange) bool {
			tree, ok := readTree(x.body)
			if !ok {
				return false
			}
			changed := false
			alter(tree, m.At, func(object map[string]any, name string) {
				v, there := object[name]
				if there && m.bad(v) || !there && m.Do == ActMendMissing {
					object[name], changed = value(), true
				}
			})
			if changed {
				x.body = writeTree(tree)
			}
			return false
		}, nil
	case ActRefuseMember:
		return m.refuse(func(x *exchange) bool { v, there := m.member(x); return there && string(writeTree(v)) == m.Value }), nil
	case ActRefuseLeftOut:
		return m.refuse(func(x *exchange) bool { _, there := m.member(x); return x.sent() != nil && !there }), nil
	case ActRefuseNoParameter:
		return m.refuse(func(x *exchange) bool { return !x.query().Has(m.At[0]) }), nil
	case ActRefuseParameter:
		text, _ := value().(string)
		return m.refuse(func(x *exchange) bool { return x.query().Get(m.At[0]) == text }), nil
	case ActLetIn:
		return func(x *exchange) bool {
			if kind := kindOfCredential(x); kind != "" && (m.Value == "" || m.Value == kind) {
				x.letIn()
			}
			return false
		}, nil
	case ActShutOut:
		return func(x *exchange) bool { x.shutOut(); return false }, nil
	default:
		return nil, fmt.Errorf("nothing called %q is done to requests", m.Do)
	}
}

// mend replaces the whole body where f tells.
func (m Mutation) mend(f func(x *exchange) bool) func(x *exchange) bool {
	return func(x *exchange) bool {
		if f(x) {
			x.body = []byte(m.Value)
		}
		return false
	}
}

// refuse answers with the status To where f tells.
func (m Mutation) refuse(f func(x *exchange) bool) func(x *exchange) bool {
	return func(x *exchange) bool {
		if len(m.At) == 0 || !x.authorised() || !f(x) {
			return false
		}
		x.fail(m.To, petstore.CodeInvalidRequest, "This is not accepted.")
		return true
	}
}

// member is the value at the mutation's place in the request's body.
func (m Mutation) member(x *exchange) (v any, there bool) {
	tree, ok := readTree(x.body)
	if !ok {
		return nil, false
	}
	alter(tree, m.At, func(object map[string]any, name string) { v, there = object[name] })
	return v, there
}

// The kinds of bad credentials, as a mutation's Value names them.
const (
	CredentialMissing  = "missing"
	CredentialEmpty    = "empty"
	CredentialScheme   = "scheme"
	CredentialPrefix   = "prefix"
	CredentialAppended = "appended"
	CredentialCase     = "case"
	CredentialAltered  = "altered"
	CredentialRandom   = "random"
)

// kindOfCredential tells in which way a credential is bad; empty for the right one.
func kindOfCredential(x *exchange) string {
	scheme, token, present := x.credential()
	switch {
	case x.authorised():
		return ""
	case !present:
		return CredentialMissing
	case !strings.EqualFold(scheme, "Bearer"):
		return CredentialScheme
	case strings.TrimSpace(token) == "":
		return CredentialEmpty
	case strings.HasPrefix(x.key, token), strings.HasSuffix(x.key, token):
		return CredentialPrefix
	case strings.HasPrefix(token, x.key), strings.HasSuffix(token, x.key):
		return CredentialAppended
	case strings.EqualFold(token, x.key):
		return CredentialCase
	case len(token) == len(x.key):
		return CredentialAltered
	default:
		return CredentialRandom
	}
}
