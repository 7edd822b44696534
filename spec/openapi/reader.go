package openapi

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"hallmark/spec"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/source"
)

// reader reads a document as strictly as a contract has to be read. What is wrong ends the reading: its methods panic with
// a *source.Error, which Load returns. The reading code then says only what a contract looks like, not how errors travel.
type reader struct {
	*source.Document
	// schemas are those read so far, nil while they are being read.
	schemas map[string]*spec.Schema
}

// fail gives up reading the contract.
func fail(line int, format string, args ...any) {
	//nolint:forbidigo // Load returns it as its error; see reader for why it travels like this
	panic(source.Errorf(line, format, args...))
}

// check gives up where there is an error.
func check[T any](value T, err error) T {
	if err != nil {
		//nolint:forbidigo // as fail does
		panic(err)
	}
	return value
}

// keys returns the keys of a mapping in their order; another kind of node fails.
func (d reader) keys(pointer, what string) []string {
	if n := d.Node(pointer); n != nil && n.Kind != yaml.MappingNode {
		fail(d.Line(pointer), "%s must be an object, not %s", what, source.Describe(n))
	}
	return d.Keys(pointer)
}

// size returns the number of items of a sequence, 0 when there is none; another kind of node fails.
func (d reader) size(pointer, what string) int {
	if n := d.Node(pointer); n != nil && n.Kind != yaml.SequenceNode {
		fail(d.Line(pointer), "%s must be a list, not %s", what, source.Describe(n))
	}
	return d.Size(pointer)
}

// text returns the scalar at a key; empty when it is not there.
func (d reader) text(pointer, name string) string {
	n, p := d.Child(pointer, name)
	if n == nil {
		return ""
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		fail(d.Line(p), "%s must be text, not %s", name, source.Describe(n))
	}
	return n.Value
}

// boolean returns the boolean at a key; false when it is not there.
func (d reader) boolean(pointer, name string) bool {
	n, p := d.Child(pointer, name)
	if n == nil {
		return false
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		fail(d.Line(p), "%s must be true or false, not %s", name, source.Describe(n))
	}
	return strings.EqualFold(n.Value, "true")
}

// only fails when an object has a key that is not among the allowed ones. What hallmark does not understand it could not
// judge, so a contract that says it is refused rather than half read. Extensions (x-…) are comments.
func (d reader) only(pointer, what string, allowed map[string]bool) {
	for _, k := range d.keys(pointer, what) {
		if !allowed[k] && !strings.HasPrefix(k, "x-") {
			fail(d.Line(jsonpointer.Join(pointer, k)), "%s has %s, which hallmark does not support", what, k)
		}
	}
}

// follow returns where the object stands that a pointer leads to.
func (d reader) follow(pointer string) string { return check(d.Follow(pointer)) }

// references returns the pointers that references lead to from the given one.
func (d reader) references(pointer string) []string { return check(d.References(pointer)) }

// set returns the names as a set.
func set(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, n := range names {
		all[n] = true
	}
	return all
}
