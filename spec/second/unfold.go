package second

import "strings"

// maxUnfolded bounds the number of values in the schemas of a reduced document after each reference is replaced by
// its target, as the second judge does.
const (
	maxUnfolded = 30_000
	// maxWhole is the number above which only the members that occur in the value are kept.
	maxWhole = 3_000
)

// unfolded returns that number, or one larger than most. Recursive references count once on each path.
func unfolded(doc *node, most int) int {
	u := &unfolder{root: doc, sizes: map[string]int{}, most: most}
	return u.size(doc.member("paths"), map[string]bool{})
}

type unfolder struct {
	root  *node
	sizes map[string]int
	most  int
}

// size returns the size of a value; on are the references on the way to it.
func (u *unfolder) size(n *node, on map[string]bool) int {
	if n == nil {
		return 0
	}
	total := 1
	for i, item := range n.items {
		if total > u.most {
			return total
		}
		if n.kind == objectKind && n.keys[i] == "$ref" && item.kind == scalarKind {
			total += u.reference(item.text(), on)
			continue
		}
		total += u.size(item, on)
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
	size := u.size(u.root.at(strings.TrimPrefix(ref, "#")), on)
	delete(on, ref)
	u.sizes[ref] = size
	return size
}
