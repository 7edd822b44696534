package pattern

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// kind is the kind of a node.
type kind int

const (
	// empty matches no characters: an anchor, a word boundary or nothing at all.
	empty kind = iota
	class
	concatenation
	alternation
	repetition
	capture
	reference
	look
)

// unbounded is the maximum length of an unbounded repetition.
const unbounded = 1 << 30

// node is a part of a pattern.
type node struct {
	kind kind
	set  set
	// plainest, common and printable are the characters of set to use first, usually and occasionally.
	plainest, common, printable set
	subs                        []*node
	// low and high bound a repetition.
	low, high int
	// group is the number of a capture, or of the group that a reference refers to.
	group int
	// ahead is set for a positive lookahead.
	ahead bool
	// min and max are the minimum and maximum number of characters. References count as zero.
	min, max int
}

var errSyntax = errors.New("hallmark does not support this pattern syntax")

const (
	maxPattern = 20_000
	maxNesting = 200
)

type parser struct {
	text  []rune
	at    int
	depth int
	// groups counts captures; names are their names.
	groups int
	names  map[string]int
}

func parse(text string) (*node, error) {
	if len(text) > maxPattern {
		return nil, errors.New("the pattern is longer than " + strconv.Itoa(maxPattern) + " bytes")
	}
	p := &parser{text: []rune(text), names: map[string]int{}}
	n, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if p.at < len(p.text) {
		return nil, errSyntax // an extra parenthesis
	}
	return n, nil
}

func (p *parser) peek() rune {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return -1
}

// take reads s if it comes next.
func (p *parser) take(s string) bool {
	r := []rune(s)
	if len(p.text)-p.at < len(r) || !slices.Equal(p.text[p.at:p.at+len(r)], r) {
		return false
	}
	p.at += len(r)
	return true
}

// until reads up to and including an end.
func (p *parser) until(end rune) (string, bool) {
	i := slices.Index(p.text[p.at:], end)
	if i < 0 {
		return "", false
	}
	s := string(p.text[p.at : p.at+i])
	p.at += i + 1
	return s, true
}

func (p *parser) alternatives() (*node, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, errors.New("the pattern is nested too deeply")
	}
	defer func() { p.depth-- }()
	n := &node{kind: alternation}
	for {
		sub, err := p.sequence()
		if err != nil {
			return nil, err
		}
		n.subs = append(n.subs, sub)
		if !p.take("|") {
			break
		}
	}
	if len(n.subs) == 1 {
		return n.subs[0], nil
	}
	n.min, n.max = unbounded, 0
	for _, sub := range n.subs {
		n.min, n.max = min(n.min, sub.min), max(n.max, sub.max)
	}
	return n, nil
}

func (p *parser) sequence() (*node, error) {
	n := &node{kind: concatenation}
	for p.at < len(p.text) && p.peek() != '|' && p.peek() != ')' {
		sub, err := p.term()
		if err != nil {
			return nil, err
		}
		if sub, err = p.quantified(sub); err != nil {
			return nil, err
		}
		n.subs = append(n.subs, sub)
		n.min, n.max = plus(n.min, sub.min), plus(n.max, sub.max)
	}
	return n, nil
}

// plus and times saturate at unbounded.
func plus(a, b int) int { return min(a+b, unbounded) }

func times(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	if a > unbounded/b {
		return unbounded
	}
	return a * b
}

// quantified parses the quantifiers after a term.
func (p *parser) quantified(sub *node) (*node, error) {
	n := &node{kind: repetition, subs: []*node{sub}, high: unbounded}
	switch {
	case p.take("*"):
	case p.take("+"):
		n.low = 1
	case p.take("?"):
		n.high = 1
	case p.peek() == '{':
		low, high, ok := p.counts()
		if !ok {
			return sub, nil
		}
		if n.low, n.high = low, high; low > high {
			return nil, errSyntax
		}
	default:
		return sub, nil
	}
	_ = p.take("?") // greediness does not affect what matches
	if strings.ContainsRune("*+?", p.peek()) {
		return nil, errSyntax
	}
	n.min, n.max = times(sub.min, n.low), times(sub.max, n.high)
	return n, nil
}

