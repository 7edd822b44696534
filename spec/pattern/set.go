package pattern

import (
	"slices"
	"unicode"
)

// span is a range of characters, including both ends.
type span struct{ low, high rune }

// set is a sorted set of characters without overlaps.
type set []span

const (
	surrogateLow, surrogateHigh = 0xd800, 0xdfff
)

// normal sorts spans and joins adjacent ones. It drops surrogates, which are not characters.
func normal(spans []span) set {
	slices.SortFunc(spans, func(a, b span) int { return int(a.low) - int(b.low) })
	var s set
	for _, next := range spans {
		if next.low > next.high {
			continue
		}
		if n := len(s); n > 0 && next.low <= s[n-1].high+1 {
			s[n-1].high = max(s[n-1].high, next.high)
			continue
		}
		s = append(s, next)
	}
	return s
}

// complement returns all characters that are not in s.
func (s set) complement() set {
	var out set
	at := rune(0)
	for _, in := range s {
		if at < in.low {
			out = append(out, span{at, in.low - 1})
		}
		at = in.high + 1
	}
	if at <= unicode.MaxRune {
		out = append(out, span{at, unicode.MaxRune})
	}
	return out
}

// and returns the intersection.
func (s set) and(t set) set {
	var out set
	for i, j := 0, 0; i < len(s) && j < len(t); {
		low, high := max(s[i].low, t[j].low), min(s[i].high, t[j].high)
		if low <= high {
			out = append(out, span{low, high})
		}
		if s[i].high < t[j].high {
			i++
		} else {
			j++
		}
	}
	return out
}

// size returns the number of characters.
func (s set) size() int {
	n := 0
	for _, in := range s {
		n += int(in.high-in.low) + 1
	}
	return n
}

// char returns the character with an index.
func (s set) char(i int) rune {
	for _, in := range s {
		if n := int(in.high-in.low) + 1; i >= n {
			i -= n
		} else {
			return in.low + rune(i) //nolint:gosec // within the span
		}
	}
	return unicode.ReplacementChar
}

// tiers are the characters to use in texts, the plainest first. Control characters and noncharacters come last.
var tiers = []set{
	{{'a', 'z'}},
	{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}},
	{{'!', '~'}},
	{{' ', '~'}},
	{{0xa1, 0x17f}, {0x391, 0x3a1}, {0x410, 0x44f}, {0x4e00, 0x9fa5}},
	{{0xa0, surrogateLow - 1}, {0xe000, 0xfdcf}, {0xfdf0, 0xfffd}, {0x10000, 0x1fffd}},
	{{'\t', '\r'}},
	{{0, surrogateLow - 1}, {surrogateHigh + 1, unicode.MaxRune}},
}

// usual returns the plainest characters of s, its common ones (letters and digits) and its printable ASCII ones. The plainest replace an
// empty class.
func (s set) usual() (plainest, common, printable set) {
	for _, tier := range tiers {
		if plainest = s.and(tier); len(plainest) > 0 {
			break
		}
	}
	if common = s.and(tiers[1]); len(common) == 0 {
		common = plainest
	}
	if printable = s.and(tiers[2]); len(printable) == 0 {
		printable = plainest
	}
	return plainest, common, printable
}

var (
	digits     = set{{'0', '9'}}
	wordChars  = set{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	spaces     = set{{'\t', '\r'}, {' ', ' '}, {0xa0, 0xa0}, {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}}
	lineBreaks = set{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}
)

// property returns the characters with a Unicode property, by the name in \p{…}.
func property(name string) (set, bool) {
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts, unicode.Properties} {
		if table, ok := tables[name]; ok {
			return fromTable(table), true
		}
	}
	return nil, false
}

func fromTable(table *unicode.RangeTable) set {
	var spans []span
	add := func(low, high, stride rune) {
		if stride == 1 {
			spans = append(spans, span{low, high})
			return
		}
		for r := low; r <= high; r += stride {
			spans = append(spans, span{r, r})
		}
	}
	for _, r := range table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range table.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride)) //nolint:gosec // ranges of characters fit
	}
	return normal(spans)
}
