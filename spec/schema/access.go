package schema

import (
	"iter"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// exemptions are names of properties whose absence is excused in one direction, or that are allowed although
// nothing says so (see opened), encoded for use in a key: "r", "w" or "o" and the name, sorted, each followed by a
// zero byte.
type exemptions string

func (e exemptions) excuses(name string, d Direction) bool {
	if d == Request {
		return e.holds("r" + name)
	}
	return e.holds("w" + name)
}

func (e exemptions) any(name string) bool { return e != "" && (e.holds("r"+name) || e.holds("w"+name)) }

func (e exemptions) holds(entry string) bool {
	return e != "" && (strings.HasPrefix(string(e), entry+"\x00") || strings.Contains(string(e), "\x00"+entry+"\x00"))
}

func (e exemptions) merge(f exemptions) exemptions {
	switch {
	case e == "":
		return f
	case f == "" || e == f:
		return e
	}
	all := append(strings.SplitAfter(string(e), "\x00"), strings.SplitAfter(string(f), "\x00")...)
	slices.Sort(all)
	return exemptions(strings.Join(slices.Compact(all), ""))
}

// flags says how a property may be used.
type flags struct{ readOnly, writeOnly bool }

// maxHops is how many references are followed to find out how a property may be used.
const maxHops = 20

// flagsOf returns how the property at a pointer may be used. If strict is set, siblings of a reference are
// ignored.
func flagsOf(s *Set, pointer string, n *source.Node, strict bool) flags {
	key := pointer
	if strict {
		key += " strict"
	}
	s.mu.Lock()
	known, ok := s.flags[key]
	s.mu.Unlock()
	if ok {
		return known
	}
	var f flags
	for range maxHops {
		if n == nil || n.Kind != source.MappingNode {
			break
		}
		ref := lookup(n, "$ref")
		if ref == nil || !strict {
			f.readOnly = f.readOnly || isTrue(lookup(n, "readOnly"))
			f.writeOnly = f.writeOnly || isTrue(lookup(n, "writeOnly"))
		}
		if ref == nil {
			if all := lookup(n, "allOf"); all != nil && all.Kind == source.SequenceNode && len(all.Content) == 1 {
				pointer, n = index(jsonpointer.Join(pointer, "allOf"), 0), all.Content[0]
				continue
			}
			break
		}
		target, err := s.target(jsonpointer.Join(pointer, "$ref"), ref.Value)
		if err != nil {
			break
		}
		pointer, n = target, s.doc.Node(target)
	}
	s.mu.Lock()
	s.flags[key] = f
	s.mu.Unlock()
	return f
}

// maxAccess bounds how many schemas are visited to find the flags of an object's properties.
const maxAccess = 200

// access returns the readOnly and writeOnly properties of the object that a schema describes: its own, and those
// of the schemas that it refers to or is composed of.
func access(s *Set, pointer string) exemptions {
	var entries []string
	for at, n := range together(s, pointer) {
		for _, p := range members(lookup(n, "properties")) {
			f := flagsOf(s, jsonpointer.Join(at, "properties", p.name), p.value, false)
			if f.readOnly {
				entries = append(entries, "r"+p.name+"\x00")
			}
			if f.writeOnly {
				entries = append(entries, "w"+p.name+"\x00")
			}
		}
	}
	slices.Sort(entries)
	return exemptions(strings.Join(slices.Compact(entries), ""))
}

// together yields a schema and those that each of its values must conform to as well: its references, and the
// schemas of allOf.
func together(s *Set, pointer string) iter.Seq2[string, *source.Node] {
	return func(yield func(string, *source.Node) bool) {
		seen := map[string]bool{}
		next := []string{pointer}
		for len(next) > 0 && len(seen) < maxAccess {
			at := next[0]
			next = next[1:]
			if seen[at] {
				continue
			}
			seen[at] = true
			n := s.doc.Node(at)
			if n == nil || n.Kind != source.MappingNode {
				continue
			}
			if !yield(at, n) {
				return
			}
			for _, m := range members(n) {
				switch {
				case m.value == nil:
				case m.name == "$ref" && m.value.Kind == source.ScalarNode:
					if target, err := s.target(jsonpointer.Join(at, "$ref"), m.value.Value); err == nil {
						next = append(next, target)
					}
				case m.name == "allOf" && m.value.Kind == source.SequenceNode:
					for i := range m.value.Content {
						next = append(next, index(jsonpointer.Join(at, "allOf"), i))
					}
				}
			}
		}
	}
}
