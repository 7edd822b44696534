package steps

import (
	"bytes"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/truncate"
)

// What a run keeps of a response once it is judged. Scenarios keep their responses until they end, and the run keeps what they
// showed: a service must not be able to fill the memory with that. What is kept is enough to compare responses with each other.

const (
	// heavyTree is how much memory a decoded answer may take, in bytes, to be kept whole: twice a list of 100 animals.
	heavyTree = 96 << 10
	// keptBody is how much is kept of a body, in bytes, and openBodies of the bodies of all scenarios that have not ended.
	// Beyond that it is leastBody.
	keptBody, leastBody, openBodies = 256 << 10, 4 << 10, 8 << 20
)

// documented are the names of all fields that answers may have by the contract.
func documented(c *spec.Contract) map[string]bool {
	names := map[string]bool{}
	var add func(*spec.Schema)
	add = func(s *spec.Schema) {
		if s == nil {
			return
		}
		for _, p := range s.Properties {
			names[p.Name] = true
			add(p.Schema)
		}
		add(s.Items)
	}
	for _, op := range c.Operations() {
		for _, a := range op.Answers {
			add(a.Schema)
		}
	}
	return names
}

// lightened is a judged answer's value as the scenario keeps it, with its texts made light already.
func (r *run) lightened(v exactjson.Value) exactjson.Value {
	if truncate.Size(v.Tree, heavyTree) > heavyTree {
		v.Tree = truncate.Prune(v.Tree, documented(r.contract))
	}
	return v
}

// lighten lets go of most of a long response, once it is judged. A report may show what is kept.
func (s *scenario) lighten(ex *spec.Exchange) {
	resp := ex.Response
	*resp = truncate.Headers(*resp)
	if len(resp.Body) <= leastBody {
		return
	}
	size := len(resp.Body)
	kept := min(size, keptBody)
	if s.run.openBodies.Add(int64(kept)) > openBodies {
		s.run.openBodies.Add(-int64(kept))
		kept = leastBody
	} else {
		s.mu.Lock()
		s.bodies += int64(kept)
		s.mu.Unlock()
	}
	if size <= kept {
		resp.Body = bytes.Clone(resp.Body)
		return
	}
	// With some more than what is kept, so that no secret is cut in two.
	clean := s.run.client.Redactor.Bytes(resp.Body[:min(kept+4096, size)])
	resp.Body = bytes.Clone(clean[:min(kept, len(clean))])
}

// letGo gives back what the scenario took of the room for bodies.
func (s *scenario) letGo() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run.openBodies.Add(-s.bodies)
	s.bodies = 0
}