// counts parses {n}, {n,} or {n,m}; anything else is literal text.
func (p *parser) counts() (low, high int, ok bool) {
	start := p.at
	p.at++
	inner, closed := p.until('}')
	from, to, ranged := strings.Cut(inner, ",")
	low, err := strconv.Atoi(from)
	high = low
	if ranged && to == "" {
		high = unbounded
	} else if ranged && err == nil {
		high, err = strconv.Atoi(to)
	}
	if !closed || err != nil || strings.Trim(inner, "0123456789,") != "" {
		p.at = start
		return 0, 0, false
	}
	return min(low, unbounded), min(high, unbounded), true
}

// charNode returns a node for one character of a set.
func charNode(s set) *node {
	n := &node{kind: class, set: s, min: 1, max: 1}
	n.plainest, n.common, n.printable = s.usual()
	return n
}

func (p *parser) term() (*node, error) {
	r := p.peek()
	p.at++
	switch r {
	case '^', '$':
		return &node{}, nil
	case '.':
		return charNode(lineBreaks.complement()), nil
	case '(':
		return p.group()
	case '[':
		s, err := p.class()
		return charNode(s), err
	case '\\':
		return p.escape()
	case '*', '+', '?':
		return nil, errSyntax
	case '{':
		p.at--
		if _, _, ok := p.counts(); ok {
			return nil, errSyntax
		}
		p.at++
	}
	return charNode(set{{r, r}}), nil
}

// group parses what follows an opening parenthesis.
func (p *parser) group() (*node, error) {
	n := &node{}
	switch {
	case p.take("?:"):
	case p.take("?="):
		n.kind, n.ahead = look, true
	case p.take("?!"), p.take("?<="), p.take("?<!"):
		n.kind = look
	case p.take("?<"):
		name, ok := p.until('>')
		if !ok {
			return nil, errSyntax
		}
		p.groups++
		n.kind, n.group, p.names[name] = capture, p.groups, p.groups
	case p.peek() == '?':
		return nil, errSyntax
	default:
		p.groups++
		n.kind, n.group = capture, p.groups
	}
	sub, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if !p.take(")") {
		return nil, errSyntax
	}
	switch n.kind {
	case look:
		n.subs = []*node{sub}
	case capture:
		n.subs, n.min, n.max = []*node{sub}, sub.min, sub.max
	default:
		return sub, nil
	}
	return n, nil
}

// escape parses what follows a backslash outside a class.
func (p *parser) escape() (*node, error) {
	r := p.peek()
	switch {
	case r == 'b' || r == 'B':
		p.at++
		return &node{}, nil
	case r == 'k' && p.at+1 < len(p.text) && p.text[p.at+1] == '<':
		p.at += 2
		name, ok := p.until('>')
		if !ok {
			return nil, errSyntax
		}
		return &node{kind: reference, group: p.names[name]}, nil
	case '1' <= r && r <= '9':
		number := 0
		for '0' <= p.peek() && p.peek() <= '9' && number < 1000 {
			number = 10*number + int(p.peek()-'0')
			p.at++
		}
		return &node{kind: reference, group: number}, nil
	}
	s, err := p.escaped()
	return charNode(s), err
}

// escaped parses what follows a backslash as a set of characters.
func (p *parser) escaped() (set, error) {
	r := p.peek()
	if r < 0 {
		return nil, errSyntax
	}
	p.at++
	switch r {
	case 'd':
		return digits, nil
	case 'D':
		return digits.complement(), nil
	case 'w':
		return wordChars, nil
	case 'W':
		return wordChars.complement(), nil
	case 's':
		return spaces, nil
	case 'S':
		return spaces.complement(), nil
	case 'p', 'P':
		return p.property(r)
	case 't':
		r = '\t'
	case 'n':
		r = '\n'
	case 'v':
		r = '\v'
	case 'f':
		r = '\f'
	case 'r':
		r = '\r'
	case '0':
		r = 0
	case 'c':
		if letter := p.peek(); letter < unicode.MaxASCII && unicode.IsLetter(letter) {
			p.at++
			r = letter & 31
		}
	case 'x':
		r = p.hex(r, 2)
	case 'u':
		r = p.hex(r, 4)
	}
	return set{{r, r}}, nil
}

