package scenario

import (
	"bytes"
	"sync"
	"sync/atomic"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/redact"
	"hallmark/steps/truncate"
)

// What a run keeps of a response once it is judged. Scenarios keep their responses until they end, and the run keeps what they
// showed: a service must not be able to fill the memory with that. What is kept is enough to compare responses with each other.

const (
	// Bodies of more than bigTree bytes are judged one at a time, those of more than smallTree bytes as many at a time as there are
	// processors.
	bigTree, smallTree = 64 << 10, 4 << 10
	// heavyTree is how much memory a decoded answer may take, in bytes, to be kept whole: twice a list of 100 animals.
	heavyTree = 96 << 10
	// KeptBody is how much is kept of a body, in bytes, and openBodies of the bodies of all scenarios that have not ended.
	// Beyond that it is leastBody.
	KeptBody, leastBody, openBodies = 256 << 10, 4 << 10, 8 << 20
)

// keeper bounds the memory that the responses of a run take.
type keeper struct {
	redactor *redact.Redactor
	// big is held while a big response is judged; middling has room for those of middle size that are judged at the same time.
	big      sync.Mutex
	middling chan struct{}
	// documented returns the names of all fields that answers may have by the contract. It reads the contract once.
	documented func() map[string]bool
	// open counts the bytes that scenarios that have not ended keep of long bodies.
	open atomic.Int64
}

// admit blocks until a body of a size may be decoded; done says that it was let go of.
func (k *keeper) admit(size int) (done func()) {
	switch {
	case size <= smallTree:
		return func() {}
	case size <= bigTree:
		k.middling <- struct{}{}
		return func() { <-k.middling }
	}
	k.big.Lock() // what a body decodes to may be fifty times as big
	return k.big.Unlock
}

// lighten lets go of most of a long response, and returns how much it takes of the room for bodies, in bytes.
func (k *keeper) lighten(resp *spec.Response) int64 {
	*resp = truncate.Headers(*resp)
	size := len(resp.Body)
	if size <= leastBody {
		return 0
	}
	kept := min(size, KeptBody)
	taken := int64(kept)
	if k.open.Add(taken) > openBodies {
		k.open.Add(-taken)
		kept, taken = leastBody, 0
	}
	if size <= kept {
		if cap(resp.Body) > 2*size { // it may lie in the buffer that the next big body is read into
			resp.Body = bytes.Clone(resp.Body)
		}
		return taken
	}
	// With some more than what is kept, so that no secret is cut in two.
	clean := k.redactor.Bytes(resp.Body[:min(kept+4096, size)])
	resp.Body = bytes.Clone(clean[:min(kept, len(clean))])
	return taken
}

// lightened is a judged answer's value as the scenario keeps it, with its texts made light already.
func (k *keeper) lightened(v exactjson.Value) exactjson.Value {
	if truncate.Size(v.Tree, heavyTree) > heavyTree {
		v.Tree = truncate.Prune(v.Tree, k.documented())
	}
	return v
}

// documented are the names of all fields that answers may have by the contract.
func documented(c *spec.Contract) map[string]bool {
	var schemas []*spec.Schema
	for _, op := range c.Operations() {
		for _, a := range op.Answers {
			schemas = append(schemas, a.Schema())
		}
	}
	names := map[string]bool{}
	spec.WalkAll(schemas, func(s *spec.Schema) {
		for _, p := range s.Properties {
			names[p.Name] = true
		}
	})
	return names
}
