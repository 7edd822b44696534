package steps

import (
	"fmt"
	"strconv"

	"pgregory.net/rapid"

	"hallmark/spec"
)

// commandKind is what a command of a generated sequence does.
type commandKind int

const (
	createOne  commandKind = iota
	readOwn                // read an animal that the sequence created
	readListed             // read an animal of the last list
	readNear               // read an id that has something in common with a known one
	readOther              // read an id that nothing has, or hardly anything
	listSome               // list, with any limit and status
)

// command is a step of a generated sequence. It names animals by number, counted around, so that it means something
// whatever commands before it are taken away.
type command struct {
	kind          commandKind
	which         int
	status, limit string
	off           int64
}

func (c command) String() string {
	return fmt.Sprintf("%d/%d/%s/%s/%d", c.kind, c.which, c.status, c.limit, c.off)
}

// maxCreations bounds how many animals a sequence creates.
const maxCreations = 10

// commands generates a sequence of n commands; of reading ones only, if it is to create nothing. Statuses are those of
// the property that an animal may be created with.
func commands(op spec.Operation, n int, readOnly bool) *rapid.Generator[[]command] {
	statuses := []string{""}
	if op.Body != nil {
		for i := range op.Body.Schema.Properties {
			for _, e := range op.Body.Schema.Properties[i].Schema.Enum {
				if member, err := strconv.Unquote(e); err == nil {
					statuses = append(statuses, member)
				}
			}
		}
	}
	var numbers []int
	limits := []int{0, 0, 1, 20}
	for n := range 100 {
		numbers = append(numbers, n)
		if n%5 == 1 {
			limits = append(limits, n+1, 0, 100)
			if !readOnly {
				limits = append(limits, 100, 100, 100) // only the longest lists can prove that something is missing
			}
		}
	}
	whole := rapid.Bool()
	kinds := []commandKind{createOne, readOwn, listSome, createOne, readOwn, listSome, readListed, readNear, createOne, readOwn, listSome, readNear, readOther}
	one := rapid.Custom(func(t *rapid.T) command {
		c := command{kind: evenly(kinds).Draw(t, "kind"), which: evenly(numbers).Draw(t, "which")}
		c.status = evenly(statuses).Draw(t, "status")
		limit := evenly(limits).Draw(t, "limit")
		if limit == 100 && whole.Draw(t, "whole") {
			c.status = ""
		}
		if limit > 0 {
			c.limit = strconv.Itoa(limit)
		}
		c.off = evenly([]int64{0, 1, -1, 2, 10, 1 << 16, 1 << 31, 1 << 32, -1 << 32, 1 << 48, 1 << 53, 1 << 62}).Draw(t, "off")
		return c
	})
	return rapid.Map(rapid.SliceOfN(one, n, n), func(all []command) []command {
		creations := 0
		for i := range all {
			switch {
			case readOnly && all[i].kind == readOwn:
				all[i].kind = readListed
			case readOnly && all[i].kind == createOne:
				all[i].kind = listSome
			case all[i].kind == createOne:
				if creations++; creations > maxCreations {
					all[i].kind = listSome
				}
			}
		}
		if !readOnly && creations == 0 && n > 0 {
			all[0].kind = createOne
		}
		return all
	})
}

// creationsIn counts the animals that commands create.
func creationsIn(all []command) int {
	n := 0
	for _, c := range all {
		if c.kind == createOne {
			n++
		}
	}
	return n
}

// fewerCommands lists shorter sequences: without all commands of a kind, then without a half, a quarter, … a single
// command. The last one stays, since it is where it failed.
func fewerCommands(all []command) [][]command {
	var out [][]command
	last := len(all) - 1
	for kind := createOne; kind <= listSome; kind++ {
		var fewer []command
		for i, c := range all {
			if c.kind != kind || i == last {
				fewer = append(fewer, c)
			}
		}
		if len(fewer) < len(all) {
			out = append(out, fewer)
		}
	}
	for size := (len(all) + 1) / 2; size > 0 && len(all) > 1; size /= 2 {
		for end := last; end > 0; end -= size {
			start := max(end-size, 0)
			fewer := append([]command(nil), all[:start]...)
			out = append(out, append(fewer, all[end:]...))
		}
	}
	return out
}
