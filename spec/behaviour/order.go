package behaviour

import (
	"encoding/json"
	"time"
)

// Renewed reports whether a time that is shown twice has become another one. Services round times, and write them in other forms: within a
// second, only texts of the same form that are some milliseconds apart differ.
func Renewed(was, is any) bool {
	before, text := was.(string)
	after, also := is.(string)
	p, readable := readTime(before)
	q, too := readTime(after)
	if !text || !also || !readable || !too {
		return Alike(was, is, true) == Another
	}
	apart := p.Sub(q).Abs()
	return apart >= time.Second || apart >= 2*time.Millisecond && len(before) == len(after)
}

// Order compares two numbers, or two times. It returns false if they are something else, or times so close to each other that their order
// depends on the time zone of a date.
func Order(a, b any) (sign int, ok bool) {
	switch x := a.(type) {
	case json.Number:
		y, is := b.(json.Number)
		if !is {
			return 0, false
		}
		p, q := rational(x), rational(y)
		if p == nil || q == nil {
			return 0, false
		}
		return p.Cmp(q), true
	case string:
		y, is := b.(string)
		if !is {
			return 0, false
		}
		p, readable := readTime(x)
		q, also := readTime(y)
		if !readable || !also {
			return 0, false
		}
		if (len(x) == len(time.DateOnly)) != (len(y) == len(time.DateOnly)) && p.Sub(q).Abs() < 48*time.Hour {
			return 0, false
		}
		return p.Compare(q), true
	}
	return 0, false
}
