package scenario

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/steps/redact"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

// What a run keeps of judged responses. Scenarios keep their responses until they end, and the run keeps what they
// showed, so a service must not be able to fill the memory. What is kept is enough to compare responses with each
// other.

const (
	// Bodies over bigTree bytes are judged one at a time, those over smallTree bytes as many at a time as there are
	// processors.
	bigTree, smallTree = 64 << 10, 4 << 10
	// heavyTree is the largest decoded body, in bytes of memory, that is kept whole: twice a list of 100 animals.
	heavyTree = 96 << 10
	// KeptBody is how many bytes of a body are kept, as long as the bodies of all running scenarios stay below
	// openBodies; otherwise leastBody.
	KeptBody, leastBody, openBodies = 256 << 10, 4 << 10, 8 << 20
)

// keeper bounds the memory that the responses of a run take.
type keeper struct {
	redactor *redact.Redactor
	// big is held while a big response is judged; middling has room for those of middle size that are judged
	// concurrently.
	big      sync.Mutex
	middling chan struct{}
	// documented returns the names of all response fields in the contract. It reads the contract once.
	documented func() map[string]bool
	// open counts the bytes of long bodies that running scenarios keep.
	open atomic.Int64
}

// admit blocks until there is memory to decode a body of size bytes; call done to release it.
func (k *keeper) admit(size int) (done func()) {
	switch {
	case size <= smallTree:
		return func() {}
	case size <= bigTree:
		k.middling <- struct{}{}
		return func() { <-k.middling }
	}
	k.big.Lock() // a body may decode to fifty times its size
	return k.big.Unlock
}

// lighten drops most of a long response, and returns how many bytes of openBodies it takes.
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
		if cap(resp.Body) > 2*size { // it may share the buffer that the next big body is read into
			resp.Body = bytes.Clone(resp.Body)
		}
		return taken
	}
	// Redact a little more than what is kept, so that no secret is cut in two.
	clean := k.redactor.Bytes(resp.Body[:min(kept+4096, size)])
	resp.Body = bytes.Clone(clean[:min(kept, len(clean))])
	return taken
}

// lightened returns the value of a judged answer as the scenario keeps it. Its texts are truncated already.
func (k *keeper) lightened(v exactjson.Value) exactjson.Value {
	if truncate.Size(v.Tree, heavyTree) > heavyTree {
		v.Tree = truncate.Prune(v.Tree, k.documented())
	}
	return v
}

// responseFieldNames returns the names of all response fields in the contract.
func responseFieldNames(c *spec.Contract) map[string]bool {
	var schemas []*spec.Schema
	for _, op := range c.Operations() {
		for _, a := range op.Responses {
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
