package petstore

import (
	"fmt"
	"strconv"

	"pgregory.net/rapid"

	"hallmark/steps/generate"
)

// CommandKind is what a command of a generated sequence does.
type CommandKind int

// The kinds of commands.
const (
	CreateOne  CommandKind = iota
	ReadOwn                // read an animal that the sequence created
	ReadListed             // read an animal of the last list
	ReadNear               // read an id that has something in common with a known one
	ReadOther              // read an id that nothing has, or hardly anything
	ListSome               // list, with any limit and status
)

// Command is a step of a generated sequence. It names animals by number, counted around, so that it means something
// whatever commands before it are taken away.
type Command struct {
	Kind          CommandKind
	Which         int
	Status, Limit string
	Offset        int64
}

// String is equal for equal commands.
func (c Command) String() string {
	return fmt.Sprintf("%d/%d/%s/%s/%d", c.Kind, c.Which, c.Status, c.Limit, c.Offset)
}

// maxCreations bounds how many animals a sequence creates.
const maxCreations = 4

// Commands generates a sequence of n commands; of reading ones only, if it is to create nothing. Statuses and limits are
// those of the contract.
func Commands(terms Terms, n int, readOnly bool) *rapid.Generator[[]Command] {
	statuses := append([]string{""}, terms.Statuses()...)
	filters := append([]string{""}, terms.Filters()...)
	var numbers []int
	for n := range 100 {
		numbers = append(numbers, n)
	}
	limits := limitsOf(terms, readOnly)
	longest, _ := terms.Whole()
	whole := rapid.Bool()
	kinds := []CommandKind{CreateOne, ReadOwn, ListSome, CreateOne, ReadOwn, ListSome, ReadListed, ReadNear, CreateOne, ReadOwn, ListSome, ReadNear, ReadOther}
	one := rapid.Custom(func(t *rapid.T) Command {
		c := Command{Kind: generate.Evenly(kinds).Draw(t, "kind"), Which: generate.Evenly(numbers).Draw(t, "which")}
		known := filters
		if c.Kind == CreateOne {
			known = statuses
		}
		c.Status = generate.Evenly(known).Draw(t, "status")
		c.Limit = generate.Evenly(limits).Draw(t, "limit")
		if c.Limit != "" && c.Limit == longest && whole.Draw(t, "whole") {
			c.Status = ""
		}
		c.Offset = generate.Evenly([]int64{0, 1, -1, 2, 10, 1 << 16, 1 << 31, 1 << 32, -1 << 32, 1 << 48, 1 << 53, 1 << 62}).Draw(t, "off")
		return c
	})
	return rapid.Map(rapid.SliceOfN(one, n, n), func(all []Command) []Command {
		creations := 0
		for i := range all {
			switch {
			case readOnly && all[i].Kind == ReadOwn:
				all[i].Kind = ReadListed
			case readOnly && all[i].Kind == CreateOne:
				all[i].Kind = ListSome
			case all[i].Kind == CreateOne:
				if creations++; creations > maxCreations {
					all[i].Kind = ListSome
				}
			}
		}
		if !readOnly && creations == 0 && n > 0 {
			all[0].Kind = CreateOne
		}
		return all
	})
}

// limitsOf returns the limits that a sequence asks by: none, the least, the default, and some up to the longest list. Only
// the longest lists can prove that something is missing, so they stand there more often.
func limitsOf(terms Terms, readOnly bool) []string {
	const steps = 20
	limits := []string{"", ""}
	longest, n := terms.Whole()
	if longest == "" {
		return limits
	}
	least := terms.least()
	limits = append(limits, strconv.FormatInt(least, 10))
	if standard, ok := terms.Standard(); ok && terms.limit.Allows(strconv.FormatInt(standard, 10)) {
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

// CreationsIn counts the animals that commands create.
func CreationsIn(all []Command) int {
	n := 0
	for _, c := range all {
		if c.Kind == CreateOne {
			n++
		}
	}
	return n
}

// FewerCommands lists shorter sequences: without all commands of a kind, then without a half, a quarter, … a single
// command. The last one stays, since it is where it failed.
func FewerCommands(all []Command) [][]Command {
	var out [][]Command
	last := len(all) - 1
	for kind := CreateOne; kind <= ListSome; kind++ {
		var fewer []Command
		for i, c := range all {
			if c.Kind != kind || i == last {
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
			fewer := append([]Command(nil), all[:start]...)
			out = append(out, append(fewer, all[end:]...))
		}
	}
	return out
}
