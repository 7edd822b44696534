package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/pb33f/go-yaml"
)

// Problem is a mistake in a file.
type Problem struct {
	File         string
	Line, Column int
	Text         string
}

func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Text)
}

// join combines several problems into one error, ordered by line.
func join(problems []Problem) error {
	sorted := slices.Clone(problems)
	slices.SortStableFunc(sorted, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Text, b.Text))
	})
	var all []error
	for _, p := range slices.Compact(sorted) {
		all = append(all, p)
	}
	return errors.Join(all...)
}

// problems collects what is wrong with a file.
type problems struct {
	file string
	all  []Problem
}

func (p *problems) report(n *yaml.Node, format string, args ...any) {
	p.all = append(p.all, p.make(n, format, args...))
}

func (p *problems) make(n *yaml.Node, format string, args ...any) Problem {
	return Problem{File: p.file, Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, args...)}
}
