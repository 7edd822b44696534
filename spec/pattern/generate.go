package pattern

import "math/rand/v2"

// maxSteps is the maximum number of nodes visited for one text.
const maxSteps = 100_000

// generator generates one text of a pattern. It considers the lengths of nodes but no assertions.
type generator struct {
	rng *rand.Rand
	// minimal selects the plainest character and the first alternative everywhere.
	minimal bool
	out     []rune
	groups  map[int][]rune
	// steps counts the nodes visited for this text, total those for all.
	steps, total int
}

// text returns a text of a length, and false if it finds none. References may make the text longer.
func (g *generator) text(n *node, length int) (string, bool) {
	g.out, g.groups, g.steps = nil, map[int][]rune{}, 0
	if length < n.min || length > n.max || length > maxLength {
		return "", false
	}
	ok := g.emit(n, length)
	g.total += g.steps
	return string(g.out), ok
}

// emit writes a node with the given number of characters.
func (g *generator) emit(n *node, length int) bool {
	if g.steps++; g.steps > maxSteps || len(g.out) > maxLength {
		return false
	}
	switch n.kind {
	case class:
		return g.char(n)
	case capture:
		start := len(g.out)
		ok := g.emit(n.subs[0], length)
		g.groups[n.group] = append([]rune(nil), g.out[start:]...)
		return ok
	case reference:
		g.out = append(g.out, g.groups[n.group]...)
		return true
	case concatenation:
		lengths, ok := g.divide(n.subs, length)
		for i, l := range lengths {
			ok = ok && g.emit(n.subs[i], l)
		}
		return ok
	case alternation:
		return g.alternative(n, length)
	case repetition:
		return g.repeat(n, length)
	case empty, look:
	}
	return true
}

func (g *generator) char(n *node) bool {
	from := n.common
	switch {
	case len(n.plainest) == 0:
		return false
	case g.minimal:
		g.out = append(g.out, n.plainest.char(0))
		return true
	case g.rng.IntN(8) == 0:
		from = n.printable
	}
	g.out = append(g.out, from.char(g.rng.IntN(from.size())))
	return true
}

// divide distributes a length over consecutive nodes.
func (g *generator) divide(subs []*node, length int) ([]int, bool) {
	if g.steps += len(subs); g.steps > maxSteps {
		return nil, false
	}
	lengths := make([]int, len(subs))
	rest := length
	for i, sub := range subs {
		lengths[i] = sub.min
		rest -= sub.min
	}
	order := make([]int, len(subs))
	for i := range order {
		order[i] = i
	}
	if !g.minimal {
		g.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	for round := 0; rest > 0 && round < 2; round++ { // first at random, then to any node with room
		for _, i := range order {
			room := min(rest, subs[i].max-lengths[i])
			if room > 0 && round == 0 && !g.minimal {
				room = g.rng.IntN(room + 1)
			}
			lengths[i] += room
			rest -= room
		}
	}
	return lengths, rest == 0
}

func (g *generator) alternative(n *node, length int) bool {
	var fit []*node
	for _, sub := range n.subs {
		if sub.min <= length && length <= sub.max {
			fit = append(fit, sub)
		}
	}
	switch {
	case len(fit) == 0:
		return false
	case g.minimal:
		return g.emit(fit[0], length)
	}
	return g.emit(fit[g.rng.IntN(len(fit))], length)
}

func (g *generator) repeat(n *node, length int) bool {
	sub := n.subs[0]
	low, high := n.low, n.high
	if sub.max > 0 {
		low = max(low, (length+sub.max-1)/sub.max)
	}
	if sub.min > 0 {
		high = min(high, length/sub.min)
	} else {
		high = min(high, low+length)
	}
	if low > high || low > maxLength {
		return false
	}
	count := low
	if !g.minimal {
		count += g.rng.IntN(high - low + 1)
	}
	subs := make([]*node, count)
	for i := range subs {
		subs[i] = sub
	}
	lengths, ok := g.divide(subs, length)
	for _, l := range lengths {
		ok = ok && g.emit(sub, l)
	}
	return ok
}
