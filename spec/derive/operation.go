package derive

import (
	"slices"
	"strings"

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

// documents reports whether the operation documents a response of that status.
func (m *maker) documents(status int) bool {
	return slices.ContainsFunc(m.op.Responses, func(a spec.DocumentedResponse) bool { return a.Status == status })
}

// success returns the documented response of the 2xx class; nil when there is none.
func (m *maker) success() *spec.DocumentedResponse {
	for i, a := range m.op.Responses {
		if a.Class() == 2 && a.Status != 0 {
			return &m.op.Responses[i]
		}
	}
	return nil
}

// refusal is what must come of a request that breaks the contract: 400 where it is documented, else it is open.
func (m *maker) refusal() []string {
	if m.documents(400) {
		return []string{statusIs(400)}
	}
	return []string{OwnChoice}
}

// called is the call of the operation with parameters, each a name and a value. Those that are required and not among
// them are given too, with a value that is as good as any.
func (m *maker) called(given ...string) string { return m.calledBut("", given...) }

// calledBut is called, where one parameter is left out even if it is required.
func (m *maker) calledBut(leftOut string, given ...string) string {
	for _, p := range m.op.Parameters {
		named := slices.ContainsFunc(given, func(g string) bool { return strings.HasPrefix(g, p.Name+" ") })
		if good := goodOf(p.Schema); p.Required && p.In != "path" && !named && p.Name != leftOut && len(good) > 0 {
			given = append(slices.Clip(given), p.Name+" "+bare(good[0].text))
		}
	}
	if len(given) == 0 {
		return m.op.ID + " is called"
	}
	return m.op.ID + " is called with " + strings.Join(given, " and ")
}

// goodOf returns the texts of values that a parameter's schema certainly allows.
func goodOf(s *spec.Schema) []value { return append(inside(s), members(s)...) }

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
	credentials(m)
	return m.cases
}
