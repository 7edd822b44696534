package steps

import (
	"fmt"
	"strconv"

	"pgregory.net/rapid"

	"hallmark/steps/generate"
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

// commands generates a sequence of n commands; of reading ones only, if it is to create nothing. Statuses and limits are
// those of the contract.
func commands(terms petTerms, n int, readOnly bool) *rapid.Generator[[]command] {
	statuses := append([]string{""}, terms.statuses()...)
	filters := append([]string{""}, terms.filters()...)
	var numbers []int
	for n := range 100 {
		numbers = append(numbers, n)
	}
	limits := limitsOf(terms, readOnly)
	longest, _ := terms.whole()
	whole := rapid.Bool()
	kinds := []commandKind{createOne, readOwn, listSome, createOne, readOwn, listSome, readListed, readNear, createOne, readOwn, listSome, readNear, readOther}
	one := rapid.Custom(func(t *rapid.T) command {
		c := command{kind: generate.Evenly(kinds).Draw(t, "kind"), which: generate.Evenly(numbers).Draw(t, "which")}
		known := filters
		if c.kind == createOne {
			known = statuses
		}
		c.status = generate.Evenly(known).Draw(t, "status")
		c.limit = generate.Evenly(limits).Draw(t, "limit")
		if c.limit != "" && c.limit == longest && whole.Draw(t, "whole") {
			c.status = ""
		}
		c.off = generate.Evenly([]int64{0, 1, -1, 2, 10, 1 << 16, 1 << 31, 1 << 32, -1 << 32, 1 << 48, 1 << 53, 1 << 62}).Draw(t, "off")
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

// limitsOf returns the limits that a sequence asks by: none, the least, the default, and some up to the longest list. Only
// the longest lists can prove that something is missing, so they stand there more often.
func limitsOf(terms petTerms, readOnly bool) []string {
	const steps = 20
	limits := []string{"", ""}
	longest, n := terms.whole()
	if longest == "" {
		return limits
	}
	least := terms.least()
	limits = append(limits, strconv.FormatInt(least, 10))
	if standard, ok := terms.standard(); ok && allows(*terms.limit, strconv.FormatInt(standard, 10)) {
		limits = append(limits, strconv.FormatInt(standard, 10))
	}
	for i := range int64(steps) {
		between := least + (int64(n)-least)*(5*i+1)/(5*steps-1)
		limits = append(limits, strconv.FormatInt(between, 10), "", longest)
		if !readOnly {
			limits = append(limits, longest, longest, longest)
		}
	}
	return limits
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
