package mutate

import (
	"bytes"
	"fmt"
	"strings"
)

// onRequest returns the change to a request, which reports whether that also answers the request.
func (m Mutation) onRequest() (func(x *Exchange) bool, error) {
	value := func() any { v, _ := ReadJSON([]byte(m.Value)); return v }
	switch m.Do {
	case ActMendNoBody:
		return m.mend(func(x *Exchange) bool { return len(bytes.TrimSpace(x.Body)) == 0 }), nil
	case ActMendMalformed:
		return m.mend(func(x *Exchange) bool { _, ok := ReadJSON(x.Body); return !ok && len(bytes.TrimSpace(x.Body)) > 0 }), nil
	case ActMendMissing, ActMendNull, ActMendType, ActMendEnum, ActMendBounds, ActMendFraction:
		if len(m.At) == 0 {
			if m.Do != ActMendType && m.Do != ActMendNull {
				return nil, fmt.Errorf("the mutation %q has no place in the body", m.Do)
			}
			return m.mend(func(x *Exchange) bool { tree, ok := ReadJSON(x.Body); return ok && (m.bad(tree) || tree == nil) }), nil
		}
		return func(x *Exchange) bool {
			tree, ok := ReadJSON(x.Body)
			if !ok {
				return false
			}
			changed := false
			editMembers(tree, m.At, func(object map[string]any, name string) {
				v, there := object[name]
				if there && m.bad(v) || !there && m.Do == ActMendMissing {
					object[name], changed = value(), true
				}
			})
			if changed {
				x.Body = WriteJSON(tree)
			}
			return false
		}, nil
	case ActRefuseMember:
		return m.refuse(func(x *Exchange) bool { v, there := m.member(x); return there && string(WriteJSON(v)) == m.Value }), nil
	case ActRefuseLeftOut:
		return m.refuse(func(x *Exchange) bool { _, there := m.member(x); return x.Sent() != nil && !there }), nil
	case ActRefuseNoParameter:
		return m.refuse(func(x *Exchange) bool { return !x.Query().Has(m.At[0]) }), nil
	case ActRefuseParameter:
		text, _ := value().(string)
		return m.refuse(func(x *Exchange) bool { return x.Query().Get(m.At[0]) == text }), nil
	case ActLetIn:
		return func(x *Exchange) bool {
			if kind := kindOfCredential(x); kind != "" && (m.Value == "" || m.Value == kind) {
				x.LetIn()
			}
			return false
		}, nil
	case ActShutOut:
		return func(x *Exchange) bool { x.ShutOut(); return false }, nil
	default:
		return nil, fmt.Errorf("nothing called %q is done to requests", m.Do)
	}
}

// mend replaces the whole body if f returns true.
func (m Mutation) mend(f func(x *Exchange) bool) func(x *Exchange) bool {
	return func(x *Exchange) bool {
		if f(x) {
			x.Body = []byte(m.Value)
		}
		return false
	}
}

// refuse answers with the status To if f returns true.
func (m Mutation) refuse(f func(x *Exchange) bool) func(x *Exchange) bool {
	return func(x *Exchange) bool {
		if len(m.At) == 0 || !x.Authorised() || !f(x) {
			return false
		}
		x.refuse(m.To)
		return true
	}
}

// member is the value at the mutation's place in the request's body.
func (m Mutation) member(x *Exchange) (v any, there bool) {
	tree, ok := ReadJSON(x.Body)
	if !ok {
		return nil, false
	}
	editMembers(tree, m.At, func(object map[string]any, name string) { v, there = object[name] })
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

// kindOfCredential says how a credential is bad, or returns "" for the right one.
func kindOfCredential(x *Exchange) string {
	scheme, token, present := x.Credential()
	switch {
	case x.Authorised():
		return ""
	case !present:
		return CredentialMissing
	case !strings.EqualFold(scheme, "Bearer"):
		return CredentialScheme
	case strings.TrimSpace(token) == "":
		return CredentialEmpty
	case strings.HasPrefix(x.Key, token), strings.HasSuffix(x.Key, token):
		return CredentialPrefix
	case strings.HasPrefix(token, x.Key), strings.HasSuffix(token, x.Key):
		return CredentialAppended
	case strings.EqualFold(token, x.Key):
		return CredentialCase
	case len(token) == len(x.Key):
		return CredentialAltered
	default:
		return CredentialRandom
	}
}
