package second

import (
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// maxUnfolded bounds the number of values in the schemas of a reduced document after each reference is replaced by
// its target, as the second judge does.
const (
	maxUnfolded = 30_000
	// maxWhole is the number above which only the members that occur in the value are kept.
	maxWhole = 3_000
)

// unfolded returns that number, or one larger than most. Recursive references count once on each path.
func unfolded(doc *source.Node, most int) int {
	u := &unfolder{root: doc, sizes: map[string]int{}, most: most}
	return u.size(member(doc, "paths"), map[string]bool{})
}

type unfolder struct {
	root  *source.Node
	sizes map[string]int
	most  int
}

// size returns the size of a value; on are the references on the way to it.
func (u *unfolder) size(n *source.Node, on map[string]bool) int {
	if n == nil {
		return 0
	}
	total := 1
	for i, item := range n.Content {
		if total > u.most {
			return total
		}
		switch inObject := n.Kind == source.MappingNode; {
		case inObject && i%2 == 0: // a key
		case inObject && n.Content[i-1].Value == "$ref" && item.Kind == source.ScalarNode:
			total += u.reference(textOf(item), on)
		default:
			total += u.size(item, on)
		}
	}
	return total
}

// reference returns the size of the target of a reference.
func (u *unfolder) reference(ref string, on map[string]bool) int {
	if on[ref] {
		return 1
	}
	if size, known := u.sizes[ref]; known {
		return size
	}
	on[ref] = true
	size := u.size(nodeAt(u.root, strings.TrimPrefix(ref, "#")), on)
	delete(on, ref)
	u.sizes[ref] = size
	return size
}

// nodeAt returns the value at a JSON Pointer, or nil.
func nodeAt(n *source.Node, pointer string) *source.Node {
	for _, token := range jsonpointer.Tokens(pointer) {
		if n != nil && n.Kind == source.SequenceNode {
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.Content) {
				return nil
			}
			n = n.Content[i]
			continue
		}
		n = member(n, token)
	}
	return n
}
