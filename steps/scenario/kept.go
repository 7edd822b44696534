package scenario

import (
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/truncate"
)

// What a run keeps of a response once it is judged. Scenarios keep their responses until they end, and the run keeps what they
// showed: a service must not be able to fill the memory with that. What is kept is enough to compare responses with each other.

const (
	// heavyTree is how much memory a decoded answer may take, in bytes, to be kept whole: twice a list of 100 animals.
	heavyTree = 96 << 10
	// KeptBody is how much is kept of a body, in bytes, and openBodies of the bodies of all scenarios that have not ended.
	// Beyond that it is leastBody.
	KeptBody, leastBody, openBodies = 256 << 10, 4 << 10, 8 << 20
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
func lightened(r *Run, v exactjson.Value) exactjson.Value {
	if truncate.Size(v.Tree, heavyTree) > heavyTree {
		v.Tree = truncate.Prune(v.Tree, documented(r.Contract))
	}
	return v
}