// property parses {…} after \p. Without it, the letter is literal.
func (p *parser) property(letter rune) (set, error) {
	if !p.take("{") {
		return set{{letter, letter}}, nil
	}
	name, ok := p.until('}')
	if !ok {
		return nil, errSyntax
	}
	s, ok := property(shortName(name))
	if !ok {
		return nil, errSyntax
	}
	if letter == 'P' {
		return s.complement(), nil
	}
	return s, nil
}

// rewrite translates a pattern for the matching engine, which supports \p{Greek} and \p{Lu}, but neither \p{Script=Greek} nor
// \p{Uppercase_Letter}.
func rewrite(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		b.WriteString(text[i : i+2])
		i++
		if letter := text[i]; letter != 'p' && letter != 'P' || !strings.HasPrefix(text[i+1:], "{") {
			continue
		}
		if name, _, ok := strings.Cut(text[i+2:], "}"); ok {
			b.WriteString("{" + shortName(name) + "}")
			i += len(name) + 2
		}
	}
	return b.String()
}

// shortName returns the name of a property without the kind of the property.
func shortName(name string) string {
	if _, value, ok := strings.Cut(name, "="); ok {
		name = value
	}
	if short, ok := longNames[name]; ok {
		name = short
	}
	return name
}

// longNames are common long names of categories.
var longNames = map[string]string{
	"Letter": "L", "Alphabetic": "L", "Alpha": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu", "Lowercase": "Ll", "Uppercase": "Lu",
	"Number": "N", "Decimal_Number": "Nd", "Digit": "Nd", "Punctuation": "P", "Punct": "P", "Symbol": "S", "Mark": "M", "Separator": "Z",
	"Space_Separator": "Zs", "Control": "Cc",
}

// hex parses the digits of \xHH, \uHHHH or \u{H…}; without them, the letter is literal.
func (p *parser) hex(letter rune, count int) rune {
	start := p.at
	text := ""
	if letter == 'u' && p.take("{") {
		text, _ = p.until('}')
	} else if len(p.text)-p.at >= count {
		text = string(p.text[p.at : p.at+count])
		p.at += count
	}
	value, err := strconv.ParseUint(text, 16, 32)
	if err != nil || value > unicode.MaxRune {
		p.at = start
		return letter
	}
	return rune(value)
}

// class parses a character class after its opening bracket.
func (p *parser) class() (set, error) {
	negative := p.take("^")
	var spans []span
	for {
		if p.at >= len(p.text) {
			return nil, errSyntax
		}
		if p.take("]") {
			break
		}
		low, err := p.classAtom()
		if err != nil {
			return nil, err
		}
		if p.peek() != '-' || p.at+1 >= len(p.text) || p.text[p.at+1] == ']' || low.size() != 1 {
			spans = append(spans, low...)
			continue
		}
		p.at++
		high, err := p.classAtom()
		switch {
		case err != nil:
			return nil, err
		case high.size() != 1: // [a-\d] contains a dash
			spans = append(append(spans, low...), append(high, span{'-', '-'})...)
			continue
		case low[0].low > high[0].low:
			return nil, errSyntax
		}
		spans = append(spans, span{low[0].low, high[0].low})
	}
	s := normal(slices.Clone(spans))
	if negative {
		s = s.complement()
	}
	return s, nil
}

func (p *parser) classAtom() (set, error) {
	if !p.take(`\`) {
		r := p.peek()
		if r < 0 {
			return nil, errSyntax
		}
		p.at++
		return set{{r, r}}, nil
	}
	if p.take("b") {
		return set{{'\b', '\b'}}, nil
	}
	return p.escaped()
}
