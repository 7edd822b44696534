package derive

import (
	"slices"

	"hallmark/spec"
)

// maker makes the cases of one operation.
type maker struct {
	contract contract
	op       spec.Operation
	cases    []testCase
}

// contract is what deriving needs to know of the document.
type contract interface {
	Operations() []spec.Operation
}

// documents tells whether the operation documents an answer of that status.
func (m *maker) documents(status int) bool {
	return slices.ContainsFunc(m.op.Answers, func(a spec.Answer) bool { return a.Status == status })
}

// success gives the documented answer of the 2xx class; nil when there is none.
func (m *maker) success() *spec.Answer {
	for i, a := range m.op.Answers {
		if a.Status/100 == 2 {
			return &m.op.Answers[i]
		}
	}
	return nil
}

// refusal is what must come of a request that breaks the contract: 400 where it is documented, else it is open.
func (m *maker) refusal() []string {
	if m.documents(400) {
		return []string{answerIs(400)}
	}
	return []string{leftOpen}
}

// called is the plain call of the operation.
func (m *maker) called() string { return m.op.ID + " is called" }

func (m *maker) add(c testCase) {
	if c.call == "" {
		c.call = m.called()
	}
	m.cases = append(m.cases, c)
}

// all makes every case of the operation.
func (m *maker) all() []testCase {
	m.answers()
	for _, p := range m.op.Parameters {
		if p.In == "path" {
			m.pathParameter(p)
		} else {
			m.parameter(p)
		}
	}
	if m.op.Body != nil {
		m.body()
	}
	m.credentials()
	return m.cases
}

// schemaChain is the pointers that lead to a schema, its own last.
func schemaChain(s *spec.Schema, more ...string) []string {
	chain := append(slices.Clone(s.Via), s.Pointer)
	return append(chain, more...)
}
